//! Nets whose states others have counted, and sums over many variables.

use std::fmt::Write as _;

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_logic::parse_formula;
use servanda_symbolic::Symbolic;

/// A net as a protocol: places with their tokens and bounds, and what each transition takes and gives.
fn net(places: &[(String, usize, usize)], transitions: &[(Vec<String>, Vec<String>)]) -> String {
    let mut text = "protocol Net\nroles N\n".to_owned();
    for (name, tokens, bound) in places {
        let _ = writeln!(text, "var {name} : 0..{bound} = {tokens}");
    }
    text.push_str("start s\n");
    for (at, (takes, gives)) in transitions.iter().enumerate() {
        let guard: Vec<String> = takes.iter().map(|place| format!("{place} > 0")).collect();
        let less = takes.iter().map(|place| format!("{place} = {place} - 1"));
        let more = gives.iter().map(|place| format!("{place} = {place} + 1"));
        let changes: Vec<String> = less.chain(more).collect();
        let _ = writeln!(text, "s -- N: t{at} when {} set {} --> s", guard.join(" & "), changes.join(", "));
    }
    text
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Four cells with so many tokens each (Ciardo and Tilgner).
fn kanban(size: usize) -> String {
    let mut places = Vec::new();
    let mut transitions = Vec::new();
    for cell in 1..=4 {
        for place in ["kan", "m", "back", "out"] {
            places.push((format!("{place}{cell}"), if place == "kan" { size } else { 0 }, size));
        }
        for (from, to) in [("m", "back"), ("back", "m"), ("m", "out")] {
            transitions.push((vec![format!("{from}{cell}")], vec![format!("{to}{cell}")]));
        }
    }
    for (takes, gives) in [
        ("kan1", "m1"),
        ("out1 kan2 kan3", "kan1 m2 m3"),
        ("out2 out3 kan4", "kan2 kan3 m4"),
        ("out4", "kan4"),
    ] {
        transitions.push((words(takes), words(gives)));
    }
    net(&places, &transitions)
}

/// Philosophers who take one fork after the other, in any order.
fn philosophers(size: usize) -> String {
    let mut places = Vec::new();
    let mut transitions = Vec::new();
    for i in 0..size {
        let next = (i + 1) % size;
        for (place, tokens) in
            [("idle", 1), ("waitL", 0), ("waitR", 0), ("hasL", 0), ("hasR", 0), ("fork", 1)]
        {
            places.push((format!("{place}{i}"), tokens, 1));
        }
        transitions.push((words(&format!("idle{i}")), words(&format!("waitL{i} waitR{i}"))));
        transitions.push((words(&format!("waitL{i} fork{i}")), words(&format!("hasL{i}"))));
        transitions.push((words(&format!("waitR{i} fork{next}")), words(&format!("hasR{i}"))));
        let forks = words(&format!("idle{i} fork{i} fork{next}"));
        transitions.push((words(&format!("hasL{i} hasR{i}")), forks));
    }
    net(&places, &transitions)
}

fn assert_counts(text: &str, states: &str, deadlocks: &str, formulas: &[(&str, Verdict)]) {
    let model = servanda_testkit::load(text).model;
    let mut symbolic = Symbolic::new(&model, Options::default(), 1 << 20, &NoLimits).expect("it fits");
    assert_eq!(symbolic.states().to_string(), states);
    assert_eq!(symbolic.deadlocks().to_string(), deadlocks);
    for (formula, expected) in formulas {
        let parsed = parse_formula(formula).expect("a formula");
        assert_eq!(symbolic.decide(&parsed, &NoLimits).expect("a verdict"), *expected, "{formula}");
    }
}

#[test]
fn nets_have_as_many_states_as_are_published() {
    let restarts = [("AG EF kan1 = 1", Verdict::True), ("AG kan2 = kan3", Verdict::True)];
    assert_counts(&kanban(1), "160", "0", &restarts);
    assert_counts(&kanban(3), "58400", "0", &[("AG AF out4 > 0", Verdict::False)]);
    assert_counts(&kanban(10), "1005927208", "0", &[("AG EF kan1 = 10", Verdict::True)]);
    // Variables that are too wide to be one digit.
    assert_counts(&kanban(5).replace("0..5", "0..200"), "2546432", "0", &[("AG EF kan1 = 5", Verdict::True)]);
    let eats = [("AG EF hasL0 = 1", Verdict::False), ("EF (hasL0 = 1 & hasR0 = 1)", Verdict::True)];
    // So many places that they are closed on a stack of their own.
    let states = "496926405783746676393791436882468230898067489522034699520200002";
    assert_counts(&philosophers(100), states, "2", &[]);
    assert_counts(&philosophers(30), "6440026026380244498", "2", &eats);
}

#[test]
fn sums_over_many_variables_are_compared() {
    let cells = 24;
    let total = (0..cells).map(|i| format!("x{i}")).collect::<Vec<_>>().join(" + ");
    let mut text = "protocol Sum\nroles A\n".to_owned();
    for i in 0..cells {
        let _ = writeln!(text, "var x{i} : 0..1 = 0");
    }
    text.push_str("start s\n");
    for i in 0..cells {
        let _ = writeln!(text, "s -- A: up{i} when x{i} = 0 & {total} < 3 set x{i} = 1 --> s");
        let _ = writeln!(text, "s -- A: down{i} when x{i} = 1 & 2 * x{i} + {total} > 3 set x{i} = 0 --> s");
    }
    // At most three cells of 24 are full: 1 + 24 + 276 + 2024. One that is alone stays.
    let least = format!("AG (x0 + x1 = 1 -> AG {total} >= 1)");
    let formulas = [(least.as_str(), Verdict::True), ("AG 3 * x0 - x1 - 2 * x2 <= 3", Verdict::True)];
    assert_counts(&text, "2325", "0", &formulas);
}

/// Processors with a memory each, and one bus to those of the others; declared in an order that a multiplier makes a bad one.
fn shared_memory(size: usize, mix: usize) -> String {
    let mut places = vec![("bus".to_owned(), 1, 1)];
    let mut transitions = Vec::new();
    for i in 0..size {
        for (place, tokens) in [("active", 1), ("queue", 0), ("memory", 1), ("own", 0)] {
            places.push((format!("{place}{i}"), tokens, 1));
        }
        transitions.push((words(&format!("active{i} memory{i}")), words(&format!("own{i}"))));
        transitions.push((words(&format!("own{i}")), words(&format!("active{i} memory{i}"))));
        transitions.push((words(&format!("active{i}")), words(&format!("queue{i}"))));
        for j in (0..size).filter(|j| *j != i) {
            places.push((format!("uses{i}_{j}"), 0, 1));
            transitions.push((words(&format!("queue{i} bus memory{j}")), words(&format!("uses{i}_{j}"))));
            transitions.push((words(&format!("uses{i}_{j}")), words(&format!("active{i} bus memory{j}"))));
        }
    }
    let count = places.len();
    let mixed: Vec<(String, usize, usize)> = (0..count).map(|at| places[at * mix % count].clone()).collect();
    net(&mixed, &transitions)
}

#[test]
fn what_is_declared_first_does_not_matter() {
    // 55 places, which no multiplier has a factor of.
    for mix in [1, 7, 13, 23] {
        let text = shared_memory(6, mix);
        assert_eq!(text.matches("var ").count(), 55);
        let model = servanda_testkit::load(&text).model;
        let symbolic = Symbolic::new(&model, Options::default(), 1 << 20, &NoLimits).expect("it fits");
        let nodes = symbolic.statistics().reachable_nodes;
        assert!(nodes < 6000, "{nodes} nodes where every {mix}th comes next");
    }
}

#[test]
fn sums_that_no_command_changes_are_found() {
    let sums = |text: &str| {
        let model = servanda_testkit::load(text).model;
        let flows = servanda_algebra::flows(&model, &NoLimits).expect("no limit");
        let written = |flow: &servanda_model::Flow| {
            let terms = flow.terms.iter().map(|(term, factor)| {
                let name = &model.variable(term.variable()).name;
                if *factor == 1 { name.clone() } else { format!("{factor} {name}") }
            });
            format!("{} = {}", terms.collect::<Vec<_>>().join(" + "), flow.total)
        };
        let mut written: Vec<String> = flows.iter().map(written).collect();
        written.sort_unstable();
        written
    };
    let cells = [
        "kan1 + m1 + back1 + out1 = 7",
        "kan2 + m2 + back2 + out2 = 7",
        "kan3 + m3 + back3 + out3 = 7",
        "kan4 + m4 + back4 + out4 = 7",
    ];
    let found = sums(&kanban(7));
    assert!(cells.iter().all(|cell| found.contains(&(*cell).to_owned())), "{found:?}");
    let places = [("a".to_owned(), 6, 6), ("b".to_owned(), 1, 9), ("c".to_owned(), 0, 9)];
    let steps = [(words("a a"), words("b")), (words("b"), words("c"))]
        .map(|(takes, gives)| (takes[..1].to_vec(), gives));
    // What takes and gives one of each.
    assert_eq!(sums(&net(&places, &steps)), ["a + b + c = 7"]);
}
