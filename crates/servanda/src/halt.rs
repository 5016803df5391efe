//! What it means for a report that an engine halts.

use std::sync::Arc;

use servanda_engine::{Halt, RunFault};
use servanda_report::{Finding, Run, Space};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

use crate::BDD;

/// What was being asked when the engine halted.
pub(crate) struct Asked<'a> {
    /// The text that spans refer to.
    pub(crate) source: &'a Arc<SourceFile>,
    /// The question, for what has no place of its own.
    pub(crate) span: Span,
}

/// Records in the report what only a bad input explains, and says in words why there is no answer.
pub(crate) fn reason(halt: Halt, asked: &Asked<'_>, run: &mut Run) -> String {
    let words = halt.to_string();
    match halt {
        Halt::Stopped { .. } | Halt::TooLarge(_) | Halt::NotOffered => {}
        Halt::Fault(fault) => run.reject([fault_finding(&fault, asked)]),
        Halt::Invalid(diagnostics) => {
            run.reject(diagnostics.into_iter().map(|diagnostic| Finding::placed(diagnostic, asked.source)));
        }
    }
    words
}

/// The space as far as it is known when exploring it halted, and why it did.
pub(crate) fn partial_space(halt: Halt, source: &Arc<SourceFile>, run: &mut Run) -> (Space, String) {
    let reached = match &halt {
        Halt::Stopped { states, transitions, .. } => Some((*states, *transitions)),
        Halt::Fault(_) | Halt::Invalid(_) | Halt::TooLarge(_) | Halt::NotOffered => None,
    };
    let reason = reason(halt, &Asked { source, span: Span::default() }, run);
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
fn fault_finding(fault: &RunFault, asked: &Asked<'_>) -> Finding {
    let error = |span| Diagnostic::error(Code::RunTimeFault, fault.message.clone(), span);
    match fault.transition.as_str() {
        "" => {
            let error = error(asked.span).at_span(format!("in the state: {}", fault.state));
            let written = asked.span != Span::default();
            if written { Finding::placed(error, asked.source) } else { Finding::general(error) }
        }
        transition => {
            let way = format!("done by {transition} in the state: {}", fault.state);
            Finding::placed(error(fault.span).at_span(way), asked.source)
        }
    }
}
