//! Preorders on the pairs of the textbooks, most of them from the linear time - branching time spectrum (van Glabbeek, 1990).

use servanda_equiv::{Preorder, Side};
use servanda_lts::Union;

use crate::naive;
use crate::systems::{answer, equivalent, system};

type Transitions = [(u32, &'static str, u32)];

/// Which preorders hold from the first system to the second, and which from the second to the first.
#[track_caller]
fn check(left: &Transitions, right: &Transitions, holding: [&[&str]; 2]) {
    let (left, right) = (system(left), system(right));
    for ((one, other), holding) in [(&left, &right), (&right, &left)].into_iter().zip(holding) {
        for preorder in Preorder::ALL {
            let expected = holding.contains(&preorder.word());
            assert_eq!(equivalent(one, other, preorder), expected, "{}", preorder.word());
            let union = Union::new(one, other);
            let by_definition = naive::preorder(&union.lts, union.left.0, union.right.0, preorder);
            assert_eq!(by_definition, expected, "{} by definition", preorder.word());
        }
    }
}

/// Without internal steps weak and strong are the same.
#[track_caller]
fn check_visible(left: &Transitions, right: &Transitions, holding: [&[&str]; 2]) {
    let weak = holding.map(|words| words.iter().map(|word| format!("weak-{word}")).collect::<Vec<String>>());
    let all = [0, 1].map(|at| {
        holding[at].iter().copied().chain(weak[at].iter().map(String::as_str)).collect::<Vec<&str>>()
    });
    check(left, right, [&all[0], &all[1]]);
}

const SIMULATES: &str = "simulates";
const READY: &str = "ready-simulates";
const TRACES: &str = "traces-within";
const FAILURES: &str = "failures-within";
const WEAK: [&str; 4] =
    ["weak-simulates", "weak-ready-simulates", "weak-traces-within", "weak-failures-within"];

#[track_caller]
fn told(left: &Transitions, right: &Transitions, word: &str) -> (Side, String) {
    let preorder = Preorder::ALL.into_iter().find(|preorder| preorder.word() == word).unwrap();
    let difference = answer(&system(left), &system(right), preorder).unwrap();
    (difference.side, difference.to_string())
}

/// `a.b + a.c` and `a.(b + c)`
#[test]
fn early_and_late_choice() {
    let early = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)];
    let late = [(0, "a", 1), (1, "b", 2), (1, "c", 3)];
    check_visible(&early, &late, [&[TRACES], &[SIMULATES, TRACES, FAILURES]]);
    assert_eq!(told(&early, &late, FAILURES), (Side::Left, "a, refusing {c}".to_owned()));
    assert_eq!(told(&early, &late, SIMULATES), (Side::Right, "<a>(<b>true & <c>true)".to_owned()));
    assert_eq!(told(&late, &early, READY), (Side::Right, "<a>[c]false".to_owned()));
    assert_eq!(told(&late, &early, "weak-ready-simulates"), (Side::Right, "<<a>>[[c]]false".to_owned()));
}

/// `a.b + a` and `a.b`
#[test]
fn a_possible_deadlock() {
    let (left, right) = ([(0, "a", 1), (0, "a", 2), (1, "b", 3)], [(0, "a", 1), (1, "b", 2)]);
    check_visible(&left, &right, [&[SIMULATES, READY, TRACES], &[SIMULATES, TRACES, FAILURES]]);
}

/// `a.b + a.c` and `a.b + a.c + a.(b + c)`: the same failures, but not the same readiness.
#[test]
fn failures_without_readiness() {
    let left = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)];
    let right = [&left[..], &[(0, "a", 4), (4, "b", 3), (4, "c", 3)]].concat();
    check_visible(&left, &right, [&[TRACES, FAILURES], &[SIMULATES, READY, TRACES, FAILURES]]);
}

