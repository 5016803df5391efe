//! Constants, and states with one successor and no step.

use super::rebuild::rebuild;
use crate::automaton::{Abta, State, StateId, StateKind};

/// Replaces what is always or never accepted by a constant, and skips states that only pass on.
pub(crate) fn propagate(abta: &Abta) -> Abta {
    let mut abta = abta.clone();
    let mut values: Vec<Option<bool>> = vec![None; abta.states.len()];
    loop {
        let mut changed = false;
        for index in 0..abta.states.len() {
            if values[index].is_none()
                && let Some(value) = value(&abta.states[index], &values)
            {
                values[index] = Some(value);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (state, value) in abta.states.iter_mut().zip(&values) {
        match value {
            Some(value) => {
                state.kind = StateKind::constant(*value);
                state.successors.clear();
                state.rule = None;
            }
            // Neutral successors: `true` under `and`, `false` under `or`.
            None if matches!(state.kind, StateKind::And | StateKind::Or) => {
                state.successors.retain(|id| values[id.index()].is_none());
            }
            None => {}
        }
    }
    let stands_for: Vec<StateId> = (0..abta.states.len()).map(|index| passed_on(&abta, index)).collect();
    rebuild(&abta, &stands_for)
}

/// The value of a state, if those of its successors settle it.
fn value(state: &State, values: &[Option<bool>]) -> Option<bool> {
    let all = |value: bool| state.successors.iter().all(|id| values[id.index()] == Some(value));
    let any = |value: bool| state.successors.iter().any(|id| values[id.index()] == Some(value));
    match &state.kind {
        StateKind::True => Some(true),
        StateKind::False => Some(false),
        StateKind::And if any(false) => Some(false),
        StateKind::And if all(true) => Some(true),
        StateKind::Or if any(true) => Some(true),
        StateKind::Or if all(false) => Some(false),
        StateKind::StepExists(_) if all(false) => Some(false),
        StateKind::StepForAll(_) if all(true) => Some(true),
        // Every state of a model has a transition, if only its implicit loop; but it need not be an accessible one.
        StateKind::StepExists(actions) if actions.is_empty() && state.scope.is_none() && all(true) => {
            Some(true)
        }
        StateKind::StepForAll(actions) if actions.is_empty() && state.scope.is_none() && all(false) => {
            Some(false)
        }
        _ => None,
    }
}

/// The state that a chain of states with one successor and no step ends in.
fn passed_on(abta: &Abta, index: usize) -> StateId {
    let mut id = StateId::from_index(index);
    // No cycle is without a step; the bound is for automata made by hand.
    for _ in 0..abta.states.len() {
        let state = abta.state(id);
        match (&state.kind, state.successors.as_slice()) {
            // The first state of a scope marks where the run enters it; the states inside take it from there.
            (StateKind::And | StateKind::Or, [only]) => id = *only,
            _ => break,
        }
    }
    id
}
