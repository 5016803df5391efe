//! What can happen in a state, whether agents act one at a time or in rounds.

use servanda_engine::{Budget, Progress};
use servanda_model::{Cause, Change, Model, MoveError, Mover, StateView, StepFault, StepKind};

/// A transition that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it is labelled with.
    pub label: String,
    /// What it changes.
    pub changes: Vec<Change>,
    /// What kind of step it is.
    pub(crate) kind: StepKind,
    /// Where it leads.
    pub(crate) target: Vec<u64>,
}

impl Choice {
    /// What kind of step it is.
    pub fn kind(&self) -> &StepKind {
        &self.kind
    }

    /// Where it leads, packed.
    pub fn target(&self) -> &[u64] {
        &self.target
    }
}

/// What can happen, and what stands in the way of more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) choices: Vec<Choice>,
    pub(crate) trouble: Option<String>,
}

/// The transitions of a state with what stands in the way of more; two that have the same label and the same target are one.
pub(crate) fn options(model: &Model, mover: &mut Mover<'_>, state: &[u64], budget: &dyn Budget) -> Options {
    let (found, trouble) = all(model, mover, state, budget);
    let view = |state: &[u64]| StateView::new(model, mover.layout(), state);
    let before = view(state);
    let mut choices: Vec<Choice> = Vec::new();
    for (label, kind, target) in found {
        if choices.iter().all(|known| known.label != label || known.target != target) {
            let changes = Change::between(&before, &view(&target));
            choices.push(Choice { label, changes, kind, target });
        }
    }
    Options { choices, trouble }
}

fn all(
    model: &Model,
    mover: &mut Mover<'_>,
    state: &[u64],
    budget: &dyn Budget,
) -> (Vec<Found>, Option<String>) {
    let found = |cause: Cause<'_>, target: &[u64]| {
        let kind = match cause {
            Cause::Command(command) => StepKind::Labelled(model.command(command).label),
            Cause::JointAction(joint) => StepKind::Joint(joint.to_vec()),
        };
        (model.show_cause(cause), kind, target.to_vec())
    };
    let (mut moves, mut lost, mut asked) = (Vec::new(), 0, 0);
    let mut go_on = || {
        asked += 1;
        if asked > 2 * MOST_MOVES {
            return Err(format!(
                "there are more moves than the first {MOST_MOVES}, which are the ones to choose from"
            ));
        }
        // A round of many agents takes a while to work out, so it is asked every time.
        budget.progress(Progress::Deciding { nodes: 0 }).map_err(|stop| stop.to_string())
    };
    let visit = |cause: Cause<'_>, target: &[u64]| moves.push(found(cause, target));
    let trouble = match mover.try_for_each(state, &mut go_on, visit, |_| lost += 1) {
        Ok(()) if lost > 0 => {
            "some moves are lost: a value does not exist or lies outside its variable's range".to_owned()
        }
        Ok(()) => return (moves, None),
        Err(MoveError::Stopped(reason)) => reason,
        Err(MoveError::Fault(fault)) => {
            // The others can be taken all the same.
            moves.clear();
            let visit = |cause: Cause<'_>, target: &[u64]| moves.push(found(cause, target));
            let _ = mover.try_for_each_possible(state, go_on, visit);
            words(model, &fault)
        }
    };
    (moves, Some(trouble))
}

/// Rounds have as many moves as there are combinations of what the agents may do. More than these nobody reads.
const MOST_MOVES: usize = 1000;

/// A label, the kind of step, and where it leads.
type Found = (String, StepKind, Vec<u64>);

fn words(model: &Model, fault: &StepFault) -> String {
    let label = model.show_label(model.command(fault.command()).label);
    format!("{label} cannot be taken: {}", fault.reason(model))
}
