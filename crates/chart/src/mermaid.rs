//! Explanations as a Mermaid sequence diagram.
//!
//! One text holds one diagram, so the charts of an explanation follow on each other in it, each under a note with its title. A
//! commitment is an activation of its debtor's lifeline, with a note where it begins and where it ends.

use std::fmt::Write as _;

use crate::data::REPEATS;
use crate::escape::mermaid as escaped;
use crate::layout::{wrap, wrap_items};
use crate::{Bar, Chart, End, Explanation, Happening, Plan, Section};

/// The explanation as one diagram.
pub fn mermaid(explanation: &Explanation) -> String {
    let mut out = String::from("sequenceDiagram\n");
    if !explanation.title.is_empty() {
        let _ = writeln!(out, "    title {}", escaped(&explanation.heading()));
    }
    let charts = explanation.sections.iter().filter_map(|section| match section {
        Section::Chart(chart) => Some(chart),
        Section::Plan(_) => None,
    });
    // A plan, or nothing but words, needs somebody to write it over.
    let nobody = ["(system)".to_owned()];
    let lifelines = charts.map(|chart| chart.lifelines.as_slice()).next().unwrap_or(&nobody);
    for (index, name) in lifelines.iter().enumerate() {
        let _ = writeln!(out, "    participant p{index} as {}", escaped(name));
    }
    let mut writer = Writer { out, last: lifelines.len().saturating_sub(1) };
    for sentence in &explanation.summary {
        writer.over_all(&[sentence]);
    }
    for section in &explanation.sections {
        match section {
            Section::Chart(chart) => writer.chart(chart, explanation.is_numbered()),
            Section::Plan(plan) => writer.plan(plan),
        }
    }
    writer.out
}

/// Mermaid does not break the lines of notes.
const LINE: usize = 48;

struct Writer {
    out: String,
    /// The last lifeline.
    last: usize,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    /// A note across all lifelines, if there is something to note.
    fn over_all(&mut self, lines: &[impl AsRef<str>]) {
        if lines.is_empty() {
            return;
        }
        let lines = lines.iter().flat_map(|line| wrap(line.as_ref(), LINE));
        let text: Vec<String> = lines.map(|line| escaped(&line)).collect();
        let place = if self.last == 0 { "p0".to_owned() } else { format!("p0,p{}", self.last) };
        self.line(&format!("Note over {place}: {}", text.join("<br/>")));
    }

    fn chart(&mut self, chart: &Chart, numbered: bool) {
        let mut heading = vec![chart.heading(numbered)];
        heading.extend_from_slice(&chart.remarks);
        heading.retain(|line| !line.is_empty());
        self.over_all(&heading);
        self.moment(chart, 0);
        for (index, step) in chart.steps.iter().enumerate() {
            if chart.repeats_from == Some(index) {
                self.line(&format!("loop {REPEATS}"));
            }
            self.happening(&step.happening);
            self.moment(chart, index + 1);
        }
        if chart.repeats_from.is_some() && !chart.steps.is_empty() {
            self.line("end");
        }
        for bar in chart.bars.iter().filter(|bar| bar.end == End::InForce) {
            self.activation(chart, bar, "deactivate");
        }
    }

    fn happening(&mut self, happening: &Happening) {
        match happening {
            Happening::Message { from, to, label } => {
                self.line(&format!("p{from}->>p{to}: {}", escaped(label)))
            }
            Happening::Public { from, label } => {
                for to in (0..=self.last).filter(|to| to != from) {
                    self.line(&format!("p{from}->>p{to}: {}", escaped(label)));
                }
            }
            Happening::Own { at, label } => self.line(&format!("p{at}->>p{at}: {}", escaped(label))),
            Happening::Together(actions) => {
                self.line("rect rgba(128, 128, 128, 0.15)");
                for (index, action) in actions.iter().enumerate().take(self.last + 1) {
                    self.line(&format!("Note over p{index}: {}", escaped(action)));
                }
                self.line("end");
            }
            Happening::Nobody(_) | Happening::Deadlock => self.over_all(happening.label().as_slice()),
        }
    }

    /// What the state is like, what matters here, and which commitments begin and end.
    fn moment(&mut self, chart: &Chart, number: usize) {
        let moment = chart.moment(number);
        let mut lines = wrap_items(&moment.facts, LINE);
        lines.extend(moment.notes.iter().map(|note| format!("→ {note}")));
        for bar in &chart.bars {
            let Some(commitment) = chart.commitments.get(bar.commitment) else { continue };
            if bar.end.moment() == Some(number) {
                self.activation(chart, bar, "deactivate");
                lines.push(match bar.end {
                    End::Violated(_) => format!("✗ VIOLATED: {}", commitment.tag),
                    end => format!("{} {}", commitment.tag, end.words()),
                });
            }
            if bar.from == number {
                self.activation(chart, bar, "activate");
                lines.push(format!("{} in force: {}", commitment.tag, commitment.text));
            }
        }
        self.over_all(&lines);
    }

    fn activation(&mut self, chart: &Chart, bar: &Bar, word: &str) {
        let debtor = chart.commitments.get(bar.commitment).and_then(|commitment| commitment.debtor);
        if let Some(debtor) = debtor.filter(|debtor| *debtor <= self.last) {
            self.line(&format!("{word} p{debtor}"));
        }
    }

    fn plan(&mut self, plan: &Plan) {
        let mut lines = vec![plan.heading()];
        lines.extend(plan.choices.iter().map(|(state, moves)| format!("{state} → {moves}")));
        lines.extend(plan.ends.iter().map(|state| format!("reached: {state}")));
        lines.extend(plan.rest());
        self.over_all(&lines);
    }
}
