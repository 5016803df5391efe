//! What it means for a report that an engine halts.

use std::sync::Arc;

use servanda_enumerate::{Halt, RunFault};
use servanda_report::{Finding, Run, Space};
use servanda_syntax::{Diagnostic, SourceFile, Span};

/// What was being asked when the engine halted.
pub(crate) struct Asked<'a> {
    /// The text that spans refer to.
    pub(crate) source: &'a Arc<SourceFile>,
    /// The question, for what has no place of its own.
    pub(crate) span: Span,
}

/// Records in the report what only a bad input explains, and says in words why there is no answer.
pub(crate) fn reason(halt: Halt, asked: &Asked<'_>, run: &mut Run) -> String {
    match halt {
        Halt::Stopped { stop, .. } => stop.to_string(),
        Halt::TooLarge(reason) => reason,
        Halt::Fault(fault) => {
            run.reject([Finding::placed(fault_diagnostic(&fault, asked.span), asked.source)]);
            "an error in the input was met".to_owned()
        }
        Halt::Invalid(diagnostics) => {
            run.reject(diagnostics.into_iter().map(|diagnostic| Finding::placed(diagnostic, asked.source)));
            "an error in the input was met".to_owned()
        }
    }
}

/// The space as far as it is known when exploring it halted, and why it did.
pub(crate) fn partial_space(halt: Halt, source: &Arc<SourceFile>, run: &mut Run) -> (Space, String) {
    let reached = match &halt {
        Halt::Stopped { states, transitions, .. } => Some((*states, *transitions)),
        Halt::Fault(_) | Halt::Invalid(_) | Halt::TooLarge(_) => None,
    };
    let reason = reason(halt, &Asked { source, span: Span::default() }, run);
    let space = match reached {
        Some((states, transitions)) => Space::Part { reason: reason.clone(), states, transitions },
        None => Space::NotExplored,
    };
    (space, reason)
}

/// A fault points to the transition that is wrong. A formula that is wrong has no transition; `question` is its place.
fn fault_diagnostic(fault: &RunFault, question: Span) -> Diagnostic {
    let (span, way) = match fault.transition.as_str() {
        "" => (question, format!("in the state: {}", fault.state)),
        transition => (fault.span, format!("done by {transition} in the state: {}", fault.state)),
    };
    Diagnostic::error("run-time-fault", fault.message.clone(), span).at_span(way)
}
