//! Explanations as a Mermaid sequence diagram.
//!
//! One text holds one diagram, so the charts of an explanation follow on each other in it, each under a note with its title. A
//! commitment is an activation of its debtor's lifeline, with a note where it begins and where it ends. Arrows cannot be slanted: a
//! message in a channel is a note where it is sent and an arrow where it arrives or is lost.

use std::fmt::Write as _;

use crate::data::{REPEATS, Shown};
use crate::escape::mermaid as escaped;
use crate::layout::{wrap, wrap_items};
use crate::{Bar, Chart, End, Explanation, Flight, Happening, Landing, Moment, Plan, Section};

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
        self.moment(chart, (0, 0), &chart.first);
        for shown in chart.shown() {
            let (first, last) = shown.moments();
            if chart.repeats_from == Some(first - 1) {
                self.line(&format!("loop {REPEATS}"));
            }
            match shown {
                Shown::Step(index) => {
                    self.happening(chart, index);
                    self.moment(chart, (first, last), &chart.steps[index].after);
                }
                Shown::Fold(fold) => {
                    self.over_all(&[format!("… {}", fold.words())]);
                    self.moment(chart, (first, last), &fold.after);
                }
            }
        }
        if chart.repeats_from.is_some() && !chart.steps.is_empty() {
            self.line("end");
        }
        for flight in chart.flights.iter().filter(|flight| flight.end == Landing::UnderWay) {
            self.landed(flight, "--)", "still under way");
        }
        for bar in chart.bars.iter().filter(|bar| bar.end == End::InForce) {
            self.activation(chart, bar, "deactivate");
        }
    }

    fn happening(&mut self, chart: &Chart, index: usize) {
        let happening = &chart.steps[index].happening;
        match happening {
            Happening::Message { from, to, label } => {
                for to in to {
                    self.line(&format!("p{from}->>p{to}: {}", escaped(label)));
                }
            }
            Happening::Own { at, label } => self.line(&format!("p{at}->>p{at}: {}", escaped(label))),
            Happening::Sent { from, label } => {
                self.line(&format!("Note over p{from}: {} sends {}", index + 1, escaped(label)));
            }
            Happening::Received { at, label } => {
                let arrived = |flight: &&Flight| flight.end == Landing::Received(index + 1);
                match chart.flights.iter().find(arrived) {
                    Some(flight) => self.landed(flight, "-)", label),
                    None => self.line(&format!("p{at}->>p{at}: {}", escaped(label))),
                }
            }
            Happening::Together(actions) => {
                self.line("rect rgba(128, 128, 128, 0.15)");
                for (index, action) in actions.iter().enumerate().take(self.last + 1) {
                    self.line(&format!("Note over p{index}: {}", escaped(action)));
                }
                self.line("end");
            }
            Happening::Tick(_) | Happening::Nobody(_) | Happening::Deadlock => {
                self.over_all(happening.label().as_slice());
                for flight in chart.flights.iter().filter(|flight| flight.end == Landing::Lost(index + 1)) {
                    self.landed(flight, "-x", "lost");
                }
            }
        }
    }

    /// The arrow of a message whose way through a channel ends here, with what is to be said of it and since when it was under way.
    fn landed(&mut self, flight: &Flight, arrow: &str, what: &str) {
        let from = flight.sender.or(flight.receiver).unwrap_or(0);
        let beside = if from < self.last { from + 1 } else { from.saturating_sub(1) };
        let to = flight.receiver.unwrap_or(beside);
        let since = match flight.from {
            0 => String::new(),
            moment => format!(" ({moment})"),
        };
        let said = match flight.end {
            Landing::Received(_) => what.to_owned(),
            Landing::Lost(_) | Landing::UnderWay => format!("{} {what}", flight.label),
        };
        self.line(&format!("p{from}{arrow}p{to}: {}", escaped(&format!("{said}{since}"))));
    }

    /// What the state is like, what matters here, and which commitments begin and end. What begins and ends where nothing is drawn is
    /// not drawn either.
    fn moment(&mut self, chart: &Chart, (first, last): (usize, usize), moment: &Moment) {
        let mut lines = wrap_items(&moment.facts, LINE);
        lines.extend(moment.notes.iter().map(|note| format!("→ {note}")));
        let here = |moment: usize| (first..=last).contains(&moment);
        for bar in &chart.bars {
            let Some(commitment) = chart.commitments.get(bar.commitment) else { continue };
            let (begins, ends) = (here(bar.from), bar.end.moment().is_some_and(here));
            if begins && ends {
                continue;
            }
            if ends {
                self.activation(chart, bar, "deactivate");
                lines.push(match bar.end {
                    End::Violated(_) => format!("✗ VIOLATED: {}", commitment.tag),
                    end => format!("{} {}", commitment.tag, end.words()),
                });
            }
            if begins {
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
        lines.extend(plan.legend.iter().cloned());
        self.over_all(&lines);
    }
}
