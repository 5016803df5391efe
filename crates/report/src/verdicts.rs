//! What is not as wanted in a check, in words that several formats share.

use servanda_engine::Verdict;
use servanda_syntax::Code;

use crate::{
    CheckReport, Finding, Input, Level, Outcome, PropertyReport, ScenarioReport, Space, Style, text, visible,
};

/// The verdict in one word.
pub(crate) fn word(property: &PropertyReport) -> &'static str {
    match property.verdict.decided() {
        Some(verdict) => truth(property, verdict),
        None => property.verdict.word(),
    }
}

/// What it means for a property to be true or false.
fn truth(property: &PropertyReport, truth: bool) -> &'static str {
    match (property.scenario.is_some(), truth) {
        (false, true) => "true",
        (false, false) => "false",
        (true, true) => "possible",
        (true, false) => "impossible",
    }
}

/// How much a property matters and where it comes from, in brackets after a blank; empty where there is nothing to say.
pub(crate) fn weight(property: &PropertyReport) -> String {
    let level = (property.level != Level::Must).then(|| property.level.word());
    match (level, property.cite.as_deref()) {
        (None, None) => String::new(),
        (Some(level), None) => format!(" ({level})"),
        (None, Some(cite)) => format!(" ({})", visible(cite)),
        (Some(level), Some(cite)) => format!(" ({level}; {})", visible(cite)),
    }
}

/// How far runs get in a scenario, as lines of text; none where that is not known.
pub(crate) fn reached(property: &PropertyReport) -> Vec<String> {
    let Some(ScenarioReport { steps, reached: Some(reached) }) = &property.scenario else {
        return Vec::new();
    };
    let next = steps[reached.steps..].iter().find(|step| *step != "...");
    let next = next.map_or("...", String::as_str);
    let later = steps.get(reached.steps).is_some_and(|step| step == "...");
    let never = if later { "never happens" } else { "cannot happen" };
    let mut lines = match reached.steps.checked_sub(1).map(|last| (last, &steps[last])) {
        None => vec![format!("it cannot begin: `{next}` {never}")],
        Some((_, last)) => {
            let count = |steps: &[String]| steps.iter().filter(|step| *step != "...").count();
            let (count, all) = (count(&steps[..reached.steps]), count(steps));
            vec![format!("it gets as far as `{last}`, step {count} of {all}; after that `{next}` {never}")]
        }
    };
    let there = if reached.steps == 0 { "at the beginning" } else { "there" };
    lines.push(match reached.instead.as_slice() {
        [] => format!("nothing is possible {there}"),
        labels => format!("possible {there}: {}", labels.join(", ")),
    });
    lines
}

/// `false, expected true`, or `unknown: the time limit was reached`.
pub(crate) fn words(property: &PropertyReport) -> String {
    let word = word(property);
    match (&property.verdict, property.expected) {
        (Verdict::Unknown(reason), _) => format!("{word}: {reason}"),
        (_, None) => word.to_owned(),
        (_, Some(_)) if property.outcome() == Outcome::Wanted => format!("{word}, as expected"),
        (_, Some(expected)) => format!("{word}, expected {}", truth(property, expected)),
    }
}

/// How far a scenario gets and what shows the verdict, on lines of its own after what is said already; empty where there is
/// nothing to show.
pub(crate) fn trace(property: &PropertyReport) -> String {
    let reached: String = reached(property).into_iter().map(|line| format!("\n{line}")).collect();
    match text::trace::trace(&property.trace, "", Style::plain()) {
        shown if shown.is_empty() => reached,
        shown => format!("{reached}\n{}", shown.trim_end()),
    }
}

/// The findings, without what [`unexplored`] says already.
pub(crate) fn findings(report: &CheckReport) -> impl Iterator<Item = &Finding> {
    let said = report.unread.is_some();
    report.run.findings.iter().filter(move |finding| !said || finding.diagnostic.code != Code::NotKnown)
}

/// Why a check that is otherwise as wanted is undecided: the file was not even read, or nothing was asked, and not all states were seen.
pub(crate) fn unexplored(report: &CheckReport) -> Option<String> {
    if let Some(reason) = &report.unread {
        return Some(format!("nothing is decided: {reason}"));
    }
    if report.run.input == Input::Bad || !report.properties.is_empty() {
        return None;
    }
    let reason = match &report.model.as_ref()?.space {
        Space::Part { reason, .. } | Space::Uncounted { reason } => reason,
        Space::NotExplored => "the states were not explored",
        Space::NotNeeded | Space::Whole(_) => return None,
    };
    Some(format!("not all states were explored: {reason}"))
}

/// A finding in one text: what was found, with which parameters, more about it, and what to do.
pub(crate) fn finding(finding: &Finding, setting: &str) -> String {
    let diagnostic = &finding.diagnostic;
    let mut text = format!("{}{setting}", diagnostic.message);
    if let Some(detail) = &diagnostic.note_at_span {
        text.push('\n');
        text.push_str(detail);
    }
    if let Some(help) = &diagnostic.help {
        text.push_str("\nHelp: ");
        text.push_str(help);
    }
    text
}
