//! Random systems: preorders and conformance against their definitions.

use proptest::prelude::*;
use servanda_engine::NoLimits;
use servanda_equiv::{
    Difference, Duty, Explanation, Node, Order, Preorder, Relation, Side, Steps, can_do, conforms,
};
use servanda_lts::{Action, Labels, Lts, State, Union};

use crate::naive::{self, excess};
use crate::systems::{answer, any_system, equivalent, similar_systems};

/// What the crate says of two systems is what the definition says, and what it gives as a reason is one, as short as can be.
fn agrees(left: &Lts, right: &Lts, preorder: Preorder) -> Result<bool, TestCaseError> {
    let Union { lts, left: l, right: r } = Union::new(left, right);
    let expected = naive::preorder(&lts, l.0, r.0, preorder);
    let Some(difference) = answer(left, right, preorder) else {
        prop_assert!(expected, "{preorder:?}: said to hold");
        return Ok(true);
    };
    prop_assert!(!expected, "{preorder:?}: said not to hold: {difference}");
    let Preorder { order, steps } = preorder;
    let (side, has, lacks) = match order {
        Order::Simulates | Order::ReadySimulates => (Side::Right, r, l),
        Order::TracesWithin | Order::FailuresWithin => (Side::Left, l, r),
    };
    prop_assert_eq!(difference.side, side);
    match &difference.explanation {
        Explanation::Formula(formula) => {
            prop_assert!(matches!(order, Order::Simulates | Order::ReadySimulates));
            prop_assert!(naive::holds(&lts, formula, formula.root(), has.0), "{difference}");
            prop_assert!(!naive::holds(&lts, formula, formula.root(), lacks.0), "{difference}");
            for node in formula.nodes() {
                match node {
                    Node::Not(_) => prop_assert!(order == Order::ReadySimulates, "{difference}"),
                    Node::Step { .. } => prop_assert!(steps == Steps::Strong, "{difference}"),
                    Node::Weak { .. } => prop_assert!(steps == Steps::Weak, "{difference}"),
                    _ => {}
                }
            }
        }
        Explanation::Run(run) => {
            prop_assert_eq!(run.steps, steps);
            let shortest = excess(&lts, l.0, r.0, steps, order);
            prop_assert_eq!(Some(run.trace.len()), shortest, "{:?}: {}", preorder, difference);
            prop_assert!(run.refused.is_none() || order == Order::FailuresWithin);
            prop_assert!(can_do(&lts, run, None, has, &NoLimits).unwrap());
            prop_assert!(!can_do(&lts, run, None, lacks, &NoLimits).unwrap());
            // Nothing is refused without need.
            for left_out in run.refused.iter().flatten() {
                let fewer = run.refused.iter().flatten().filter(|action| *action != left_out).copied();
                let fewer = servanda_equiv::Run { refused: Some(fewer.collect()), ..run.clone() };
                prop_assert!(can_do(&lts, &fewer, None, lacks, &NoLimits).unwrap(), "{difference}");
            }
        }
    }
    Ok(false)
}

fn has_silent_cycles(lts: &Lts) -> bool {
    let silent = |state: usize, at: usize| {
        lts.successors(State::from_index(state), Action::INTERNAL).nth(at).map(State::index)
    };
    let components = servanda_graph::components(lts.states(), silent).of;
    let steps = |state: State| lts.successors(state, Action::INTERNAL).map(move |next| (state, next));
    lts.all_states().flat_map(steps).any(|(one, other)| components[one.index()] == components[other.index()])
}

/// What follows from what.
fn laws(left: &Lts, right: &Lts) -> Result<(), TestCaseError> {
    let order = |order, steps| agrees(left, right, Preorder { order, steps });
    let turned = |order, steps| agrees(right, left, Preorder { order, steps });
    for steps in [Steps::Strong, Steps::Weak] {
        let (simulates, ready) = (order(Order::Simulates, steps)?, order(Order::ReadySimulates, steps)?);
        let (traces, failures) = (turned(Order::TracesWithin, steps)?, turned(Order::FailuresWithin, steps)?);
        prop_assert!(!ready || simulates);
        prop_assert!(!ready || failures);
        prop_assert!(!failures || traces);
        prop_assert!(!simulates || traces);
        let finest = if steps == Steps::Strong { Relation::Strong } else { Relation::Weak };
        prop_assert!(!equivalent(left, right, finest) || (ready && failures));
    }
    let both = |it, steps| Ok::<bool, TestCaseError>(order(it, steps)? && turned(it, steps)?);
    prop_assert_eq!(both(Order::TracesWithin, Steps::Weak)?, equivalent(left, right, Relation::Trace));
    prop_assert_eq!(both(Order::Simulates, Steps::Strong)?, equivalent(left, right, Relation::Simulation));
    prop_assert!(!order(Order::Simulates, Steps::Strong)? || order(Order::Simulates, Steps::Weak)?);
    prop_assert!(!order(Order::TracesWithin, Steps::Strong)? || order(Order::TracesWithin, Steps::Weak)?);
    if !has_silent_cycles(left) && !has_silent_cycles(right) {
        let Union { lts, left, right } = Union::new(left, right);
        let weak = order(Order::FailuresWithin, Steps::Weak)?;
        prop_assert_eq!(weak, naive::stable_failures_within(&lts, left.0, right.0), "not as in CSP");
        prop_assert!(!order(Order::FailuresWithin, Steps::Strong)? || weak);
    }
    Ok(())
}

