//! How a model moves: the moves of a state, with what made each.

use std::convert::Infallible;

use servanda_syntax::Span;

use crate::round_stepper::RoundStepper;
use crate::stepper::Stepper;
use crate::{AgentId, Behaviour, CommandId, LabelId, Layout, Model, States, StepFault};

/// What made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause<'a> {
    /// A command.
    Command(CommandId),
    /// A joint action: an action per agent, in order.
    JointAction(&'a [usize]),
}

impl Cause<'_> {
    /// The command, where it was one.
    pub fn command(self) -> Option<CommandId> {
        match self {
            Cause::Command(command) => Some(command),
            Cause::JointAction(_) => None,
        }
    }
}

/// Why the moves of a state were not all made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError<E> {
    /// One of them cannot be made although its guard holds.
    Fault(StepFault),
    /// The caller did not want to go on.
    Stopped(E),
}

/// Enumerates initial states and moves. It has scratch space of its own, so every thread needs one.
pub struct Mover<'m> {
    model: &'m Model,
    layout: Layout,
    stepper: AnyStepper,
}

/// Boxed, since a mover is passed around and each of them is large.
enum AnyStepper {
    Commands(Box<Stepper>),
    Rounds(Box<RoundStepper>),
}

impl<'m> Mover<'m> {
    /// Compiles the behaviour of a model.
    pub fn new(model: &'m Model) -> Self {
        let layout = Layout::new(model);
        let stepper = match &model.behaviour {
            Behaviour::Commands(_) => AnyStepper::Commands(Box::new(Stepper::new(model, &layout))),
            Behaviour::Rounds(programs) => {
                AnyStepper::Rounds(Box::new(RoundStepper::new(model, programs, &layout)))
            }
        };
        Mover { model, layout, stepper }
    }

    /// The model it was made from.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How its states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All initial states.
    pub fn initial_states(&self) -> States<'m> {
        States::initial(self.model, &self.layout)
    }

    /// Calls `visit` with what made it and where it leads for every move of a state: commands machine by machine in the order of
    /// declaration, joint actions with the first agent's changing fastest.
    ///
    /// # Errors
    ///
    /// At the first command that cannot be run although its guard holds. Rounds lose such moves instead.
    pub fn for_each(&mut self, state: &[u64], visit: impl FnMut(Cause<'_>, &[u64])) -> Result<(), StepFault> {
        let go_on = || Ok::<(), Infallible>(());
        self.try_for_each(state, go_on, visit, |_| ()).map_err(|error| match error {
            MoveError::Fault(fault) => fault,
            MoveError::Stopped(never) => match never {},
        })
    }

    /// The same, as long as `go_on` agrees. A state can have as many joint actions as there are combinations of what each agent may
    /// do, which is more than anyone wants to wait for; so it is asked before every one and after every outcome. `lost` is told
    /// the place of every enabled line of a program whose values do not exist or do not fit.
    ///
    /// # Errors
    ///
    /// As [`Mover::for_each`], and when `go_on` does not agree.
    #[inline]
    pub fn try_for_each<E>(
        &mut self,
        state: &[u64],
        go_on: impl FnMut() -> Result<(), E>,
        mut visit: impl FnMut(Cause<'_>, &[u64]),
        lost: impl FnMut(Span),
    ) -> Result<(), MoveError<E>> {
        match &mut self.stepper {
            AnyStepper::Commands(stepper) => stepper
                .for_each_successor(state, |command, next| visit(Cause::Command(command), next))
                .map_err(MoveError::Fault),
            AnyStepper::Rounds(stepper) => stepper
                .for_each_successor(
                    &self.layout,
                    state,
                    go_on,
                    |joint, next| visit(Cause::JointAction(joint), next),
                    lost,
                )
                .map_err(MoveError::Stopped),
        }
    }

    /// As [`Mover::try_for_each`], but a command that cannot be run gives no move: the rule for states that are not reachable
    /// (docs/formulas.md section 6, `--past all`).
    ///
    /// # Errors
    ///
    /// When `go_on` does not agree.
    pub fn try_for_each_possible<E>(
        &mut self,
        state: &[u64],
        go_on: impl FnMut() -> Result<(), E>,
        mut visit: impl FnMut(Cause<'_>, &[u64]),
    ) -> Result<(), E> {
        match &mut self.stepper {
            AnyStepper::Commands(stepper) => {
                stepper
                    .for_each_possible_successor(state, |command, next| visit(Cause::Command(command), next));
                Ok(())
            }
            AnyStepper::Rounds(stepper) => stepper.for_each_successor(
                &self.layout,
                state,
                go_on,
                |joint, next| visit(Cause::JointAction(joint), next),
                |_| (),
            ),
        }
    }

    /// The command with a label that leads from one state to another; of several that do the same the first. `None` also where agents act in
    /// rounds.
    pub fn command_to(&mut self, state: &[u64], label: LabelId, target: &[u64]) -> Option<CommandId> {
        let (model, mut found) = (self.model, None);
        // What was found before another command cannot be run is right all the same.
        let _ = self.for_each(state, |cause, next| {
            if found.is_none() && next == target {
                found = cause.command().filter(|command| model.command(*command).label == label);
            }
        });
        found
    }

    /// The lines by which a joint action leads from one state to another, with their agents; `None` where it does not. Of several that do
    /// the same the first is meant, and where no line is enabled there is none. Does not go through all joint actions of the state.
    pub fn lines_to(
        &mut self,
        state: &[u64],
        joint: &[usize],
        target: &[u64],
    ) -> Option<Vec<(AgentId, Span)>> {
        match &mut self.stepper {
            AnyStepper::Commands(_) => None,
            AnyStepper::Rounds(stepper) => stepper.lines_to(&self.layout, state, joint, target),
        }
    }

    /// How many joint actions a state has, where agents act in rounds and the number fits.
    pub fn joint_actions(&mut self, state: &[u64]) -> Option<usize> {
        match &mut self.stepper {
            AnyStepper::Commands(_) => None,
            AnyStepper::Rounds(stepper) => {
                let permitted = stepper.permitted(&self.layout, state);
                permitted.iter().try_fold(1usize, |all, own| all.checked_mul(own.len()))
            }
        }
    }
}
