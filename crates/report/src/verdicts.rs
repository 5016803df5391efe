//! What is not as wanted in a check, in words that several formats share.

use servanda_engine::Verdict;

use crate::{CheckReport, Finding, Input, Outcome, PropertyReport, Space, Style, text};

/// The verdict in one word.
pub(crate) fn word(property: &PropertyReport) -> &'static str {
    property.verdict.word()
}

/// `false, expected true`, or `unknown: the time limit was reached`.
pub(crate) fn words(property: &PropertyReport) -> String {
    let word = word(property);
    match (&property.verdict, property.expected) {
        (Verdict::Unknown(reason), _) => format!("{word}: {reason}"),
        (_, None) => word.to_owned(),
        (_, Some(_)) if property.outcome() == Outcome::Wanted => format!("{word}, as expected"),
        (_, Some(expected)) => format!("{word}, expected {expected}"),
    }
}

/// What shows the verdict, on lines of its own after what is said already; empty where there is nothing to show.
pub(crate) fn trace(property: &PropertyReport) -> String {
    match text::trace::trace(&property.trace, "", Style::plain()) {
        shown if shown.is_empty() => shown,
        shown => format!("\n{}", shown.trim_end()),
    }
}

/// Why a check that is otherwise as wanted is undecided: nothing was asked, and not all states were seen.
pub(crate) fn unexplored(report: &CheckReport) -> Option<String> {
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
