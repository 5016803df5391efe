//! Results for people to read.

mod check;
mod conform;
mod equiv;
mod size;
mod states;
mod sweep;
pub(crate) mod trace;
mod walks;

use std::fmt::Write as _;

use crate::style::Ink;
use crate::{
    Colour, Detail, Input, ModelReport, Run, Savings, Share, SliceReport, Space, Statistics, Style,
    SymmetrySavings, diagnostics,
};

pub use check::{Evidence, begun, check};
pub use conform::conform;
pub use equiv::{duties, equiv};
pub use size::size;
pub use states::states;
pub use sweep::sweep;
pub(crate) use sweep::{parameters, properties};
pub use walks::walks;

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

/// `file: protocol P, 2 agents`: what is known of a model as soon as it is read.
fn title(run: &Run, model: &ModelReport, colour: Colour) -> String {
    let agents = number(model.agents, "agent", "agents");
    format!("{}: {}, {agents}", colour.paint(Ink::Bold, &run.title()), model.name)
}

/// `31 states, 44 transitions, 0 deadlocks`
fn counted(space: &Space) -> String {
    match space {
        Space::NotExplored | Space::NotNeeded | Space::Uncounted { .. } => "states not counted".to_owned(),
        Space::Part { states, transitions, .. } => format!(
            "at least {} and {}",
            number(*states, "state", "states"),
            number(*transitions, "transition", "transitions")
        ),
        Space::Whole(counts) => {
            let mut line = number(&counts.states, "state", "states");
            if let Some(transitions) = &counts.transitions {
                let _ = write!(line, ", {}", number(transitions, "transition", "transitions"));
            }
            let _ = write!(line, ", {}", number(&counts.deadlocks, "deadlock", "deadlocks"));
            line
        }
    }
}

/// Counts, time and memory, if they are wanted.
fn statistics(run: &Run, model: Option<&ModelReport>, style: Style) -> String {
    if style.statistics == Statistics::Hidden {
        return String::new();
    }
    let mut rows = Vec::new();
    if let Some(counts) = model.and_then(ModelReport::counts) {
        rows.extend(counts.initial.map(|count| ("initial states", count.to_string())));
        rows.extend(counts.diameter.map(|count| ("diameter", count.to_string())));
        rows.extend(counts.bytes.map(|count| ("state space", bytes(count))));
    }
    rows.extend(run.choice.iter().map(|choice| ("engine", choice.clone())));
    rows.extend(diagram_rows(run, style.detail));
    rows.extend(solver_rows(run));
    rows.extend(saved_rows(run));
    rows.extend(slice_rows(run));
    rows.extend(worker_rows(run));
    rows.extend(time_rows(run));
    format!("\n{}", table(&rows))
}

/// How decision diagrams fared; the order of the variables for those who want to know more.
fn diagram_rows(run: &Run, detail: Detail) -> Vec<(&'static str, String)> {
    let Some(diagrams) = &run.diagrams else { return Vec::new() };
    let mut rows = vec![
        ("bits per state", diagrams.bits.to_string()),
        ("iterations", diagrams.iterations.to_string()),
        ("nodes of the reachable set", diagrams.reachable_nodes.to_string()),
        ("peak nodes", diagrams.peak_nodes.to_string()),
    ];
    if detail == Detail::Verbose {
        rows.push(("variable order", diagrams.order.join(" ")));
    }
    rows
}

/// How a solver fared, and what decided each property.
fn solver_rows(run: &Run) -> Vec<(&'static str, String)> {
    let Some(solving) = &run.solving else { return Vec::new() };
    let mut rows = vec![
        ("bits per state", solving.bits.to_string()),
        ("gates", solving.gates.to_string()),
        ("solver calls", solving.calls.to_string()),
    ];
    rows.extend(
        solving.decided_by.iter().map(|(name, technique)| ("decided by", format!("{technique} ({name})"))),
    );
    rows
}

/// What each worker has, and how even that is.
fn worker_rows(run: &Run) -> Vec<(&'static str, String)> {
    let Some(spread) = &run.spread else { return Vec::new() };
    let share = |(number, share): (usize, &Share)| {
        ("worker", format!("{}: {} states, {}", number + 1, share.states, bytes(share.bytes)))
    };
    let even = format!("the most states of a worker are {:.3} of the mean", spread.balance());
    spread.workers.iter().enumerate().map(share).chain([("balance", even)]).collect()
}

/// What reductions saved.
fn saved_rows(run: &Run) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(Savings { properties, places, taken, left_out }) = run.savings {
        let made = taken + left_out;
        let searches = if properties == 1 { "search" } else { "searches" };
        let said = format!("{properties} {searches}, {places} places, {left_out} of {made} steps left out");
        rows.push(("partial-order reduction", said));
    }
    if let Some(SymmetrySavings { properties, visited, stand_for }) = &run.symmetry {
        let decided = if *properties == 1 { "property" } else { "properties" };
        let said = format!("{properties} {decided}, {visited} states that stand for {stand_for}");
        rows.push(("symmetry reduction", said));
    }
    rows
}

/// What was left out for which properties.
fn slice_rows(run: &Run) -> Vec<(&'static str, String)> {
    let row = |slice: &SliceReport| {
        let parts = [
            (slice.variables.len(), slice.all_variables, "variables"),
            (slice.commitments, slice.all_commitments, "commitments"),
            (slice.commands, slice.all_commands, "transitions"),
        ];
        let parts = parts.into_iter().filter(|(left_out, ..)| *left_out > 0);
        let parts: Vec<String> =
            parts.map(|(left_out, all, what)| format!("{left_out} of {all} {what}")).collect();
        ("slice", format!("{} left out ({})", parts.join(", "), slice.properties.join(", ")))
    };
    run.slices.iter().map(row).collect()
}

/// Time per phase and in all, and memory.
fn time_rows(run: &Run) -> Vec<(&'static str, String)> {
    let mut rows: Vec<(&'static str, String)> =
        run.phases.iter().map(|phase| (phase.name, seconds(phase.seconds))).collect();
    rows.push(("time in all", seconds(run.seconds)));
    rows.extend(run.peak_memory_bytes.map(|peak| ("peak memory", bytes(peak))));
    rows
}

/// Two columns, the first as wide as its widest entry.
fn table(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("  {name:width$}  {value}\n")).collect()
}

/// A count of any size with its noun.
pub(crate) fn number(count: impl ToString, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
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
