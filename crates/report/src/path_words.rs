//! Paths in words that several formats share.

use servanda_evidence::Path;
use servanda_model::{Change, StateView};

use crate::text::number;

/// `, 3 steps` or `, 2 steps and then a loop of 1`
pub(crate) fn extent(path: &Path) -> String {
    match path.loop_to {
        None if path.steps.is_empty() => String::new(),
        None => format!(", {}", number(path.steps.len(), "step", "steps")),
        Some(0) => format!(", a loop of {}", number(path.steps.len(), "step", "steps")),
        Some(to) => format!(
            ", {} and then a loop of {}",
            number(to, "step", "steps"),
            number(path.steps.len() - to, "step", "steps")
        ),
    }
}

/// What a state has that the one before it had not.
pub(crate) fn changes(before: &StateView, after: &StateView) -> String {
    let mut all = Change::between(before, after);
    // What is new goes before what is gone.
    all.sort_by_key(|change| matches!(change, Change::Removed(_)));
    let words = all.iter().map(|change| match change {
        Change::Added(promise) => format!("in force now: {promise}"),
        Change::Removed(promise) => format!("no longer in force: {promise}"),
        Change::Location { .. } | Change::Variable { .. } | Change::Channel { .. } => change.now(),
    });
    if all.is_empty() { "(nothing changes)".to_owned() } else { words.collect::<Vec<_>>().join(", ") }
}