/// `a.b.c + a.(b.c + b.d)` and `a.(b.c + b.d)` ready-simulate each other and are not bisimilar.
#[test]
fn ready_simulation_without_bisimilarity() {
    let right = [(0, "a", 1), (1, "b", 2), (1, "b", 3), (2, "c", 4), (3, "d", 4)];
    let left = [&right[..], &[(0, "a", 5), (5, "b", 2)]].concat();
    let all = [SIMULATES, READY, TRACES, FAILURES];
    check_visible(&left, &right, [&all, &all]);
    assert!(!equivalent(&system(&left), &system(&right), servanda_equiv::Relation::Strong));
}

/// `a.(b + c.d) + a.(f + c.e)` and `a.(b + c.e) + a.(f + c.d)`
#[test]
fn failures_without_failure_traces() {
    let with = |first, second| {
        [
            (0, "a", 1),
            (0, "a", 2),
            (1, "b", 5),
            (1, "c", 3),
            (2, "f", 5),
            (2, "c", 4),
            (3, first, 5),
            (4, second, 5),
        ]
    };
    check_visible(&with("d", "e"), &with("e", "d"), [&[TRACES, FAILURES], &[TRACES, FAILURES]]);
}

/// `0` and `a`
#[test]
fn nothing_and_something() {
    check_visible(&[], &[(0, "a", 1)], [&[TRACES], &[SIMULATES]]);
    assert_eq!(told(&[], &[(0, "a", 1)], FAILURES), (Side::Left, ", refusing {a}".to_owned()));
}

/// `a.tau.b` and `a.b`: Milner's first law.
#[test]
fn an_inert_step() {
    check(&[(0, "a", 1), (1, "tau", 2), (2, "b", 3)], &[(0, "a", 1), (1, "b", 2)], [&WEAK, &WEAK]);
}

/// `tau.a + tau.b` and `a + b`: internal and external choice.
#[test]
fn internal_and_external_choice() {
    let internal = [(0, "tau", 1), (0, "tau", 2), (1, "a", 3), (2, "b", 3)];
    let external = [(0, "a", 1), (0, "b", 1)];
    let [simulates, ready, traces, failures] = WEAK;
    check(&internal, &external, [&[simulates, ready, traces], &[simulates, traces, failures]]);
    assert_eq!(told(&internal, &external, failures), (Side::Left, ", refusing {b}".to_owned()));
}

/// `b + tau.c` and `b + c`: a step that takes a choice away.
#[test]
fn a_choice_taken_away() {
    let left = [(0, "b", 1), (0, "tau", 2), (2, "c", 3)];
    let [simulates, ready, traces, failures] = WEAK;
    let holding: [&[&str]; 2] = [&[simulates, ready, traces], &[simulates, traces, failures]];
    check(&left, &[(0, "b", 1), (0, "c", 2)], holding);
}

/// An internal loop and `0`: weak preorders do not see divergence.
#[test]
fn divergence() {
    let left = [&[SIMULATES][..], &WEAK].concat();
    let right = [&[TRACES][..], &WEAK].concat();
    check(&[(0, "tau", 0)], &[], [&left, &right]);
}

/// A vending machine that lets you choose, one that does not, and one that may keep the coin.
#[test]
fn vending_machines() {
    let fair = [(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)];
    let unfair = [(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 0)];
    check_visible(&fair, &unfair, [&[SIMULATES, TRACES, FAILURES], &[TRACES]]);
    let greedy = [&fair[..], &[(0, "coin", 2)]].concat();
    check_visible(&fair, &greedy, [&[SIMULATES, TRACES, FAILURES], &[SIMULATES, READY, TRACES]]);
}

/// A buffer for one thing and a buffer for two.
#[test]
fn buffers() {
    let one = [(0, "in", 1), (1, "out", 0)];
    let two = [(0, "in", 1), (1, "out", 0), (1, "in", 2), (2, "out", 1)];
    check_visible(&one, &two, [&[TRACES], &[SIMULATES]]);
    assert_eq!(told(&two, &one, TRACES), (Side::Left, "in, then in".to_owned()));
    assert_eq!(told(&one, &two, FAILURES), (Side::Left, "in, refusing {in}".to_owned()));
    assert_eq!(told(&one, &two, SIMULATES), (Side::Right, "<in><in>true".to_owned()));
}
