//! A comparison of two systems, and of an agent with its protocol.

use super::{number, warnings};
use crate::style::Ink;
use crate::{
    Compared, Detail, DifferenceKind, DifferenceReport, DutiesReport, EquivReport, Input, Status, Style,
    SystemReport, visible,
};

/// Whether two systems are related, and why not. What makes an input bad is left to [`super::errors`].
pub fn equiv(report: &EquivReport, style: Style) -> String {
    let is_silent = style.detail == Detail::Quiet && report.outcome == Compared::Holds;
    if report.run.input == Input::Bad || is_silent {
        return String::new();
    }
    let [left, right] = &report.systems;
    let (ink, _, says) = verdict(&report.outcome, report.verdicts);
    let mut text = format!(
        "{}, {}: {} ({})\n",
        described(left, style),
        described(right, style),
        style.colour.paint(ink, &says),
        report.relation_name
    );
    if let Some(difference) = report.outcome.difference() {
        let (has, lacks) = if difference.in_left { (left, right) } else { (right, left) };
        // The same name twice would say nothing.
        let (has, lacks) = match (has.file == lacks.file, difference.in_left) {
            (false, _) => (visible(&has.file), visible(&lacks.file)),
            (true, true) => ("the first".into(), "the second".into()),
            (true, false) => ("the second".into(), "the first".into()),
        };
        text += &match &difference.kind {
            DifferenceKind::Formula(formula) => {
                format!("  true for {has}, false for {lacks}:\n    {}\n", indented(formula))
            }
            DifferenceKind::Unsimulated(formula) => {
                format!("  {lacks} does not simulate {has}, which can do:\n    {}\n", indented(formula))
            }
            DifferenceKind::Run { trace, refused } => {
                let then = refused.as_ref().map(|refused| format!("refuse {}", refused.join(" and ")));
                let all: Vec<&str> = trace.iter().chain(&then).map(String::as_str).collect();
                format!("  {has} can do, and {lacks} cannot:\n    {}\n", all.join(", then "))
            }
        };
        text += &property(difference);
    }
    text + &warnings(&report.run, style)
}

/// Whether an agent does what a protocol asks of it. What makes an input bad is left to [`super::errors`].
pub fn duties(report: &DutiesReport, style: Style) -> String {
    let status = report.status();
    if status == Status::Invalid || (style.detail == Detail::Quiet && status == Status::Wanted) {
        return String::new();
    }
    let [agent, protocol] = &report.systems;
    let mut text = format!("{} to {}", described(agent, style), described(protocol, style));
    if let Some(role) = &report.role {
        text += &format!(", as {role}");
    }
    text.push('\n');
    let lists = [("its own", report.own.as_deref()), ("hidden", Some(&report.hidden[..]))];
    for (title, labels) in lists {
        let labels = labels.filter(|labels| !labels.is_empty() && style.detail == Detail::Verbose);
        text += &labels.map_or_else(String::new, |labels| format!("  {title}: {}\n", labels.join("; ")));
    }
    for duty in &report.duties {
        let (ink, mark, says) = verdict(&duty.outcome, duty.verdicts);
        let says = style.colour.paint(ink, &says);
        // Where labels have owners, the question is not quite that of the relation.
        let relation = if report.own.is_none() { format!(" ({})", duty.relation) } else { String::new() };
        text += &format!("  {} {says}{relation}\n", style.colour.paint(ink, mark));
        text += &duty.outcome.difference().map_or_else(String::new, |difference| broken(difference, report));
    }
    let agent = visible(&agent.file);
    text += &match status {
        Status::Wanted => format!("\n{agent} conforms\n"),
        Status::Unwanted => format!("\n{agent} does not conform\n"),
        Status::Undecided | Status::Invalid => "\nundecided\n".to_owned(),
    };
    text + &warnings(&report.run, style)
}

/// What an agent does or refuses, and what the protocol says to it.
fn broken(difference: &DifferenceReport, report: &DutiesReport) -> String {
    let DifferenceKind::Run { trace, refused } = &difference.kind else { return String::new() };
    let [agent, protocol] = report.systems.each_ref().map(|system| visible(&system.file));
    let after = |trace: &[String]| match trace {
        [] => "at once".to_owned(),
        trace => format!("after {}", trace.join(", then ")),
    };
    let said = match (refused, trace.split_last()) {
        (Some(refused), _) => {
            let one = if refused.len() == 1 { "it" } else { "one of them" };
            let refused = refused.join(" and ");
            format!(
                "{}, {agent} can refuse {refused}\n      {protocol} always allows for {one} there\n",
                after(trace)
            )
        }
        (None, Some((last, before))) => {
            format!("{}, {agent} can do {last}\n      {protocol} does not allow it there\n", after(before))
        }
        // No trace is shorter than one label.
        (None, None) => String::new(),
    };
    format!("      {said}{}", property(difference))
}

/// The colour, the mark and the words of an outcome.
fn verdict(outcome: &Compared, [holds, fails]: [&str; 2]) -> (Ink, &'static str, String) {
    match outcome {
        Compared::Holds => (Ink::Green, "✓", holds.to_owned()),
        Compared::Different(_) => (Ink::Red, "✗", fails.to_owned()),
        Compared::Undecided(reason) => (Ink::Yellow, "?", format!("undecided: {reason}")),
    }
}

fn property(difference: &DifferenceReport) -> String {
    difference.property.as_ref().map_or_else(String::new, |property| {
        format!("  as a formula for `servanda check`:\n    {property}\n")
    })
}

fn described(system: &SystemReport, style: Style) -> String {
    let file = style.colour.paint(Ink::Bold, &visible(&system.file));
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
