//! The size of a model.

use super::{bytes, diagram_rows, table, time_rows, warnings, worker_rows};
use crate::{CheckReport, Detail, Space, Statistics, Style};

/// The counts as a table. What makes an input bad is left to [`super::errors`].
pub fn size(report: &CheckReport, style: Style) -> String {
    let Some(model) = &report.model else { return String::new() };
    let mut rows = vec![("agents", model.agents.to_string())];
    match &model.space {
        Space::NotExplored | Space::NotNeeded => {}
        Space::Part { reason, states, transitions } => {
            rows.push(("states", format!("at least {states}")));
            rows.push(("transitions", format!("at least {transitions}")));
            rows.push(("stopped", reason.clone()));
        }
        Space::Uncounted { reason } => rows.push(("stopped", reason.clone())),
        Space::Whole(counts) => {
            rows.push(("states", counts.states.to_string()));
            rows.extend(counts.transitions.as_ref().map(|count| ("transitions", count.to_string())));
            rows.push(("deadlocks", counts.deadlocks.to_string()));
            rows.extend(counts.initial.map(|count| ("initial states", count.to_string())));
            rows.extend(counts.diameter.map(|count| ("diameter", count.to_string())));
            rows.extend(counts.bytes.map(|count| ("memory", bytes(count))));
        }
    }
    if style.detail == Detail::Verbose || style.statistics == Statistics::Shown {
        let typed = model.typed_states.map_or_else(|| "more than 2^64".to_owned(), |count| count.to_string());
        rows.push(("type-correct states", typed));
        rows.extend(diagram_rows(&report.run, style.detail));
        rows.extend(worker_rows(&report.run));
        rows.extend(time_rows(&report.run));
    }
    let name = format!("{}: {}\n", report.run.title(), model.name);
    format!("{name}{}{}", table(&rows), warnings(&report.run, style))
}
