//! The drawing itself, line by line.

use super::columns::Columns;
use crate::data::REPEATS;
use crate::layout::{length, visible, wrap, wrap_items};
use crate::{Chart, Happening, Moment};

/// Draws lifelines, arrows and bars.
pub(super) fn draw(shown: &mut String, chart: &Chart, columns: &Columns) {
    let mut drawing = Drawing { shown, chart, columns, looped: false };
    drawing.names();
    drawing.moment(0, None);
    for index in 0..chart.steps.len() {
        drawing.step(index);
    }
    if let Some(from) = chart.repeats_from {
        drawing.looped = false;
        let line = drawing.line(chart.steps.len(), Row::Between);
        drawing.put(line.with(0, &format!("╰── as at {from}, for ever ")));
    }
}

struct Drawing<'a> {
    shown: &'a mut String,
    chart: &'a Chart,
    columns: &'a Columns,
    /// Inside of the part that repeats?
    looped: bool,
}

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// The step that leads to the moment.
    Step,
    /// Between steps.
    Between,
    /// The end of the drawing.
    Last,
}

/// A line that is being drawn.
struct Line(Vec<char>);

impl Line {
    fn set(&mut self, at: usize, character: char) {
        if self.0.len() <= at {
            self.0.resize(at + 1, ' ');
        }
        self.0[at] = visible(character);
    }

    fn write(&mut self, at: usize, text: &str) {
        for (offset, character) in text.chars().enumerate() {
            self.set(at + offset, character);
        }
    }

    fn with(mut self, at: usize, text: &str) -> Self {
        self.write(at, text);
        self
    }
}

