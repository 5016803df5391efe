//! Small systems.

use proptest::prelude::*;
use servanda_engine::NoLimits;
use servanda_equiv::{Comparison, Difference, compare};
use servanda_lts::{Labels, Lts, State};

/// A system from its transitions; it begins in state 0.
pub(crate) fn system(transitions: &[(u32, &str, u32)]) -> Lts {
    let states = transitions.iter().map(|(from, _, to)| *from.max(to) + 1).max().unwrap_or(1);
    let mut labels = Labels::new();
    let step = |&(from, label, to): &(u32, &str, u32)| (State(from), labels.number(label), State(to));
    let transitions = transitions.iter().map(step).collect();
    Lts::new(states as usize, State(0), transitions, labels)
}

pub(crate) fn answer(left: &Lts, right: &Lts, relation: impl Into<Comparison>) -> Option<Difference> {
    compare(left, right, relation, &NoLimits).unwrap()
}

pub(crate) fn equivalent(left: &Lts, right: &Lts, relation: impl Into<Comparison>) -> bool {
    answer(left, right, relation).is_none()
}

/// Systems of a few states. Internal steps are as frequent as all others together, so that they matter.
pub(crate) fn any_system() -> impl Strategy<Value = Lts> {
    (1u32..8).prop_flat_map(|states| {
        let label = prop::sample::select(vec!["tau", "a", "tau", "b"]);
        prop::collection::vec((0..states, label, 0..states), 0..14).prop_map(move |transitions| {
            let mut labels = Labels::new();
            let step = |(from, label, to): (u32, &str, u32)| (State(from), labels.number(label), State(to));
            Lts::new(states as usize, State(0), transitions.into_iter().map(step).collect(), labels)
        })
    })
}

/// Two systems that are often alike: the second is the first with a change or two.
pub(crate) fn similar_systems() -> impl Strategy<Value = (Lts, Lts)> {
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..4);
    (any_system(), prop::collection::vec(change, 0..3)).prop_map(|(lts, changes)| {
        let mut labels = lts.labels().clone();
        let mut transitions: Vec<_> = lts
            .all_states()
            .flat_map(|state| lts.edges(state).iter().map(move |edge| (state, edge.action, edge.target)))
            .collect();
        let mut states = lts.states();
        for (one, other, kind) in changes {
            let target = State::from_index(other.index(states));
            match (kind, transitions.is_empty()) {
                (_, true) | (0, _) => {
                    let label = labels.number(["tau", "a", "b"][one.index(3)]);
                    transitions.push((State::from_index(one.index(states)), label, target));
                }
                (1, _) => {
                    transitions.remove(one.index(transitions.len()));
                }
                (2, _) => {
                    let at = one.index(transitions.len());
                    transitions[at].2 = target;
                }
                _ => {
                    // An internal step in the middle of a transition.
                    let at = one.index(transitions.len());
                    let middle = State::from_index(states);
                    states += 1;
                    let (_, action, end) = transitions[at];
                    transitions[at].2 = middle;
                    transitions[at].1 = action;
                    transitions.push((middle, labels.number("tau"), end));
                }
            }
        }
        let other = Lts::new(states, State(0), transitions, labels);
        (lts, other)
    })
}