/// Both duties, with every choice of who owns what.
fn duties(agent: &Lts, protocol: &Lts) -> Result<(), TestCaseError> {
    let union = Union::new(agent, protocol);
    for own in [None, Some(""), Some("a"), Some("b"), Some("ab")] {
        for duty in [Duty::Allowed, Duty::Required] {
            let is_own = |label: &str| own.is_some_and(|own| own.contains(label));
            let named = own.is_some().then_some(&is_own as &dyn Fn(&str) -> bool);
            let by_number = |action: Action| is_own(union.lts.labels().name(action));
            let numbered = own.is_some().then_some(&by_number as &dyn Fn(Action) -> bool);
            let expected = naive::conforms(&union.lts, union.left.0, union.right.0, duty, numbered);
            let found = conforms(agent, protocol, duty, named, &NoLimits).unwrap();
            match found {
                None => prop_assert!(expected, "{own:?} {duty:?}"),
                Some(difference) => {
                    prop_assert!(!expected, "{own:?} {duty:?}: {difference}");
                    prop_assert_eq!(difference.side, Side::Left);
                    blames_rightly(&difference, duty)?;
                }
            }
        }
    }
    // Without owners both duties together are inclusion of failures.
    let both = [Duty::Allowed, Duty::Required]
        .map(|duty| matches!(conforms(agent, protocol, duty, None, &NoLimits), Ok(None)));
    let within = Preorder { order: Order::FailuresWithin, steps: Steps::Weak };
    prop_assert_eq!(both == [true, true], equivalent(agent, protocol, within));
    Ok(())
}

fn blames_rightly(difference: &Difference, duty: Duty) -> Result<(), TestCaseError> {
    let Explanation::Run(run) = &difference.explanation else { panic!("{difference}") };
    prop_assert_eq!(run.steps, Steps::Weak);
    prop_assert_eq!(run.refused.is_some(), duty == Duty::Required, "{}", difference);
    Ok(())
}

/// Larger systems without a naive oracle: antichains against all pairs of sets, made by minimising.
fn larger_system() -> impl Strategy<Value = Lts> {
    prop::collection::vec((0u32..40, prop::sample::select(vec!["tau", "a", "b", "c"]), 0u32..40), 40..90)
        .prop_map(|transitions| {
            let mut labels = Labels::new();
            let step = |(from, label, to): (u32, &str, u32)| (State(from), labels.number(label), State(to));
            Lts::new(40, State(0), transitions.into_iter().map(step).collect(), labels)
        })
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
        for preorder in Preorder::ALL {
            prop_assert!(equivalent(&lts, &lts, preorder));
            prop_assert!(equivalent(&lts, &lts.reachable(), preorder));
        }
        for own in ["", "a", "ab"] {
            for duty in [Duty::Allowed, Duty::Required] {
                let found = conforms(&lts, &lts, duty, Some(&|label| own.contains(label)), &NoLimits);
                prop_assert!(matches!(found, Ok(None)), "{own} {duty:?}");
            }
        }
    }

    #[test]
    fn agents_that_are_strangers(agent in any_system(), protocol in any_system()) {
        duties(&agent, &protocol)?;
    }

    #[test]
    fn agents_that_are_relatives((agent, protocol) in similar_systems()) {
        duties(&agent, &protocol)?;
    }

    /// Two systems have the same traces iff their smallest deterministic systems simulate each other.
    #[test]
    fn larger(left in larger_system(), right in larger_system()) {
        let deterministic = |lts| servanda_equiv::minimise(lts, Relation::Trace, &NoLimits).unwrap();
        let simulates = Preorder { order: Order::Simulates, steps: Steps::Strong };
        let within = Preorder { order: Order::TracesWithin, steps: Steps::Weak };
        prop_assert_eq!(
            equivalent(&left, &right, within),
            equivalent(&deterministic(&right), &deterministic(&left), simulates)
        );
    }
}
