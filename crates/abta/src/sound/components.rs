//! The parts of an automaton in which a run can stay for ever: strongly connected components with a cycle.

use servanda_graph::{Components, components};

use crate::automaton::{Abta, Component, Quantifier, StateId, StateKind};

/// Finds the components, those that others lead to first, and enters them in the states.
pub(crate) fn find_components(abta: &mut Abta) {
    let successor = |state: usize, at: usize| abta.states[state].successors.get(at).map(|id| id.index());
    let mut found: Vec<Vec<usize>> = Vec::new();
    let Components { of, order } = components(abta.states.len(), successor);
    for part in order.chunk_by(|a, b| of[*a] == of[*b]) {
        // A state by itself is where a run can stay only if it leads back to itself.
        let states = &abta.states[part[0]].successors;
        if part.len() > 1 || states.iter().any(|id| id.index() == part[0]) {
            found.push(part.to_vec());
        }
    }
    abta.components.clear();
    for state in &mut abta.states {
        state.component = None;
    }
    for mut states in found {
        states.sort_unstable();
        let ids: Vec<StateId> = states.iter().map(|index| StateId::from_index(*index)).collect();
        // Cycles go through steps, and all steps of one have the same quantifier.
        let universal = ids.iter().any(|id| matches!(abta.state(*id).kind, StateKind::StepForAll(_)));
        let quantifier = if universal { Quantifier::ForAll } else { Quantifier::Exists };
        for id in &ids {
            abta.states[id.index()].component = Some(abta.components.len());
        }
        abta.components.push(Component { quantifier, states: ids });
    }
}
