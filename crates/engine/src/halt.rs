//! Why an engine gives no answer.

use servanda_model::{Expr, FaultKind, Layout, Model, MoveError, Mover, Program, StateView, StepFault};
use servanda_syntax::{Diagnostic, Span};

use crate::Stop;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Halt {
    /// A limit or the user ended the run; what was explored by then (0 where a property was being decided).
    Stopped {
        /// Which limit.
        stop: Stop,
        /// States found.
        states: u64,
        /// Transitions found.
        transitions: u64,
    },
    /// The model does something it must not.
    Fault(Box<RunFault>),
    /// The formula has no meaning in this model.
    Invalid(Vec<Diagnostic>),
    /// The question is beyond this engine, and why.
    TooLarge(String),
    /// This engine does not look for that at all.
    NotOffered,
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Halt::Stopped { stop, .. } => write!(f, "{stop}"),
            Halt::TooLarge(reason) => f.write_str(reason),
            Halt::Fault(fault) => f.write_str(&fault.message),
            Halt::Invalid(diagnostics) => {
                let words: Vec<&str> = diagnostics.iter().map(|one| one.message.as_str()).collect();
                f.write_str(&words.join("; "))
            }
            Halt::NotOffered => f.write_str("no engine that was asked looks for that"),
        }
    }
}

impl Halt {
    /// Why not all moves of a state could be made.
    pub fn of_moves(mover: &Mover<'_>, state: &[u64], error: MoveError<Halt>) -> Self {
        match error {
            MoveError::Fault(fault) => {
                Halt::Fault(Box::new(RunFault::of_step(mover.model(), mover.layout(), state, &fault)))
            }
            MoveError::Stopped(halt) => halt,
        }
    }

    /// Strategies on a model that has fairness constraints.
    pub fn strategies_with_fairness() -> Self {
        Halt::TooLarge("strategies are not defined on models with fairness constraints".to_owned())
    }

    /// Uniform strategies, for the engines that work on sets of states.
    pub fn uniform_strategies() -> Self {
        Halt::TooLarge("uniform strategies are tried by the reference engine only".to_owned())
    }
}

/// A mistake of the model that shows when it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFault {
    /// What is wrong.
    pub message: String,
    /// The transition in the source.
    pub span: Span,
    /// The state in which it happens.
    pub state: StateView,
    /// The label of the transition; empty when a formula is at fault.
    pub transition: String,
}

impl RunFault {
    /// A transition that cannot be made in a state.
    pub fn of_step(model: &Model, layout: &Layout, state: &[u64], fault: &StepFault) -> Self {
        let command = model.command(fault.command());
        RunFault {
            message: fault.reason(model),
            span: command.span,
            state: StateView::new(model, layout, state),
            transition: model.show_label(command.label),
        }
    }

    /// The fault of a formula's proposition in a packed state, where it has no value there.
    pub fn of_condition(model: &Model, layout: &Layout, state: &[u64], condition: &Expr) -> Option<Self> {
        let kind = Program::new(condition, layout).evaluate(state, &mut Vec::new()).err()?;
        Some(RunFault::of_proposition(StateView::new(model, layout, state), kind))
    }

    /// A formula's proposition that has no value in a state.
    pub fn of_proposition(state: StateView, kind: FaultKind) -> Self {
        let message = format!("a proposition has no value: {}", kind.reason());
        RunFault { message, span: Span::default(), state, transition: String::new() }
    }
}
