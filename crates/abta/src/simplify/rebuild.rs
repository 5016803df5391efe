//! The reachable part of an automaton in which some states stand for others.

use super::quotient::membership;
use crate::automaton::{Abta, AcceptanceSet, StateId};
use crate::sound::find_components;

/// Keeps what the start reaches when every state is replaced by `stands_for[state]`, and brings components and
/// acceptance sets up to date.
pub(crate) fn rebuild(abta: &Abta, stands_for: &[StateId]) -> Abta {
    let mut new = vec![usize::MAX; abta.states.len()];
    let mut order: Vec<usize> = Vec::new();
    let mut visit = |id: StateId, order: &mut Vec<usize>| {
        let index = stands_for[id.index()].index();
        if new[index] == usize::MAX {
            new[index] = order.len();
            order.push(index);
        }
        StateId::from_index(new[index])
    };
    visit(StateId::from_index(0), &mut order);
    let mut states = Vec::new();
    while states.len() < order.len() {
        let mut state = abta.states[order[states.len()]].clone();
        let mut successors = Vec::new();
        for successor in &state.successors {
            let successor = visit(*successor, &mut order);
            if !successors.contains(&successor) {
                successors.push(successor);
            }
        }
        state.successors = successors;
        states.push(state);
    }
    let mut made = Abta { states, components: Vec::new(), acceptance: Vec::new() };
    find_components(&mut made);
    // A component can only fall apart: each part keeps the sets of the whole.
    for (number, component) in made.components.iter().enumerate() {
        let Some(first) = component.states.iter().find(|id| made.state(**id).kind.is_step()) else {
            continue;
        };
        let was = abta.states[order[first.index()]].component;
        for set in abta.acceptance.iter().filter(|set| set.component.is_some() && set.component == was) {
            let was_in = membership(abta, set);
            let kept = |id: &StateId| was_in[order[id.index()]];
            made.acceptance.push(AcceptanceSet {
                component: Some(number),
                formula: set.formula.clone(),
                states: component.states.iter().copied().filter(kept).collect(),
            });
        }
    }
    made
}
