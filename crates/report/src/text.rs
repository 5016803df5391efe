//! Results for people to read.

mod check;
mod conform;
mod size;

use std::fmt::Write as _;

use crate::style::Ink;
use crate::{Colour, Detail, Input, ModelReport, Run, Space, Statistics, Style, diagnostics};

pub use check::check;
pub use conform::conform;
pub use size::size;

/// Why the input is bad, with the source underlined; empty when it is good.
pub fn errors(run: &Run, style: Style) -> String {
    match run.input {
        Input::Good => String::new(),
        Input::Bad => diagnostics::render_findings(&run.findings, style),
    }
}

/// What is worth knowing about a good input, after a blank line.
fn warnings(run: &Run, style: Style) -> String {
    match run.input {
        Input::Bad => String::new(),
        Input::Good => match diagnostics::render_findings(&run.findings, style) {
            shown if shown.is_empty() || style.detail == Detail::Quiet => shown,
            shown => format!("\n{shown}"),
        },
    }
}

/// `file: protocol P, 2 agents, ...`
fn heading(run: &Run, model: &ModelReport, colour: Colour) -> String {
    let agents = number(model.agents as u64, "agent", "agents");
    let mut line = format!("{}: {}, {agents}", colour.paint(Ink::Bold, &run.file), model.name);
    let _ = match &model.space {
        Space::NotExplored => write!(line, ", states not counted"),
        Space::Part { states, transitions, .. } => write!(
            line,
            ", at least {} and {}",
            number(*states, "state", "states"),
            number(*transitions, "transition", "transitions")
        ),
        Space::Whole(counts) => write!(
            line,
            ", {}, {}, {}",
            number(counts.states, "state", "states"),
            number(counts.transitions, "transition", "transitions"),
            number(counts.deadlocks, "deadlock", "deadlocks")
        ),
    };
    line.push('\n');
    line
}

/// Time and memory, if they are wanted.
fn statistics(run: &Run, model: Option<&ModelReport>, style: Style) -> String {
    if style.statistics == Statistics::Hidden {
        return String::new();
    }
    let mut rows = Vec::new();
    if let Some(counts) = model.and_then(ModelReport::counts) {
        rows.push(("initial states", counts.initial.to_string()));
        rows.push(("diameter", counts.diameter.to_string()));
        rows.push(("state space", bytes(counts.bytes)));
    }
    rows.extend(run.phases.iter().map(|phase| (phase.name, seconds(phase.seconds))));
    rows.push(("time in all", seconds(run.seconds)));
    if let Some(peak) = run.peak_memory_bytes {
        rows.push(("peak memory", bytes(peak)));
    }
    format!("\n{}", table(&rows))
}

/// Two columns, the first as wide as its widest entry.
fn table(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "  {name:width$}  {value}");
        text
    })
}

/// A count with its noun.
fn number(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3} s")
}

/// A number of bytes in the largest unit that leaves something before the point.
fn bytes(count: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|(_, unit)| count >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", count as f64 / unit as f64),
        None => number(count, "byte", "bytes"),
    }
}
