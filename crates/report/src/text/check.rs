//! The verdicts of a file.

use std::fmt::Write as _;

use super::{heading, number, statistics, warnings};
use crate::style::Ink;
use crate::{
    CheckReport, Colour, Detail, Level, Outcome, PropertyReport, Space, Style, Trace, verdicts, visible,
};

/// The verdicts with what is worth knowing about the model. What makes an input bad is left to [`super::errors`].
pub fn check(report: &CheckReport, style: Style) -> String {
    if style.detail == Detail::Quiet {
        return quiet(report, style);
    }
    let mut shown = String::new();
    if let Some(model) = &report.model {
        shown.push_str(&heading(&report.run, model, style.colour));
    }
    let width = report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
    for property in &report.properties {
        let _ = writeln!(shown, "  {}", line(report, property, width, style.colour));
        let telling = property.outcome() == Outcome::Unwanted || style.detail == Detail::Verbose;
        if telling {
            let _ = writeln!(shown, "      {}", style.colour.paint(Ink::Faint, &property.formula));
        }
        shown.push_str(&evidence(property, "      ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown.push_str(&statistics(&report.run, report.model.as_ref(), style));
    if report.model.is_some() {
        let _ = writeln!(shown, "\n{}", summary(report));
    }
    if let Some(next) = &report.next {
        let _ = writeln!(shown, "to see why: {}", visible(next));
    }
    shown
}

/// How far a scenario gets, and what shows the verdict.
fn evidence(property: &PropertyReport, indent: &str, style: Style) -> String {
    let mut shown = String::new();
    for line in verdicts::reached(property) {
        let _ = writeln!(shown, "{indent}{line}");
    }
    let run = property.scenario.as_ref().and_then(|scenario| scenario.reached.as_ref()?.run.as_ref());
    match (&property.trace, run) {
        // Whoever asks for traces sees the run that does not get further.
        (Trace::Nothing(_), Some(run)) => shown.push_str(&super::trace::run(run, indent, style)),
        (trace, _) => shown.push_str(&super::trace::trace(trace, indent, style)),
    }
    shown
}

/// Only what is not as wanted, each line with its file.
fn quiet(report: &CheckReport, style: Style) -> String {
    let mut shown = String::new();
    for property in report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted) {
        let _ = writeln!(shown, "{}: {}", report.run.title(), line(report, property, 0, style.colour));
        shown.push_str(&evidence(property, "    ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown
}

/// Mark, name and verdict.
fn line(report: &CheckReport, property: &PropertyReport, width: usize, colour: Colour) -> String {
    let (mark, ink) = mark(report, property);
    let verdict = colour.paint(ink, &verdicts::words(property));
    let weight = colour.paint(Ink::Faint, &verdicts::weight(property));
    format!("{} {:width$}  {verdict}{weight}", colour.paint(ink, mark), property.name)
}

/// The sign of a verdict.
pub(super) fn mark(report: &CheckReport, property: &PropertyReport) -> (&'static str, Ink) {
    match property.outcome() {
        Outcome::Wanted => ("✓", Ink::Green),
        Outcome::Unwanted if report.demands(property) => ("✗", Ink::Red),
        Outcome::Unwanted => ("!", Ink::Yellow),
        Outcome::Undecided => ("?", Ink::Yellow),
    }
}

/// What verdicts are against what was wanted, in words.
pub(super) const OUTCOMES: [&str; 5] =
    ["as wanted", "not as wanted", "not as wanted (should)", "not as wanted (may)", "undecided"];

/// One of [`OUTCOMES`].
pub(super) fn outcome(report: &CheckReport, property: &PropertyReport) -> &'static str {
    match (property.outcome(), property.level) {
        (Outcome::Wanted, _) => OUTCOMES[0],
        (Outcome::Unwanted, _) if report.demands(property) => OUTCOMES[1],
        (Outcome::Unwanted, Level::Must | Level::Should) => OUTCOMES[2],
        (Outcome::Unwanted, Level::May) => OUTCOMES[3],
        (Outcome::Undecided, _) => OUTCOMES[4],
    }
}

fn summary(report: &CheckReport) -> String {
    let kinds = report.properties.iter().map(|property| outcome(report, property));
    let kinds: Vec<&str> = kinds.collect();
    let count = |words: &str| kinds.iter().filter(|kind| **kind == words).count();
    let parts: Vec<(usize, &str)> =
        OUTCOMES.into_iter().map(|words| (count(words), words)).filter(|(count, _)| *count > 0).collect();
    let all = number(report.properties.len(), "property", "properties");
    let mut line = match parts.as_slice() {
        [] if report.asks_nothing() => "nothing was decided".to_owned(),
        [] => "no properties to check".to_owned(),
        [(1, words)] => format!("{all}, {words}"),
        [(_, words)] => format!("{all}, all {words}"),
        parts => {
            let parts: Vec<String> = parts.iter().map(|(count, words)| format!("{count} {words}")).collect();
            format!("{all}: {}", parts.join(", "))
        }
    };
    if report.forbidden_deadlock {
        line.push_str("; a deadlock was reached");
    }
    // The reason stands with every undecided property; where there is none, it stands here.
    match report.model.as_ref().map(|model| &model.space) {
        Some(Space::Part { reason, .. } | Space::Uncounted { reason }) if report.properties.is_empty() => {
            let _ = write!(line, "; not all states were explored: {reason}");
        }
        Some(Space::Part { .. } | Space::Uncounted { .. }) => line.push_str("; not all states were explored"),
        Some(Space::NotExplored | Space::NotNeeded | Space::Whole(_)) | None => {}
    }
    line
}
