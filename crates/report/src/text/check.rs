//! The verdicts of a file.

use std::fmt::Write as _;

use super::{counted, number, statistics, title, warnings};
use crate::style::Ink;
use crate::{
    CheckReport, Colour, Detail, Level, Outcome, PropertyReport, Space, Style, Trace, verdicts, visible,
};

/// The verdicts with what is worth knowing about the model. What makes an input bad is left to [`super::errors`].
///
/// What is known last stands last: [`begun`] gives the beginning of this text while the rest is not known.
pub fn check(report: &CheckReport, style: Style) -> String {
    if style.detail == Detail::Quiet {
        return quiet(report, style);
    }
    let mut shown = heading(report, style.colour);
    let width = width(report);
    for property in &report.properties {
        shown.push_str(&lines(report, property, width, style));
        shown.push_str(&evidence(property, "      ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown.push_str(&statistics(&report.run, report.model.as_ref(), style));
    if let Some(model) = &report.model {
        let _ = writeln!(shown, "\n{}\n{}", counted(&model.space), summary(report));
    }
    if let Some(next) = &report.next {
        let _ = writeln!(shown, "to see why: {}", visible(next));
    }
    shown
}

/// What [`check`] begins with once all is known of a report from its first property to the one behind `from`, and nothing is yet known
/// of evidence: the part of it from property `from` on, up to the first that is not decided. Says where that is.
pub fn begun(report: &CheckReport, from: usize, evidence: Evidence, style: Style) -> (String, usize) {
    let mut shown = String::new();
    let width = width(report);
    let mut next = from;
    for property in report.properties.iter().skip(from) {
        // How far a scenario gets is known at the end, and so is evidence.
        let waits =
            next > 0 && (evidence == Evidence::ToCome || report.properties[next - 1].scenario.is_some());
        if property.verdict.decided().is_none() || waits {
            break;
        }
        match style.detail {
            Detail::Quiet if property.outcome() == Outcome::Wanted => {}
            Detail::Quiet => shown.push_str(&quiet_line(report, property, style)),
            Detail::Normal | Detail::Verbose => {
                let heading = if next == 0 { heading(report, style.colour) } else { String::new() };
                shown.push_str(&heading);
                shown.push_str(&lines(report, property, width, style));
            }
        }
        next += 1;
    }
    (shown, next)
}

/// What stands behind a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing: nobody asks for it.
    NotAsked,
    /// It is found when all verdicts are known.
    ToCome,
}

/// The line about the model.
fn heading(report: &CheckReport, colour: Colour) -> String {
    report.model.as_ref().map_or_else(String::new, |model| title(&report.run, model, colour) + "\n")
}

/// How wide names are.
fn width(report: &CheckReport) -> usize {
    report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0)
}

/// The verdict of a property, with its formula where that tells something.
fn lines(report: &CheckReport, property: &PropertyReport, width: usize, style: Style) -> String {
    let mut shown = format!("  {}\n", line(report, property, width, style.colour));
    let telling = property.outcome() == Outcome::Unwanted || style.detail == Detail::Verbose;
    if telling {
        let _ = writeln!(shown, "      {}", style.colour.paint(Ink::Faint, &property.formula));
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
        shown.push_str(&quiet_line(report, property, style));
        shown.push_str(&evidence(property, "    ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown
}

fn quiet_line(report: &CheckReport, property: &PropertyReport, style: Style) -> String {
    format!("{}: {}\n", report.run.title(), line(report, property, 0, style.colour))
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
