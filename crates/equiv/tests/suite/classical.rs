//! The examples of the textbooks.

use servanda_equiv::{Relation, Side};

use crate::systems::{answer, equivalent, system};

/// For each relation whether the systems are equivalent: strong, branching, weak, trace, simulation.
#[track_caller]
fn check(left: &[(u32, &str, u32)], right: &[(u32, &str, u32)], expected: [bool; 5]) {
    let (left, right) = (system(left), system(right));
    for (relation, expected) in Relation::ALL.into_iter().zip(expected) {
        assert_eq!(equivalent(&left, &right, relation), expected, "{relation:?}");
        assert_eq!(equivalent(&right, &left, relation), expected, "{relation:?}, turned round");
    }
}

/// `a.b + a.c` and `a.(b + c)`: the choice is made too early.
#[test]
fn early_and_late_choice() {
    let early = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)];
    let late = [(0, "a", 1), (1, "b", 2), (1, "c", 3)];
    check(&early, &late, [false, false, false, true, false]);
    let (early, late) = (system(&early), system(&late));
    let told = |relation| {
        let difference = answer(&early, &late, relation).unwrap();
        (difference.side, difference.to_string())
    };
    assert_eq!(told(Relation::Strong), (Side::Left, "<a>[c]false".to_owned()));
    assert_eq!(told(Relation::Weak), (Side::Left, "<<a>>[[b]]false".to_owned()));
    assert_eq!(told(Relation::Branching), (Side::Left, "<tau* a>!<tau* c>true".to_owned()));
    // Late can do what early does, but not the other way round.
    assert_eq!(told(Relation::Simulation), (Side::Right, "<a>(<b>true & <c>true)".to_owned()));
}

/// `a.b + a` and `a.b` simulate each other and are not bisimilar.
#[test]
fn simulation_is_weaker_than_bisimilarity() {
    let left = [(0, "a", 1), (0, "a", 2), (1, "b", 3)];
    check(&left, &[(0, "a", 1), (1, "b", 2)], [false, false, false, true, true]);
}

/// `a.tau.b = a.b`, the first law of internal steps.
#[test]
fn an_inert_step() {
    check(
        &[(0, "a", 1), (1, "tau", 2), (2, "b", 3)],
        &[(0, "a", 1), (1, "b", 2)],
        [false, true, true, true, false],
    );
}

/// `a + tau.a = tau.a`, the second law.
#[test]
fn the_second_law() {
    let left = [(0, "a", 1), (0, "tau", 2), (2, "a", 3)];
    check(&left, &[(0, "tau", 1), (1, "a", 2)], [false, true, true, true, false]);
}

/// `a.(b + tau.c) + a.c = a.(b + tau.c)`, the third law: it holds for weak and not for branching bisimilarity.
#[test]
fn the_third_law() {
    let right = [(0, "a", 1), (1, "b", 2), (1, "tau", 3), (3, "c", 4)];
    let left = [(0, "a", 1), (1, "b", 2), (1, "tau", 3), (3, "c", 4), (0, "a", 5), (5, "c", 6)];
    check(&left, &right, [false, false, true, true, false]);
    let difference = answer(&system(&left), &system(&right), Relation::Branching).unwrap();
    assert_eq!((difference.side, difference.to_string()), (Side::Left, "<tau* a>!<tau* b>true".to_owned()));
}

/// `b + tau.c` and `b + c`: an internal step may take a choice away.
#[test]
fn a_step_that_is_not_inert() {
    let left = [(0, "b", 1), (0, "tau", 2), (2, "c", 3)];
    check(&left, &[(0, "b", 1), (0, "c", 2)], [false, false, false, true, false]);
    let difference = answer(&system(&left), &system(&[(0, "b", 1), (0, "c", 2)]), Relation::Weak).unwrap();
    assert_eq!((difference.side, difference.to_string()), (Side::Left, "<<>>[[b]]false".to_owned()));
    let difference =
        answer(&system(&left), &system(&[(0, "b", 1), (0, "c", 2)]), Relation::Branching).unwrap();
    assert_eq!((difference.side, difference.to_string()), (Side::Left, "<tau*>!<tau* b>true".to_owned()));
}

/// The relations do not see divergence: a cycle of internal steps is like none.
#[test]
fn divergence_is_not_seen() {
    check(&[(0, "a", 1), (1, "tau", 2), (2, "tau", 1)], &[(0, "a", 1)], [false, true, true, true, false]);
    check(&[(0, "tau", 0)], &[], [false, true, true, true, false]);
}

/// A vending machine that decides what you get when you pay.
#[test]
fn vending_machines() {
    let fair = [(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0)];
    let unfair = [(0, "coin", 1), (0, "coin", 2), (1, "tea", 0), (2, "coffee", 0)];
    check(&fair, &unfair, [false, false, false, true, false]);
    // One that whirrs before it pours.
    let whirring = [(0, "coin", 1), (1, "tau", 2), (2, "tea", 3), (2, "coffee", 3), (3, "tau", 0)];
    check(&fair, &whirring, [false, true, true, true, false]);
    // One that may keep the coin.
    let greedy = [(0, "coin", 1), (1, "tea", 0), (1, "coffee", 0), (0, "coin", 2)];
    check(&fair, &greedy, [false, false, false, true, true]);
}

/// The shortest trace, with internal steps on the way.
#[test]
fn a_shortest_trace() {
    let left = system(&[(0, "a", 1), (1, "tau", 2), (2, "b", 0), (2, "c", 2)]);
    let right = system(&[(0, "a", 1), (1, "b", 0), (1, "c", 2), (2, "c", 2)]);
    let difference = answer(&left, &right, Relation::Trace).unwrap();
    assert_eq!((difference.side, difference.to_string()), (Side::Left, "a, then c, then b".to_owned()));
}

/// Labels are compared by name, not by number.
#[test]
fn labels_of_two_systems() {
    check(&[(0, "a", 1), (1, "b", 0)], &[(1, "b", 0), (0, "a", 1)], [true; 5]);
    check(&[(0, "a", 1)], &[(0, "b", 1)], [false; 5]);
    check(&[], &[(0, "b", 1)], [false; 5]);
}

/// Two states that only the tenth step tells apart need a formula of depth ten and no more.
#[test]
fn formulas_are_not_deeper_than_needed() {
    let ring = |length: u32| -> Vec<(u32, &str, u32)> { (0..length).map(|at| (at, "a", at + 1)).collect() };
    let difference = answer(&system(&ring(9)), &system(&ring(12)), Relation::Strong).unwrap();
    assert_eq!((difference.side, difference.to_string()), (Side::Left, "<a>".repeat(9) + "[a]false"));
}
