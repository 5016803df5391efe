//! Acceptance sets that say nothing or follow from others.

use super::quotient::membership;
use crate::automaton::{Abta, AcceptanceSet, StateId};

/// Drops sets that every stay in their component meets, and sets that contain another one of it.
///
/// Whoever meets the smaller set again and again meets the larger one too. In a universal component, whoever leaves
/// the larger one behind for good has left the smaller one behind; so there, too, the smaller one decides.
pub(crate) fn minimise(abta: &mut Abta) {
    let steps: Vec<usize> = abta
        .components
        .iter()
        .map(|component| component.states.iter().filter(|id| abta.state(**id).kind.is_step()).count())
        .collect();
    let sets = std::mem::take(&mut abta.acceptance);
    let trivial = |set: &AcceptanceSet| set.component.is_some_and(|number| set.states.len() == steps[number]);
    let members: Vec<Vec<bool>> = sets.iter().map(|set| membership(abta, set)).collect();
    let within = |small: &[StateId], large: usize| small.iter().all(|id| members[large][id.index()]);
    let follows = |index: usize, set: &AcceptanceSet| {
        sets.iter().enumerate().any(|(other_index, other)| {
            other_index != index
                && other.component == set.component
                && within(&other.states, index)
                && (other.states.len() < set.states.len() || other_index < index)
        })
    };
    let kept = sets.iter().enumerate().filter(|(index, set)| !trivial(set) && !follows(*index, set));
    abta.acceptance = kept.map(|(_, set)| set.clone()).collect();
}
