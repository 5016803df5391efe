//! Systems on which careless code takes for ever or runs out of stack.

use servanda_engine::NoLimits;
use servanda_equiv::{Order, Preorder, Relation, Steps, minimise};
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

fn preorder(order: Order, steps: Steps) -> Preorder {
    Preorder { order, steps }
}

/// After `n` labels one side may be in any of `2^n` sets of states, all of which follow from the smallest.
#[test]
fn many_sets() {
    let mut labels = Labels::new();
    let [a, b, c] = ["a", "b", "c"].map(|label| labels.number(label));
    let mut loops = vec![(State(0), a, State(0)), (State(0), b, State(0))];
    let small = Lts::new(1, State(0), loops.clone(), labels.clone());
    loops.push((State(0), a, State(1)));
    for at in 1..60 {
        loops.extend([(State(at), a, State(at + 1)), (State(at), b, State(at + 1))]);
    }
    loops.push((State(60), c, State(0)));
    let large = Lts::new(61, State(0), loops, labels);
    for steps in [Steps::Strong, Steps::Weak] {
        assert!(equivalent(&small, &large, preorder(Order::TracesWithin, steps)));
        assert!(equivalent(&small, &large, preorder(Order::FailuresWithin, steps)));
        let difference = answer(&large, &small, preorder(Order::TracesWithin, steps)).unwrap().to_string();
        assert_eq!(difference.split(", then ").count(), 61, "{difference}");
    }
}

/// Many states share many successors: what has to be answered is counted once for all of them.
#[test]
fn shared_successors() {
    let mut labels = Labels::new();
    let [a, b, c] = ["a", "b", "c"].map(|label| labels.number(label));
    let system = |length: u32| {
        let mut transitions = Vec::new();
        for source in 0..100 {
            transitions.push((State(source), b, State(source + 1)));
            transitions.extend((0..200).map(|at| (State(source), a, State(200 + at))));
        }
        // All successors differ.
        transitions.extend((0..length).map(|at| (State(200 + at), c, State(201 + at))));
        Lts::new(500, State(0), transitions, labels.clone())
    };
    let (shorter, longer) = (system(200), system(201));
    for steps in [Steps::Strong, Steps::Weak] {
        assert!(equivalent(&longer, &shorter, preorder(Order::Simulates, steps)));
        assert!(!equivalent(&shorter, &longer, preorder(Order::Simulates, steps)));
    }
}

/// As deep as the system is long.
#[test]
fn long_chains_one_way() {
    let (one, other) = (chain(3_000, "a"), chain(3_001, "a"));
    for steps in [Steps::Strong, Steps::Weak] {
        for order in [Order::Simulates, Order::ReadySimulates] {
            assert!(answer(&one, &other, preorder(order, steps)).is_some(), "{order:?}");
        }
        assert!(equivalent(&other, &one, preorder(Order::Simulates, steps)));
        let trace = answer(&other, &one, preorder(Order::TracesWithin, steps)).unwrap().to_string();
        assert_eq!(trace.split(", then ").count(), 3_001);
        let failure = answer(&one, &other, preorder(Order::FailuresWithin, steps)).unwrap().to_string();
        assert!(failure.ends_with("a, refusing {a}"), "{steps:?}");
    }
}
