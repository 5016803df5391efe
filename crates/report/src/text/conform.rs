//! Whether a model's acts are what they say.

use std::fmt::Write as _;

use servanda_model::CommitmentView;

use super::{counted, number, statistics, title, warnings};
use crate::style::Ink;
use crate::{
    ActConformance, ActReport, Certainty, Colour, ConformReport, DecompositionReport, Detail, Style,
};

/// Acts, turns, decompositions and claims. What makes an input bad is left to [`super::errors`].
pub fn conform(report: &ConformReport, style: Style) -> String {
    let Some(model) = &report.model else { return String::new() };
    if style.detail == Detail::Quiet {
        return quiet(report, style);
    }
    let width = report.acts.iter().map(|act| act.label.chars().count()).max().unwrap_or(0);
    let title = title(&report.run, model, style.colour);
    let mut shown = format!("{title}, {}\n", counted(&model.space));
    let mut section = |title: &str, lines: String| {
        if !lines.is_empty() {
            let _ = write!(shown, "\n{}\n{lines}", style.colour.paint(Ink::Bold, title));
        }
    };
    section("Acts", report.acts.iter().map(|act| act_lines(act, "  ", width, style)).collect());
    section("Turns", turn_lines(report, style.colour));
    section("Decompositions", report.acts.iter().map(|act| decomposition_lines(act, width, style)).collect());
    section("Claimed decompositions", claim_lines(report, "  ", style));
    let mentioned = CommitmentView::mentioned(&report.commitments, &shown);
    let legend: String = mentioned.iter().map(|one| format!("  {}\n", one.in_full())).collect();
    if !legend.is_empty() {
        let _ = write!(shown, "\n{}\n{legend}", style.colour.paint(Ink::Bold, "Commitments"));
    }
    shown.push_str(&warnings(&report.run, style));
    shown.push_str(&statistics(&report.run, Some(model), style));
    let _ = writeln!(shown, "\n{}", summary(report));
    shown
}

/// Only what does not conform, each line with its file.
fn quiet(report: &ConformReport, style: Style) -> String {
    let prefix = format!("{}: ", report.run.title());
    let wrong = report.acts.iter().filter(|act| act.is_wrong());
    let mut shown: String = wrong.map(|act| act_lines(act, &prefix, 0, style)).collect();
    shown.push_str(&claim_lines(report, &prefix, style));
    if let Err(reason) = &report.decided {
        let _ = writeln!(shown, "{prefix}{} undecided: {reason}", style.colour.paint(Ink::Yellow, "?"));
    }
    shown
}

fn act_lines(act: &ActReport, prefix: &str, width: usize, style: Style) -> String {
    let (mark, ink, says) = match &act.judged {
        None => ("?", Ink::Yellow, "unknown"),
        Some(judged) if judged.transitions == 0 => ("-", Ink::Faint, "never performed"),
        Some(judged) => match judged.certainty {
            Certainty::Certain => ("✓", Ink::Green, "certain"),
            Certainty::Possible => ("✗", Ink::Red, "possible, not certain"),
            Certainty::Never => ("✗", Ink::Red, "never holds"),
        },
    };
    let paint = |text: &str| style.colour.paint(ink, text);
    let mut lines = format!("{prefix}{} {:width$}  {}", paint(mark), act.label, paint(says));
    let several = act.judged.as_ref().filter(|judged| judged.transitions > 1);
    if let Some(judged) = several.filter(|_| act.is_wrong() || style.detail == Detail::Verbose) {
        let _ = write!(lines, " ({})", shares(judged));
    }
    lines.push('\n');
    if let Some(why) = act.judged.as_ref().and_then(|judged| judged.why.as_ref()) {
        let place = act.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        let _ = writeln!(lines, "      {why}{place}");
    }
    lines
}

/// `3 transitions: 1 certain, 2 possible`
fn shares(act: &ActConformance) -> String {
    let parts = [(act.certain, "certain"), (act.possible, "possible"), (act.never, "never")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    format!("{}: {}", number(act.transitions, "transition", "transitions"), parts.join(", "))
}

fn turn_lines(report: &ConformReport, colour: Colour) -> String {
    match (&report.decided, &report.turns) {
        (Err(reason), _) => format!("  {} unknown: {reason}\n", colour.paint(Ink::Yellow, "?")),
        (Ok(()), None) => format!("  {} no role speaks twice in a row\n", colour.paint(Ink::Green, "✓")),
        (Ok(()), Some(turn)) => format!(
            "  - {} speaks twice in a row: {}, then {}\n      between them: {}\n",
            turn.role, turn.first, turn.second, turn.state
        ),
    }
}

fn decomposition_lines(act: &ActReport, width: usize, style: Style) -> String {
    let states = number(act.decomposition.states.len(), "state", "states");
    let mut lines = format!("  {:width$}  {states}\n", act.label);
    if style.detail == Detail::Verbose {
        lines.push_str(&graph(&act.decomposition));
    }
    lines
}

/// States and edges in the notation of a `decompose` block.
fn graph(decomposition: &DecompositionReport) -> String {
    let states = decomposition.states.iter().enumerate().map(|(index, state)| {
        let formulas = if state.is_empty() { "{}".to_owned() } else { state.join(", ") };
        format!("      {index} : {formulas}\n")
    });
    let edges = decomposition.edges.iter();
    states.chain(edges.map(|(from, rule, to)| format!("      {from} --[{rule}]--> {to}\n"))).collect()
}

fn claim_lines(report: &ConformReport, prefix: &str, style: Style) -> String {
    let mut lines = String::new();
    for claim in &report.claims {
        let place = &claim.place;
        let _ = match &claim.difference {
            Some(difference) => writeln!(
                lines,
                "{prefix}{} {}  differs from the rule-made one ({place})\n      {difference}",
                style.colour.paint(Ink::Red, "✗"),
                claim.label
            ),
            None if style.detail == Detail::Quiet => Ok(()),
            None => writeln!(
                lines,
                "{prefix}{} {}  as the rules make it",
                style.colour.paint(Ink::Green, "✓"),
                claim.label
            ),
        };
    }
    lines
}

fn summary(report: &ConformReport) -> String {
    let acts = report.acts.iter().filter(|act| act.is_wrong()).count();
    let claims = report.claims.iter().filter(|claim| claim.difference.is_some()).count();
    let mut reasons = Vec::new();
    if acts > 0 {
        reasons.push(format!("{} not certain", number(acts, "act is", "acts are")));
    }
    if claims > 0 {
        reasons.push(number(claims, "claimed decomposition differs", "claimed decompositions differ"));
    }
    match (&report.decided, reasons.as_slice()) {
        (Ok(()), []) => "the model conforms".to_owned(),
        (Err(reason), []) => format!("undecided: {reason}"),
        (_, reasons) => format!("the model does not conform: {}", reasons.join(", ")),
    }
}
