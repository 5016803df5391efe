//! What it means for a report that an engine halts.

use std::sync::Arc;

use servanda_engine::{Halt, RunFault};
use servanda_report::{Finding, Run, Space};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

use crate::BDD;

/// What was being asked when the engine halted: the text that spans refer to, and the place of the question in it, for what has no
/// place of its own.
pub(crate) type Asked<'a> = (&'a Arc<SourceFile>, Span);

/// Why nothing was made.
pub enum Refusal {
    /// The input is to blame.
    Invalid(Vec<Finding>),
    /// Nobody is: a limit was reached, for example.
    Undecided(String),
}

impl Refusal {
    /// What it means that work on `source` halts.
    pub(crate) fn new(halt: Halt, source: &Arc<SourceFile>) -> Self {
        let words = halt.to_string();
        match findings(halt, (source, Span::default())) {
            found if found.is_empty() => Refusal::Undecided(words),
            found => Refusal::Invalid(found),
        }
    }
}

/// What only a bad input explains.
fn findings(halt: Halt, asked: Asked<'_>) -> Vec<Finding> {
    match halt {
        Halt::Stopped { .. } | Halt::TooLarge(_) | Halt::NotOffered => Vec::new(),
        Halt::Fault(fault) => vec![fault_finding(&fault, asked)],
        Halt::Invalid(diagnostics) => Finding::all_placed(diagnostics, asked.0),
    }
}

/// Records in the report what only a bad input explains, and says in words why there is no answer.
pub(crate) fn reason(halt: Halt, asked: Asked<'_>, run: &mut Run) -> String {
    let words = halt.to_string();
    let found = findings(halt, asked);
    if !found.is_empty() {
        run.reject(found);
    }
    words
}

/// The space as far as it is known when exploring it halted, and why it did.
pub(crate) fn partial_space(halt: Halt, source: &Arc<SourceFile>, run: &mut Run) -> (Space, String) {
    let reached = match &halt {
        Halt::Stopped { states, transitions, .. } => Some((*states, *transitions)),
        Halt::Fault(_) | Halt::Invalid(_) | Halt::TooLarge(_) | Halt::NotOffered => None,
    };
    let reason = reason(halt, (source, Span::default()), run);
    let space = match reached {
        // Diagrams do not know how many states they stand for before they are complete.
        Some((0, 0)) if run.engine == BDD => Space::Uncounted { reason: reason.clone() },
        Some((states, transitions)) => Space::Part { reason: reason.clone(), states, transitions },
        None => Space::NotExplored,
    };
    (space, reason)
}

/// A fault of a transition is shown where the transition is written; a fault of a formula where the question is, if it
/// is written anywhere.
fn fault_finding(fault: &RunFault, asked: Asked<'_>) -> Finding {
    let error = |span| Diagnostic::error(Code::RunTimeFault, fault.message.clone(), span);
    match fault.transition.as_str() {
        "" => {
            let error = error(asked.1).at_span(format!("in the state: {}", fault.state));
            Finding::placed_if_written(error, asked.0)
        }
        transition => {
            let way = format!("done by {transition} in the state: {}", fault.state);
            Finding::placed(error(fault.span).at_span(way), asked.0)
        }
    }
}
