//! The size of a model.

use super::{bytes, seconds, table, warnings};
use crate::{Detail, SizeReport, Space, Style};

/// The counts as a table. What makes an input bad is left to [`super::errors`].
pub fn size(report: &SizeReport, style: Style) -> String {
    let Some(model) = &report.model else { return String::new() };
    let mut rows = vec![("agents", model.agents.to_string())];
    match &model.space {
        Space::NotExplored => {}
        Space::Part { reason, states, transitions } => {
            rows.push(("states", format!("at least {states}")));
            rows.push(("transitions", format!("at least {transitions}")));
            rows.push(("stopped", reason.clone()));
        }
        Space::Whole(counts) => {
            rows.push(("states", counts.states.to_string()));
            rows.push(("transitions", counts.transitions.to_string()));
            rows.push(("deadlocks", counts.deadlocks.to_string()));
            rows.push(("initial states", counts.initial.to_string()));
            rows.push(("diameter", counts.diameter.to_string()));
            rows.push(("memory", bytes(counts.bytes)));
        }
    }
    if style.detail == Detail::Verbose {
        let typed = model.typed_states.map_or_else(|| "more than 2^64".to_owned(), |count| count.to_string());
        rows.push(("type-correct states", typed));
        rows.extend(report.run.phases.iter().map(|phase| (phase.name, seconds(phase.seconds))));
        if let Some(peak) = report.run.peak_memory_bytes {
            rows.push(("peak memory", bytes(peak)));
        }
    }
    let name = format!("{}: {}\n", report.run.file, model.name);
    format!("{name}{}{}", table(&rows), warnings(&report.run, style))
}
