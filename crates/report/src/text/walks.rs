//! What walks by chance have seen.

use std::fmt::Write as _;

use super::number;
use crate::{Detail, Style, WalksReport};

/// Tables: how often each step, each control state, each scenario.
pub fn walks(report: &WalksReport, style: Style) -> String {
    if style.detail == Detail::Quiet {
        return String::new();
    }
    let mut text = format!(
        "{}, {}, {} seen",
        number(report.walks, "walk", "walks"),
        number(report.steps, "step", "steps"),
        number(report.states, "different state", "different states")
    );
    if report.ends > 0 {
        let _ =
            write!(text, "; {} where nothing can happen", number(report.ends, "walk ended", "walks ended"));
    }
    text.push('\n');
    text.push_str(&table("steps", "taken", report.steps, &report.labels));
    let places: Vec<(String, u64)> = report.locations.iter().map(place).collect();
    // Every walk is somewhere before its first step.
    text.push_str(&table("control states", "visits", report.steps + report.walks, &places));
    text.push_str(&table("scenarios", "walks", report.walks, &report.scenarios));
    text
}

fn place((machine, location, visits): &(String, String, u64)) -> (String, u64) {
    match machine.as_str() {
        "" => (format!("in {location}"), *visits),
        machine => (format!("{machine} in {location}"), *visits),
    }
}

/// Names with their counts and their shares of all, the most frequent first.
fn table(what: &str, counted: &str, all: u64, rows: &[(String, u64)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut rows: Vec<&(String, u64)> = rows.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names = rows.iter().map(|(name, _)| name.chars().count());
    let width = names.chain([what.chars().count()]).max().unwrap_or(0);
    let counts = rows.iter().map(|(_, count)| count.to_string().len());
    let digits = counts.chain([counted.len()]).max().unwrap_or(0);
    let mut text = format!("\n  {what:width$}  {counted:>digits$}   share\n");
    for (name, count) in rows {
        let share = if all == 0 { 0.0 } else { 100.0 * *count as f64 / all as f64 };
        let _ = writeln!(text, "  {name:width$}  {count:>digits$}  {share:>5.1}%");
    }
    text
}
