//! What can happen in a state, whether agents act one at a time or in rounds.

use servanda_engine::{Budget, Progress};
use servanda_model::{
    Cause, CommandId, FaultKind, InitialStates, Layout, Model, MoveError, Mover, StateView, StepFault,
};
use servanda_syntax::Span;

use crate::Change;

/// A transition that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it is labelled with.
    pub label: String,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Where it is written, if it is one command.
    pub span: Option<Span>,
    /// Where it leads.
    pub(crate) target: Vec<u64>,
}

/// What can happen, and what stands in the way of more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) choices: Vec<Choice>,
    pub(crate) trouble: Option<String>,
}

/// Enumerates the transitions of states.
pub(crate) struct Moves<'m> {
    model: &'m Model,
    mover: Mover<'m>,
}

impl<'m> Moves<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Moves { model, mover: Mover::new(model) }
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.mover.layout()
    }

    pub(crate) fn initial_states(&self) -> InitialStates<'m> {
        self.mover.initial_states()
    }

    pub(crate) fn view(&self, state: &[u64]) -> StateView {
        StateView::new(self.model, self.layout(), state)
    }

    /// The transitions of a state; two that have the same label and the same target are one.
    pub(crate) fn options(&mut self, state: &[u64], budget: &dyn Budget) -> Options {
        let (found, trouble) = self.all(state, budget);
        let before = self.view(state);
        let mut choices: Vec<Choice> = Vec::new();
        for (label, span, target) in found {
            if choices.iter().all(|known| known.label != label || known.target != target) {
                let changes = Change::between(&before, &self.view(&target));
                choices.push(Choice { label, changes, span, target });
            }
        }
        Options { choices, trouble }
    }

    /// The moves of a state with what stands in the way of more.
    fn all(&mut self, state: &[u64], budget: &dyn Budget) -> (Vec<Found>, Option<String>) {
        let model = self.model;
        let found = |cause: Cause<'_>, target: &[u64]| {
            let span = cause.command().map(|command| model.command(command).span);
            (model.show_cause(cause), span, target.to_vec())
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
        let trouble = match self.mover.try_for_each(state, &mut go_on, visit, |_| lost += 1) {
            Ok(()) if lost > 0 => {
                "some moves are lost: a value does not exist or lies outside its variable's range".to_owned()
            }
            Ok(()) => return (moves, None),
            Err(MoveError::Stopped(reason)) => reason,
            Err(MoveError::Fault(fault)) => {
                // The others can be taken all the same.
                moves.clear();
                let visit = |cause: Cause<'_>, target: &[u64]| moves.push(found(cause, target));
                let _ = self.mover.try_for_each_possible(state, go_on, visit);
                words(model, &fault)
            }
        };
        (moves, Some(trouble))
    }
}

/// Rounds have as many moves as there are combinations of what the agents may do. More than these nobody reads.
const MOST_MOVES: usize = 1000;

/// A label, where it is written, and where it leads.
type Found = (String, Option<Span>, Vec<u64>);

fn words(model: &Model, fault: &StepFault) -> String {
    let label = |command: CommandId| model.show_label(model.command(command).label);
    match fault {
        StepFault::OutOfRange { command, variable, value } => {
            let variable = model.variable(*variable);
            let (name, domain) = (&variable.name, variable.domain.describe());
            format!(
                "{} cannot be taken: it would set {name} to {value}, which is not in {domain}",
                label(*command)
            )
        }
        StepFault::NoValue { command, kind } => {
            let why = match kind {
                FaultKind::DivisionByZero => "it divides by zero",
                FaultKind::Overflow => "it calculates a number that is too large",
            };
            format!("{} cannot be taken: {why}", label(*command))
        }
    }
}
