//! Systems on which careless code takes for ever or runs out of stack.

use servanda_engine::NoLimits;
use servanda_equiv::{Relation, minimise};
use servanda_lts::{Action, Labels, Lts, State};

use crate::systems::{answer, equivalent};

fn chain(length: u32, label: &str) -> Lts {
    let mut labels = Labels::new();
    let action = labels.number(label);
    let transitions = (0..length).map(|at| (State(at), action, State(at + 1))).collect();
    Lts::new(length as usize + 1, State(0), transitions, labels)
}

/// One state is split off in every round: with whole rounds this would take hours.
#[test]
fn long_chains() {
    let (one, other) = (chain(50_000, "a"), chain(50_001, "a"));
    assert_eq!(minimise(&one, Relation::Strong, &NoLimits).unwrap().states(), 50_001);
    assert!(equivalent(&one, &one, Relation::Strong));
    assert!(equivalent(&one, &one, Relation::Branching));
    // A formula as deep as the chain is long; it is confirmed and written as definitions.
    let shorter = (chain(2_000, "a"), chain(2_001, "a"));
    for relation in [Relation::Strong, Relation::Branching, Relation::Simulation] {
        let shown = answer(&shorter.0, &shorter.1, relation).unwrap().to_string();
        assert_eq!(shown.lines().count(), 2_002, "{relation:?}");
    }
    // More pairs than simulation looks at first.
    assert!(answer(&chain(10_000, "a"), &chain(10_001, "a"), Relation::Simulation).is_some());
    assert!(equivalent(&chain(10_000, "a"), &chain(10_000, "a"), Relation::Simulation));
    let trace = answer(&one, &other, Relation::Trace).unwrap().to_string();
    assert_eq!(trace.split(", then ").count(), 50_001);
}

#[test]
fn long_silence() {
    let one = chain(100_000, "tau");
    assert_eq!(minimise(&one, Relation::Branching, &NoLimits).unwrap().states(), 1);
    assert_eq!(minimise(&one, Relation::Weak, &NoLimits).unwrap().states(), 1);
    assert_eq!(minimise(&one, Relation::Trace, &NoLimits).unwrap().states(), 1);
    // A cycle, too.
    let mut transitions: Vec<_> =
        (0..100_000).map(|at| (State(at), Action::INTERNAL, State((at + 1) % 100_000))).collect();
    let mut labels = Labels::new();
    transitions.push((State(70_000), labels.number("a"), State(3)));
    let cycle = Lts::new(100_000, State(0), transitions, labels);
    let small = minimise(&cycle, Relation::Branching, &NoLimits).unwrap();
    assert_eq!((small.states(), small.transitions()), (1, 1));
}
