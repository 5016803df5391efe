//! States with the same behaviour, merged: a bisimulation quotient by refinement of partitions.

use std::collections::HashMap;

use servanda_graph::indistinguishable;

use super::rebuild::rebuild;
use crate::automaton::{Abta, AcceptanceSet, Scope, StateId, StateKind};

/// What distinguishes states at first sight: their kind, whose paths they refer to, and how they are judged.
type Sight<'a> = (&'a StateKind, Option<&'a Scope>, Option<usize>, Vec<bool>);

/// Merges states that cannot be told apart.
pub(crate) fn merge(abta: &Abta) -> Abta {
    let sets: Vec<Vec<bool>> = abta.acceptance.iter().map(|set| membership(abta, set)).collect();
    let sight = |index: usize| -> Sight<'_> {
        let state = &abta.states[index];
        let judged = sets.iter().map(|set| set[index]).collect();
        (&state.kind, state.scope.as_ref(), state.component, judged)
    };
    let mut classes =
        indistinguishable(abta.states.len(), |index, classes| (sight(index), behind(abta, classes, index)));
    join_outsiders(abta, &mut classes);
    let mut first: HashMap<usize, StateId> = HashMap::new();
    for (id, _) in abta.iter() {
        let known = first.entry(classes[id.index()]).or_insert(id);
        // A state inside a component can stand for one outside, not the other way round.
        if abta.state(*known).component.is_none() && abta.state(id).component.is_some() {
            *known = id;
        }
    }
    let stands_for: Vec<StateId> = (0..abta.states.len()).map(|index| first[&classes[index]]).collect();
    rebuild(abta, &stands_for)
}

/// Which states are in an acceptance set.
pub(super) fn membership(abta: &Abta, set: &AcceptanceSet) -> Vec<bool> {
    let mut found = vec![false; abta.states.len()];
    set.states.iter().for_each(|id| found[id.index()] = true);
    found
}

/// The classes that a state leads to.
fn behind(abta: &Abta, classes: &[usize], index: usize) -> Vec<usize> {
    let mut found: Vec<usize> = abta.states[index].successors.iter().map(|id| classes[id.index()]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A state outside of all components is visited at most once, so it does not matter how it is judged: it can join one
/// inside that has the same kind and leads to the same classes.
fn join_outsiders(abta: &Abta, classes: &mut [usize]) {
    let look = |index: usize, classes: &[usize]| {
        let state = &abta.states[index];
        (&state.kind, state.scope.as_ref(), behind(abta, classes, index))
    };
    let mut insiders = HashMap::new();
    for index in 0..abta.states.len() {
        if abta.states[index].component.is_some() {
            insiders.entry(look(index, classes)).or_insert(classes[index]);
        }
    }
    for index in 0..abta.states.len() {
        if abta.states[index].component.is_none()
            && let Some(class) = insiders.get(&look(index, classes))
        {
            let own = classes[index];
            let class = *class;
            classes.iter_mut().filter(|other| **other == own).for_each(|other| *other = class);
        }
    }
}
