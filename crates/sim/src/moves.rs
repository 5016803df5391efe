//! What can happen in a state, whether agents act one at a time or in rounds.

use servanda_model::{
    CommandId, FaultKind, InitialStates, Layout, Model, RoundStepper, StateView, StepFault, Stepper,
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

enum Steps<'m> {
    /// One transition at a time.
    Single(Box<Stepper<'m>>),
    /// All agents together.
    Rounds(Box<RoundStepper<'m>>),
}

/// Enumerates the transitions of states.
pub(crate) struct Moves<'m> {
    model: &'m Model,
    layout: Layout,
    steps: Steps<'m>,
}

impl<'m> Moves<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let steps = match model.rounds {
            None => Steps::Single(Box::new(Stepper::new(model))),
            Some(_) => Steps::Rounds(Box::new(RoundStepper::new(model))),
        };
        Moves { model, layout: Layout::new(model), steps }
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn initial_states(&self) -> InitialStates<'m> {
        InitialStates::new(self.model, &self.layout)
    }

    pub(crate) fn view(&self, state: &[u64]) -> StateView {
        StateView::new(self.model, &self.layout, state)
    }

    /// The transitions of a state; two that have the same label and the same target are one.
    pub(crate) fn options(&mut self, state: &[u64]) -> Options {
        let mut found: Vec<(String, Option<Span>, Vec<u64>)> = Vec::new();
        let trouble = match &mut self.steps {
            Steps::Single(stepper) => single_steps(self.model, stepper, state, &mut found),
            Steps::Rounds(stepper) => rounds(self.model, stepper, state, &mut found),
        };
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
}

/// Rounds have as many moves as there are combinations of what the agents may do. More than these nobody reads.
const MOST_MOVES: usize = 1000;

type Found = Vec<(String, Option<Span>, Vec<u64>)>;

fn single_steps(
    model: &Model,
    stepper: &mut Stepper<'_>,
    state: &[u64],
    found: &mut Found,
) -> Option<String> {
    let choice = |command: CommandId, target: &[u64]| {
        let command = model.command(command);
        (model.show_label(command.label), Some(command.span), target.to_vec())
    };
    let Err(fault) = stepper.for_each_successor(state, |command, target| found.push(choice(command, target)))
    else {
        return None;
    };
    // The others can be taken all the same.
    found.clear();
    stepper.for_each_possible_successor(state, |command, target| found.push(choice(command, target)));
    Some(words(model, &fault))
}

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

fn rounds(model: &Model, stepper: &mut RoundStepper<'_>, state: &[u64], found: &mut Found) -> Option<String> {
    let mut lost = 0;
    let visit = |joint: &[usize], target: &[u64]| {
        found.push((model.show_joint_action(joint), None, target.to_vec()));
    };
    let mut asked = 0;
    let go_on = || {
        asked += 1;
        if asked > 2 * MOST_MOVES { Err(()) } else { Ok(()) }
    };
    if stepper.try_for_each_successor(state, go_on, visit, |_| lost += 1).is_err() {
        return Some(format!(
            "there are more moves than the first {MOST_MOVES}, which are the ones to choose from"
        ));
    }
    (lost > 0).then(|| {
        "some moves are lost: a value does not exist or lies outside its variable's range".to_owned()
    })
}
