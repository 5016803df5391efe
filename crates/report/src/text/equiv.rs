//! A comparison of two systems.

use super::{number, warnings};
use crate::style::Ink;
use crate::{Detail, DifferenceKind, EquivReport, Equivalence, Input, Style, SystemReport};

/// Whether two systems are equivalent, and why not. What makes an input bad is left to [`super::errors`].
pub fn equiv(report: &EquivReport, style: Style) -> String {
    if report.run.input == Input::Bad {
        return String::new();
    }
    let [left, right] = &report.systems;
    let verdict = match &report.outcome {
        Equivalence::Equivalent if style.detail == Detail::Quiet => return String::new(),
        Equivalence::Equivalent => style.colour.paint(Ink::Green, "equivalent"),
        Equivalence::Different(_) => style.colour.paint(Ink::Red, "not equivalent"),
        Equivalence::Undecided(reason) => style.colour.paint(Ink::Yellow, &format!("undecided: {reason}")),
    };
    let mut text = format!(
        "{}, {}: {verdict} ({})\n",
        described(left, style),
        described(right, style),
        report.relation_name
    );
    if let Equivalence::Different(difference) = &report.outcome {
        let (has, lacks) = if difference.in_left { (left, right) } else { (right, left) };
        // The same name twice would say nothing.
        let (has, lacks) = match (has.file == lacks.file, difference.in_left) {
            (false, _) => (has.file.as_str(), lacks.file.as_str()),
            (true, true) => ("the first", "the second"),
            (true, false) => ("the second", "the first"),
        };
        text += &match &difference.kind {
            DifferenceKind::Formula(formula) => {
                format!("  true for {has}, false for {lacks}:\n    {}\n", indented(formula))
            }
            DifferenceKind::Unsimulated(formula) => {
                format!("  {lacks} does not simulate {has}, which can do:\n    {}\n", indented(formula))
            }
            DifferenceKind::Trace(trace) => {
                format!("  {has} can do, and {lacks} cannot:\n    {}\n", trace.join(", then "))
            }
        };
        if let Some(property) = &difference.property {
            text += &format!("  as a formula for `servanda check`:\n    {property}\n");
        }
    }
    text + &warnings(&report.run, style)
}

fn described(system: &SystemReport, style: Style) -> String {
    let file = style.colour.paint(Ink::Bold, &system.file);
    match system.size {
        Some((states, transitions)) => format!(
            "{file} ({}, {})",
            number(states, "state", "states"),
            number(transitions, "transition", "transitions")
        ),
        None => file,
    }
}

/// Further lines as far to the right as the first.
fn indented(text: &str) -> String {
    text.replace('\n', "\n    ")
}