impl Drawing<'_> {
    fn put(&mut self, line: Line) {
        let text: String = line.0.into_iter().take(self.columns.width).collect();
        self.shown.push_str(text.trim_end());
        self.shown.push('\n');
    }

    fn names(&mut self) {
        let mut line = Line(Vec::new());
        for (at, name) in self.columns.lifelines.iter().zip(&self.chart.lifelines) {
            line.write(at - length(name) / 2, name);
        }
        self.put(line);
    }

    /// A line with lifelines and bars only.
    fn line(&self, moment: usize, row: Row) -> Line {
        let mut line = Line(Vec::new());
        if self.looped {
            line.set(0, '│');
        }
        for at in &self.columns.lifelines {
            line.set(*at, '│');
        }
        for (at, bar) in &self.columns.bars {
            let end = bar.end.moment();
            match end {
                _ if bar.from > moment => {}
                Some(end) if end < moment || (end == moment && row != Row::Step) => {}
                Some(end) if end == moment => line.set(*at, bar.end.sign()),
                _ if bar.from == moment && row == Row::Step => {
                    line.write(*at, self.chart.tag(bar).unwrap_or_default());
                }
                None if row == Row::Last => line.set(*at, bar.end.sign()),
                _ => line.set(*at, '┃'),
            }
        }
        line
    }

    fn step(&mut self, index: usize) {
        let moment = index + 1;
        if self.chart.repeats_from == Some(index) {
            let line = self.line(index, Row::Between).with(0, "╭── ");
            self.put(line.with(4, &format!("{REPEATS} ")));
            self.looped = true;
        }
        let happening = &self.chart.steps[index].happening;
        let above = self.label_above(happening);
        for text in &above {
            let (begin, _) = self.columns.region;
            let line = self.line(index, Row::Between);
            self.put(line.with(begin, text));
        }
        let mut line = self.line(moment, Row::Step);
        line.write(2, &moment.to_string());
        self.happening(&mut line, happening, above.is_empty());
        self.moment(moment, Some(line));
    }

    /// Writes facts and notes, beside or below the line of the step; then at least one line of nothing.
    fn moment(&mut self, moment: usize, step: Option<Line>) {
        let Moment { facts, notes } = self.chart.moment(moment);
        let first = step.unwrap_or_else(|| self.line(moment, Row::Step).with(2, &moment.to_string()));
        let room = match self.columns.facts {
            Some(at) => self.columns.width - at,
            None => self.columns.width - self.columns.region.0,
        };
        let mut texts = wrap_items(facts, room);
        for note in notes {
            let lines = wrap(note, room - 2).into_iter().enumerate();
            texts.extend(
                lines.map(
                    |(number, line)| if number == 0 { format!("» {line}") } else { format!("  {line}") },
                ),
            );
        }
        match self.columns.facts {
            Some(at) => {
                let mut line = Some(first);
                for text in &texts {
                    let current = line.take().unwrap_or_else(|| self.line(moment, Row::Between));
                    self.put(current.with(at, text));
                }
                if let Some(line) = line {
                    self.put(line);
                }
            }
            None => {
                self.put(first);
                for text in &texts {
                    let lead = if self.looped { "│" } else { "" };
                    let line = Line(lead.chars().collect()).with(self.columns.region.0, text);
                    self.put(line);
                }
            }
        }
        let last = moment == self.chart.steps.len() && self.chart.repeats_from.is_none();
        let below = self.line(moment, if last { Row::Last } else { Row::Between });
        self.put(below);
    }

    /// The lines of a label that does not fit its arrow.
    fn label_above(&self, happening: &Happening) -> Vec<String> {
        let (begin, end) = self.columns.region;
        let Some(label) = happening.label() else { return Vec::new() };
        if length(label) + 4 <= self.room(happening) { Vec::new() } else { wrap(label, end - begin) }
    }

    /// A lifeline next to another, if there is one.
    fn neighbour(&self, of: usize) -> Option<usize> {
        if of + 1 < self.columns.lifelines.len() { Some(of + 1) } else { of.checked_sub(1) }
    }

    /// The room that a label has on its line.
    fn room(&self, happening: &Happening) -> usize {
        let at = |index: usize| self.columns.lifelines[index];
        match happening {
            Happening::Message { from, to, .. } => (at(*from).abs_diff(at(*to)) - 1).saturating_sub(2),
            Happening::Public { from, .. } => match self.neighbour(*from) {
                Some(next) => (at(*from).abs_diff(at(next)) - 1).saturating_sub(2),
                None => 0,
            },
            Happening::Own { at: index, .. } => {
                let next = self.columns.lifelines.get(index + 1).copied();
                next.unwrap_or(self.columns.region.1) - at(*index)
            }
            Happening::Nobody(_) | Happening::Deadlock => self.columns.region.1 - self.columns.region.0,
            Happening::Together(_) => usize::MAX,
        }
    }

    fn happening(&self, line: &mut Line, happening: &Happening, labelled: bool) {
        let at = |index: usize| self.columns.lifelines[index];
        match happening {
            Happening::Message { from, to, label } => {
                arrow(line, at(*from), at(*to), if labelled { label } else { "" });
            }
            Happening::Public { from, label } => {
                for index in 0..self.columns.lifelines.len() {
                    if index != *from {
                        arrow(line, at(*from), at(index), "");
                    }
                }
                if let (true, Some(next)) = (labelled, self.neighbour(*from)) {
                    arrow(line, at(*from), at(next), label);
                }
                if *from > 0 && from + 1 < self.columns.lifelines.len() {
                    line.set(at(*from), '┼');
                }
            }
            Happening::Own { at: index, label } => {
                line.write(at(*index), if labelled { "├↺ " } else { "├↺" });
                if labelled {
                    line.write(at(*index) + 3, label);
                }
            }
            Happening::Together(actions) => {
                let (first, last) = (at(0), at(self.columns.lifelines.len() - 1));
                (first..=last).for_each(|column| line.set(column, '┄'));
                for (column, action) in self.columns.lifelines.iter().zip(actions) {
                    line.write((column - length(action) / 2).saturating_sub(1), &format!(" {action} "));
                }
            }
            Happening::Nobody(_) | Happening::Deadlock => {
                self.band(line, happening.label().filter(|_| labelled).unwrap_or_default());
            }
        }
    }

    /// A line across all lifelines, with a text in the middle.
    fn band(&self, line: &mut Line, label: &str) {
        let (begin, end) = self.columns.region;
        (begin..end).for_each(|column| line.set(column, '┄'));
        if !label.is_empty() {
            let middle = begin + (end - begin).saturating_sub(length(label) + 2) / 2;
            line.write(middle, &format!(" {label} "));
        }
    }
}

fn arrow(line: &mut Line, from: usize, to: usize, label: &str) {
    let (left, right) = (from.min(to), from.max(to));
    (left + 1..right).for_each(|column| line.set(column, '─'));
    let (tail, tip, at) = if from < to { ('├', '▶', to - 1) } else { ('┤', '◀', to + 1) };
    line.set(from, tail);
    line.set(at, tip);
    line.set(to, '│');
    if !label.is_empty() {
        let room = right - left - 1;
        let middle = left + 1 + room.saturating_sub(length(label) + 2) / 2;
        line.write(middle, &format!(" {label} "));
    }
}
