//! Random systems: decisions, explanations and smallest systems against the definitions.

use proptest::prelude::*;
use servanda_engine::NoLimits;
use servanda_equiv::{Explanation, Node, Relation, Side, can_do, holds, minimise};
use servanda_lts::{Action, Lts, State, Union};

use crate::naive::{self, Traces, related_pairs, trace_difference};
use crate::systems::{answer, any_system, equivalent, similar_systems};

/// What the crate says of two systems is what the definition says, and what it gives as a reason is one.
fn agrees(left: &Lts, right: &Lts, relation: Relation) -> Result<bool, TestCaseError> {
    let union = Union::new(left, right);
    let (l, r) = (union.left.0, union.right.0);
    let expected = related_pairs(&union.lts, relation)[l as usize][r as usize];
    let Some(difference) = answer(left, right, relation) else {
        prop_assert!(expected, "{relation:?}: said to be equivalent");
        return Ok(true);
    };
    prop_assert!(!expected, "{relation:?}: said to be different: {difference}");
    let (has, lacks) = if difference.side == Side::Left { (l, r) } else { (r, l) };
    match &difference.explanation {
        Explanation::Formula(formula) => {
            prop_assert!(naive::holds(&union.lts, formula, formula.root(), has), "{difference}");
            prop_assert!(!naive::holds(&union.lts, formula, formula.root(), lacks), "{difference}");
            for (state, expected) in [(has, true), (lacks, false)] {
                prop_assert_eq!(holds(&union.lts, formula, State(state), &NoLimits).unwrap(), expected);
            }
            let positive = !formula.nodes().iter().any(|node| matches!(node, Node::Not(_)));
            prop_assert!(positive || relation != Relation::Simulation);
            if relation == Relation::Simulation {
                prop_assert!(!naive::simulated_pairs(&union.lts)[has as usize][lacks as usize]);
            }
        }
        Explanation::Run(run) => {
            prop_assert!(relation == Relation::Trace);
            let shortest = trace_difference(&union.lts, l, r, Traces::Visible);
            prop_assert_eq!(Some(run.trace.len()), shortest, "{}", difference);
            prop_assert!(can_do(&union.lts, run, None, State(has), &NoLimits).unwrap());
            prop_assert!(!can_do(&union.lts, run, None, State(lacks), &NoLimits).unwrap());
        }
    }
    Ok(false)
}

/// Each relation implies the next ones.
fn laws(left: &Lts, right: &Lts) -> Result<(), TestCaseError> {
    let holds = |relation| agrees(left, right, relation);
    let [strong, branching, weak, trace, simulation] = Relation::ALL.map(holds);
    let (strong, branching, weak, trace, simulation) = (strong?, branching?, weak?, trace?, simulation?);
    prop_assert!(!strong || branching);
    prop_assert!(!branching || weak);
    prop_assert!(!weak || trace);
    prop_assert!(!strong || simulation);
    let union = Union::new(left, right);
    let strong_traces = trace_difference(&union.lts, union.left.0, union.right.0, Traces::Strong).is_none();
    prop_assert!(!simulation || strong_traces);
    prop_assert!(!strong_traces || trace);
    Ok(())
}

/// The number of classes among the states that can be reached.
fn classes(lts: &Lts, relation: Relation) -> usize {
    let lts = lts.reachable();
    let related = related_pairs(&lts, relation);
    (0..lts.states()).filter(|s| (0..*s).all(|t| !related[*s][t])).count()
}

fn minimal(lts: &Lts, relation: Relation) -> Result<(), TestCaseError> {
    let small = minimise(lts, relation, &NoLimits).unwrap();
    prop_assert!(agrees(lts, &small, relation)?, "{relation:?}: the smallest system is not equivalent");
    prop_assert_eq!(small.initial(), State(0));
    // Nothing is left to do, and every state is there for something.
    prop_assert_eq!(small.reachable().states(), small.states());
    prop_assert_eq!(classes(&small, relation), small.states(), "{:?}: not smallest", relation);
    if relation != Relation::Simulation && relation != Relation::Trace {
        prop_assert_eq!(classes(lts, relation), small.states(), "{:?}", relation);
    }
    let again = minimise(&small, relation, &NoLimits).unwrap();
    prop_assert_eq!((again.states(), again.transitions()), (small.states(), small.transitions()));
    for state in small.all_states() {
        let internal = |edge: &&servanda_lts::Edge| edge.action.is_internal();
        let mut silent = small.edges(state).iter().filter(internal);
        match relation {
            Relation::Trace => {
                prop_assert!(silent.next().is_none());
                let mut labels: Vec<Action> = small.edges(state).iter().map(|edge| edge.action).collect();
                labels.dedup();
                prop_assert_eq!(labels.len(), small.edges(state).len(), "not deterministic");
            }
            Relation::Branching | Relation::Weak => prop_assert!(silent.all(|edge| edge.target != state)),
            Relation::Strong | Relation::Simulation => {}
        }
    }
    // Without any of its transitions it is another system.
    if relation != Relation::Strong {
        for (state, dropped) in small.all_states().flat_map(|s| small.edges(s).iter().map(move |e| (s, *e))) {
            let keep =
                |s: State| small.edges(s).iter().filter(move |edge| (s, **edge) != (state, dropped)).copied();
            let rows: Vec<Vec<_>> = small.all_states().map(|s| keep(s).collect()).collect();
            let less = Lts::from_rows(small.initial(), rows, small.labels().clone());
            prop_assert!(!equivalent(&small, &less, relation), "{relation:?}: superfluous transition");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strangers(left in any_system(), right in any_system()) {
        laws(&left, &right)?;
    }

    #[test]
    fn relatives((left, right) in similar_systems()) {
        laws(&left, &right)?;
    }

    #[test]
    fn itself(lts in any_system()) {
        for relation in Relation::ALL {
            prop_assert!(equivalent(&lts, &lts, relation));
            prop_assert!(equivalent(&lts, &lts.reachable(), relation));
        }
    }

    #[test]
    fn smallest(lts in any_system()) {
        for relation in Relation::ALL {
            minimal(&lts, relation)?;
        }
    }

    /// Equivalent systems have the same smallest system, up to the names of states.
    #[test]
    fn unique((left, right) in similar_systems()) {
        for relation in Relation::ALL {
            let (left, right) = (
                minimise(&left, relation, &NoLimits).unwrap(),
                minimise(&right, relation, &NoLimits).unwrap(),
            );
            if equivalent(&left, &right, relation) {
                prop_assert_eq!(
                    (left.states(), left.transitions()), (right.states(), right.transitions()), "{:?}", relation
                );
            }
        }
    }
}
