//! Conditions on the labels of steps.

use servanda_lower::{Action, Arena};
use servanda_model::CommandId;
use servanda_paths::StepLiteral;
use servanda_space::{Space, Via};

/// Does the label of a step satisfy a condition? The implicit loop has no label.
pub(crate) fn satisfies(space: &Space<'_>, via: Via, condition: &[StepLiteral], arena: &Arena) -> bool {
    condition.iter().all(|(literal, sign)| {
        let holds = match *literal {
            // In a round a pattern is always on somebody's action.
            Action::Does(set) => {
                via != Via::LOOP && !space.model.behaviour.is_rounds() && {
                    let label = space.model.command(CommandId(via.0)).label;
                    arena.labels(set).binary_search(&label).is_ok()
                }
            }
            Action::Acts { agent, action } => space.action(via.0, agent) == Some(action),
        };
        holds == *sign
    })
}
