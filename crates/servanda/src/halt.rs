//! What it means for a report that an engine halts.

use std::sync::Arc;

use servanda_engine::{Halt, NoLimits, RunFault};
use servanda_model::{Deadlock, Layout, Model, StateView};
use servanda_report::{Finding, Run, Space};
use servanda_space::Space as StateSpace;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

use crate::{BDD, Loaded};

/// What was being asked when the engine halted: of which model, the text that spans refer to, and the place of the question in it, for
/// what has no place of its own.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) model: Option<&'a Model>,
    pub(crate) source: &'a Arc<SourceFile>,
    pub(crate) span: Span,
}

/// A run that leads to a fault is looked for in as many states.
const MOST_STATES_TO_FAULT: usize = 300_000;

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
        match findings(halt, Asked { model: None, source, span: Span::default() }) {
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
        Halt::Invalid(diagnostics) => {
            let placed = |diagnostic| Finding::placed_if_written(diagnostic, asked.source);
            diagnostics.into_iter().map(placed).collect()
        }
    }
}

/// Records in the report what only a bad input explains, and says in words why there is no answer.
pub(crate) fn reason(halt: Halt, asked: Asked<'_>, run: &mut Run) -> String {
    let words = halt.to_string();
    let mut found = findings(halt, asked);
    if !found.is_empty() {
        // Every property meets the fault of a transition; it is one fault.
        found.retain(|new| run.findings.iter().all(|known| known.diagnostic != new.diagnostic));
        run.reject(found);
    }
    words
}

/// The space as far as it is known when exploring it halted, and why it did.
pub(crate) fn partial_space(halt: Halt, loaded: &Loaded, run: &mut Run) -> (Space, String) {
    let reached = match &halt {
        Halt::Stopped { states, transitions, .. } => Some((*states, *transitions)),
        Halt::Fault(_) | Halt::Invalid(_) | Halt::TooLarge(_) | Halt::NotOffered => None,
    };
    let asked = Asked { model: Some(loaded.model()), source: &loaded.source, span: Span::default() };
    let reason = reason(halt, asked, run);
    let space = match reached {
        // Diagrams do not know how many states they stand for before they are complete.
        Some((0, 0)) if run.engine == BDD => Space::Uncounted { reason: reason.clone() },
        Some((states, transitions)) => Space::Part { reason: reason.clone(), states, transitions },
        None => Space::NotExplored,
    };
    (space, reason)
}

/// A fault of a transition is shown where the transition is written; a fault of a formula where the question is, if it
/// is written anywhere. With it comes a run that leads there.
fn fault_finding(fault: &RunFault, asked: Asked<'_>) -> Finding {
    let error = |span| Diagnostic::error(Code::RunTimeFault, fault.message.clone(), span);
    let run =
        asked.model.and_then(|model| run_to(model, &fault.state)).map(|labels| match labels.as_slice() {
            [] => "this state is initial".to_owned(),
            labels => format!("a run that leads there: {}", labels.join("; ")),
        });
    let (error, placed): (_, fn(Diagnostic, &Arc<SourceFile>) -> Finding) = match fault.transition.as_str() {
        "" => {
            (error(asked.span).at_span(format!("in the state: {}", fault.state)), Finding::placed_if_written)
        }
        transition => {
            let way = format!("done by {transition} in the state: {}", fault.state);
            (error(fault.span).at_span(way), Finding::placed)
        }
    };
    placed(
        match run {
            Some(run) => error.help(run),
            None => error,
        },
        asked.source,
    )
}

/// The labels of a shortest run to a state, if one is found among the nearest states.
fn run_to(model: &Model, state: &StateView) -> Option<Vec<String>> {
    let mut space = StateSpace::new(model, Deadlock::Loop, &NoLimits).ok()?;
    let layout = Layout::new(model);
    let is_wanted = |packed: &[u64]| StateView::new(model, &layout, packed) == *state;
    let mut next = 0;
    while next < space.len() && space.len() < MOST_STATES_TO_FAULT {
        let number = u32::try_from(next).ok()?;
        if is_wanted(space.state(number)) {
            return Some(space.ways().path_to(&space, number));
        }
        // Other faults may be nearer; what lies behind them is no way to this one.
        let _ = space.expand(number, &NoLimits);
        next += 1;
    }
    None
}
