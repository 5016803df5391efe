//! Conditions on the labels of steps.

use servanda_lower::Arena;
use servanda_model::CommandId;
use servanda_space::{Space, Via};

use servanda_paths::{LabelCondition, LabelLiteral};

/// Does the label of a step satisfy a condition? The implicit loop has no label.
pub(crate) fn satisfies(space: &Space<'_>, via: Via, condition: &[LabelCondition], arena: &Arena) -> bool {
    condition.iter().all(|(literal, sign)| {
        let holds = match *literal {
            // In a round a pattern is always on somebody's action.
            LabelLiteral::Does(set) => {
                via != Via::LOOP && !space.model.behaviour.is_rounds() && {
                    let label = space.model.command(CommandId(via.0)).label;
                    arena.labels(set).binary_search(&label).is_ok()
                }
            }
            LabelLiteral::Acts(agent, action) => space.action(via.0, agent) == Some(action),
        };
        holds == *sign
    })
}
