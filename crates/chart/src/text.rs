//! Explanations on a terminal, in characters.
//!
//! From left to right: the number of the moment, the lifelines, a column for every commitment in force, and what the state is
//! like. Where there is too little room the state goes below its step, and where lifelines do not fit at all the steps are listed.

mod columns;
mod draw;
mod line;

use std::fmt::Write as _;

use crate::data::Shown;
use crate::layout::{length, visible, wrap};
use crate::{Chart, Explanation, Moment, Plan, Section};
use columns::Columns;

/// No drawing is narrower than this.
const LEAST_WIDTH: usize = 40;

/// The explanation in lines of at most `width` characters; a width below 40 counts as 40.
pub fn text(explanation: &Explanation, width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let mut shown = String::new();
    if !explanation.title.is_empty() {
        paragraph(&mut shown, &explanation.heading(), width);
    }
    for sentence in &explanation.summary {
        paragraph(&mut shown, sentence, width);
    }
    for section in &explanation.sections {
        if !shown.is_empty() {
            shown.push('\n');
        }
        match section {
            Section::Chart(chart) => {
                self::chart(&mut shown, chart, &chart.heading(explanation.is_numbered()), width);
            }
            Section::Plan(plan) => self::plan(&mut shown, plan, width),
        }
    }
    shown
}

fn chart(shown: &mut String, chart: &Chart, title: &str, width: usize) {
    if !title.is_empty() {
        paragraph(shown, title, width);
    }
    for remark in &chart.remarks {
        paragraph(shown, remark, width);
    }
    shown.push('\n');
    match Columns::new(chart, width) {
        Some(columns) => draw::draw(shown, chart, &columns),
        None => list(shown, chart, width),
    }
    legend(shown, chart, width);
}

/// The steps one below the other, where lifelines do not fit.
fn list(shown: &mut String, chart: &Chart, width: usize) {
    let moment = |shown: &mut String, number: usize, moment: &Moment| {
        let facts = moment.facts.join(", ");
        if !facts.is_empty() {
            hanging(shown, "      ", &facts, width);
        }
        for note in &moment.notes {
            hanging(shown, "    » ", note, width);
        }
        let in_force = chart.in_force(number).join(", ");
        if !in_force.is_empty() {
            hanging(shown, "      in force: ", &in_force, width);
        }
    };
    moment(shown, 0, &chart.first);
    for row in chart.shown() {
        let (first, last) = row.moments();
        if chart.repeats_from == Some(first - 1) {
            let _ = writeln!(shown, "╭── {}", crate::data::REPEATS);
        }
        match row {
            Shown::Step(index) => {
                hanging(shown, &format!("{:>4}  ", index + 1), &chart.step_words(index), width);
                moment(shown, last, &chart.steps[index].after);
            }
            Shown::Fold(fold) => {
                hanging(shown, "   …  ", &fold.words(), width);
                moment(shown, last, &fold.after);
            }
        }
    }
    if let Some(from) = chart.repeats_from {
        let _ = writeln!(shown, "╰── as at {from}");
    }
}

fn legend(shown: &mut String, chart: &Chart, width: usize) {
    if chart.commitments.is_empty() {
        return;
    }
    shown.push('\n');
    let tags = chart.commitments.iter().map(|commitment| length(&commitment.tag)).max().unwrap_or(0);
    for (index, commitment) in chart.commitments.iter().enumerate() {
        let mark = if chart.is_violated(index) { '✗' } else { ' ' };
        let lead = format!("{mark} {:<tags$}  ", commitment.tag);
        hanging(shown, &lead, &format!("{}: {}", commitment.text, chart.fate(index)), width);
    }
}

fn plan(shown: &mut String, plan: &Plan, width: usize) {
    paragraph(shown, &plan.heading(), width);
    for (state, moves) in &plan.choices {
        hanging(shown, "  ", state, width);
        hanging(shown, "    → ", moves, width);
    }
    for state in &plan.ends {
        hanging(shown, "  reached: ", state, width);
    }
    if let Some(rest) = plan.rest() {
        hanging(shown, "  ", &rest, width);
    }
    for line in &plan.legend {
        hanging(shown, "  where ", line, width);
    }
}

fn paragraph(shown: &mut String, text: &str, width: usize) {
    hanging(shown, "", text, width);
}

/// A text whose further lines are indented as far as the lead of the first; a lead that is too long is part of the text.
fn hanging(shown: &mut String, lead: &str, text: &str, width: usize) {
    if length(lead) > width / 2 {
        return hanging(shown, "", &format!("{lead}{text}"), width);
    }
    let rest = " ".repeat(length(lead));
    for (number, line) in wrap(text, width - length(lead)).iter().enumerate() {
        let lead: String = if number == 0 { lead.chars().map(visible).collect() } else { rest.clone() };
        let _ = writeln!(shown, "{}", format!("{lead}{line}").trim_end());
    }
}
