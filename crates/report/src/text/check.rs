//! The verdicts of a file.

use std::fmt::Write as _;

use super::{heading, number, statistics, warnings};
use crate::style::Ink;
use crate::{CheckReport, Colour, Detail, Outcome, PropertyReport, Space, Style, verdicts};

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
        let _ = writeln!(shown, "  {}", line(property, width, style.colour));
        let telling = property.outcome() == Outcome::Unwanted || style.detail == Detail::Verbose;
        if telling {
            let _ = writeln!(shown, "      {}", style.colour.paint(Ink::Faint, &property.formula));
        }
        shown.push_str(&super::trace::trace(&property.trace, "      ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown.push_str(&statistics(&report.run, report.model.as_ref(), style));
    if report.model.is_some() {
        let _ = writeln!(shown, "\n{}", summary(report));
    }
    shown
}

/// Only what is not as wanted, each line with its file.
fn quiet(report: &CheckReport, style: Style) -> String {
    let mut shown = String::new();
    for property in report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted) {
        let _ = writeln!(shown, "{}: {}", report.run.title(), line(property, 0, style.colour));
        shown.push_str(&super::trace::trace(&property.trace, "    ", style));
    }
    shown.push_str(&warnings(&report.run, style));
    shown
}

/// Mark, name and verdict.
fn line(property: &PropertyReport, width: usize, colour: Colour) -> String {
    let (mark, ink) = match property.outcome() {
        Outcome::Wanted => ("✓", Ink::Green),
        Outcome::Unwanted => ("✗", Ink::Red),
        Outcome::Undecided => ("?", Ink::Yellow),
    };
    let verdict = verdicts::words(property);
    format!("{} {:width$}  {}", colour.paint(ink, mark), property.name, colour.paint(ink, &verdict))
}

fn summary(report: &CheckReport) -> String {
    let count = |outcome| report.properties.iter().filter(|property| property.outcome() == outcome).count();
    let outcomes = [
        (Outcome::Wanted, "as wanted"),
        (Outcome::Unwanted, "not as wanted"),
        (Outcome::Undecided, "undecided"),
    ];
    let parts: Vec<(usize, &str)> = outcomes
        .into_iter()
        .map(|(outcome, words)| (count(outcome), words))
        .filter(|(count, _)| *count > 0)
        .collect();
    let all = number(report.properties.len(), "property", "properties");
    let mut line = match parts.as_slice() {
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
