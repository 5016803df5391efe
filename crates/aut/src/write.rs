//! From a transition system to text.

use std::fmt::Write as _;

use servanda_lts::{Action, Edge, Lts};

use crate::read::is_internal;

/// The text of a system. Internal steps are written `i`, all other labels stand in quotation marks. The
/// transitions of a state are sorted by label and target.
///
/// # Errors
///
/// When reading the text would not give the same system: a visible label is called like an internal one, or goes over
/// several lines.
pub fn write(lts: &Lts) -> Result<String, String> {
    let labels = lts.labels().all().map(|action| written_label(lts, action));
    let labels: Vec<Result<String, String>> = labels.collect();
    let rank = lts.labels().ranks();
    let mut row: Vec<Edge> = Vec::new();
    let mut text = format!("des ({}, {}, {})\n", lts.initial().0, lts.transitions(), lts.states());
    for state in lts.all_states() {
        row.clear();
        row.extend(lts.edges(state));
        row.sort_unstable_by_key(|edge| (rank[edge.action.0 as usize], edge.target));
        for edge in &row {
            let label = labels[edge.action.0 as usize].as_ref().map_err(Clone::clone)?;
            let _ = writeln!(text, "({}, {label}, {})", state.0, edge.target.0);
        }
    }
    Ok(text)
}

fn written_label(lts: &Lts, action: Action) -> Result<String, String> {
    let name = lts.labels().name(action);
    // It would be read as another one.
    let unwritable = |reason: &str| Err(format!("the label {name:?} {reason}"));
    if action.is_internal() {
        Ok("i".to_owned())
    } else if is_internal(name) {
        unwritable("would be read as an internal one")
    } else if name.contains(['\n', '\r']) {
        unwritable("goes over several lines")
    } else {
        Ok(format!("\"{name}\""))
    }
}
