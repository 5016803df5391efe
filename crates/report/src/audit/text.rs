//! An audit for people.

use std::fmt::Write as _;

use servanda_model::Level;

use super::{AuditFinding, AuditReport, AuditVerdict, details, place, slice};
use crate::style::Ink;
use crate::visible::visible;
use crate::{Detail, Statistics, Status, Style};

/// One finding, as soon as it is known.
pub fn finding(finding: &AuditFinding, level: Level, style: Style) -> String {
    let counts = super::demands(level, finding);
    let (mark, ink) = if counts { ("✗", Ink::Red) } else { ("!", Ink::Yellow) };
    // Without the lines below, the first one says which slice it is about.
    let slice = slice(finding.view.as_deref(), &finding.key);
    let about =
        if style.detail == Detail::Quiet && !slice.is_empty() { format!("{slice}: ") } else { String::new() };
    let mut text = format!(
        "{} {}  {}: {}{} {}\n",
        style.colour.paint(ink, mark),
        style.colour.paint(Ink::Bold, &visible(&place(finding))),
        finding.level.word(),
        visible(&about),
        visible(&finding.message),
        style.colour.paint(Ink::Faint, &format!("[{}]", visible(&finding.code))),
    );
    if style.detail != Detail::Quiet {
        for line in details(finding) {
            let _ = writeln!(text, "    {}", visible(&line));
        }
    }
    if let Some(chart) = &finding.chart {
        text.push('\n');
        for line in chart.lines() {
            let _ = writeln!(text, "    {}", visible(line));
        }
        text.push('\n');
    }
    text
}

/// One verdict, where they are asked for.
pub fn verdict(verdict: &AuditVerdict, style: Style) -> String {
    let ink = match verdict.word {
        "true" | "kept" | "released" => Ink::Green,
        "false" | "broken" | "claimed" => Ink::Red,
        _ => Ink::Yellow,
    };
    let slice = slice(Some(&verdict.view), &verdict.key);
    let parties = verdict.parties.as_ref();
    let parties = parties.map(|(debtor, creditor)| format!(" ({debtor} to {creditor})")).unwrap_or_default();
    let at = verdict.at.as_ref().map(|at| format!(" at {}:{}", at.file, at.line)).unwrap_or_default();
    let text = format!("{slice}: {}{parties}", verdict.name);
    format!("  {} {}{}\n", visible(&text), style.colour.paint(ink, verdict.word), visible(&at))
}

/// What is said at the end.
pub fn summary(report: &AuditReport, style: Style) -> String {
    let mut text = String::new();
    if let Some(why) = &report.ended {
        let _ = writeln!(text, "{} {}", style.colour.paint(Ink::Yellow, "?"), visible(why));
    }
    for ((kind, view, code), count) in report.untold() {
        let view = view.as_ref().map(|view| format!(" in view `{view}`")).unwrap_or_default();
        let code = if code == kind { String::new() } else { format!(" `{code}`") };
        let line = format!("{count} more of {kind}{code}{view}: -v shows all");
        let _ = writeln!(text, "{} {}", style.colour.paint(Ink::Yellow, "…"), visible(&line));
    }
    if style.detail == Detail::Quiet {
        return text;
    }
    for (debtor, count) in &report.owed {
        let _ = writeln!(text, "  {} still owes {}", visible(debtor), counted(*count, "commitment"));
    }
    let (counting, others) = (report.counts.wrong, report.counts.minor);
    let (mark, ink) = match report.status() {
        Status::Wanted => ("✓", Ink::Green),
        Status::Undecided => ("?", Ink::Yellow),
        Status::Unwanted | Status::Invalid => ("✗", Ink::Red),
    };
    let bad = report.counts.bad;
    let mut says = match counting {
        0 if report.totals.slices == 0 => "nothing judged".to_owned(),
        0 if bad > 0 => "no other finding".to_owned(),
        // Why not everything was judged, or nothing at all, stands above.
        0 if report.ended.is_some() => "no finding".to_owned(),
        0 if report.counts.limits > 0 => "nothing wrong in what was judged".to_owned(),
        0 => "nothing wrong".to_owned(),
        count => counted(count, "finding"),
    };
    // What cannot be read comes first: nobody knows what stands there.
    if bad > 0 {
        says = format!("{} cannot be read, {says}", counted(bad, "line"));
    }
    let skipped = report.totals.bad_lines.saturating_sub(bad);
    if skipped > 0 {
        let _ = write!(says, ", {} left out that cannot be read", counted(skipped, "line"));
    }
    if others > 0 {
        let _ = write!(says, ", {others} not of the level asked for or not certain");
    }
    if report.counts.limits > 0 {
        let _ = write!(says, ", {} where something is not judged", counted(report.counts.limits, "place"));
    }
    if report.open > 0 {
        let _ = write!(says, ", {} open", report.open);
    }
    let totals = &report.totals;
    let _ = writeln!(
        text,
        "{} {}: {says} in {}, {} (by {})",
        style.colour.paint(ink, mark),
        visible(&report.logs.join(", ")),
        counted(totals.lines, "line"),
        counted(totals.slices, "slice"),
        visible(&report.by),
    );
    if style.statistics == Statistics::Shown {
        text.push_str(&statistics(report));
    }
    text
}

fn statistics(report: &AuditReport) -> String {
    let totals = &report.totals;
    let mut text = String::new();
    let _ = writeln!(text, "  lines      {} ({} that could not be read)", totals.lines, totals.bad_lines);
    let _ = writeln!(text, "  slices     {} ({} open at the end)", totals.slices, totals.open_slices);
    let _ = writeln!(text, "  sets       {}", totals.sets);
    let _ = writeln!(text, "  fitness    {:.4}", totals.fitness());
    let rate = if totals.seconds > 0.0 { totals.lines as f64 / totals.seconds } else { 0.0 };
    let _ = writeln!(text, "  time       {:.2} s ({rate:.0} lines a second)", totals.seconds);
    if let Some(memory) = totals.memory {
        let _ = writeln!(text, "  memory     {:.1} MB", memory as f64 / 1e6);
    }
    text
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
