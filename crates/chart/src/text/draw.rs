//! The drawing itself, line by line.

use super::columns::Columns;
use super::line::{Line, UNDER_WAY};
use crate::data::{REPEATS, Shown};
use crate::layout::{length, shortened, wrap, wrap_items};
use crate::{Bar, Chart, Flight, Happening, Landing, Moment};

/// After so many lines the names of the lifelines are written again.
const LINES_TO_A_HEAD: usize = 25;

/// Draws lifelines, arrows and bars.
pub(super) fn draw(shown: &mut String, chart: &Chart, columns: &Columns) {
    let mut drawing = Drawing { shown, chart, columns, looped: false, since_names: 0 };
    drawing.names(Line(Vec::new()));
    drawing.moment((0, 0), None, &chart.first);
    for row in chart.shown() {
        let (first, _) = row.moments();
        if chart.repeats_from == Some(first - 1) {
            let line = drawing.line((first - 1, first - 1), Row::Between).with(0, "╭── ");
            drawing.put(line.with(4, &format!("{REPEATS} ")));
            drawing.looped = true;
        }
        if drawing.since_names >= LINES_TO_A_HEAD {
            let line = drawing.line((first - 1, first - 1), Row::Between);
            drawing.names(line);
        }
        match row {
            Shown::Step(index) => drawing.step(index),
            Shown::Fold(fold) => {
                let words = fold.words();
                let above = drawing.band_above(first - 1, &words);
                let mut line = drawing.line(fold.moments(), Row::Step);
                drawing.band(&mut line, '·', if above { "" } else { &words });
                drawing.moment(fold.moments(), Some(line), &fold.after);
            }
        }
    }
    if let Some(from) = chart.repeats_from {
        drawing.looped = false;
        let last = chart.steps.len();
        let line = drawing.line((last, last), Row::Between);
        drawing.put(line.with(0, &format!("╰── as at {from}, for ever ")));
    }
}

struct Drawing<'a> {
    shown: &'a mut String,
    chart: &'a Chart,
    columns: &'a Columns,
    /// Inside of the part that repeats?
    looped: bool,
    /// How many lines have been drawn since the names of the lifelines.
    since_names: usize,
}

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// The step that leads to the moment, or the steps that lead to the moments.
    Step,
    /// Between steps.
    Between,
    /// The end of the drawing.
    Last,
}

/// The first and the last moment to which the steps of a line lead.
type Span = (usize, usize);

impl Drawing<'_> {
    fn put(&mut self, line: Line) {
        let text: String = line.0.into_iter().take(self.columns.width).collect();
        self.shown.push_str(text.trim_end());
        self.shown.push('\n');
        self.since_names += 1;
    }

    /// The names of the lifelines, on a line that may have bars.
    fn names(&mut self, mut line: Line) {
        for (at, name) in self.columns.lifelines.iter().zip(&self.chart.lifelines) {
            line.write(at - length(name) / 2, name);
        }
        self.put(line);
        self.since_names = 0;
    }

    /// A line with lifelines, bars and what is under way only.
    fn line(&self, span: Span, row: Row) -> Line {
        let mut line = Line(Vec::new());
        if self.looped {
            line.set(0, '│');
        }
        for at in &self.columns.lifelines {
            line.set(*at, '│');
        }
        for (column, flight) in self.columns.flights.iter().zip(&self.chart.flights) {
            if let Some(sign) = sign_of(flight, span, row) {
                line.set(*column, sign);
            }
        }
        for (at, bar) in &self.columns.bars {
            self.bar(&mut line, *at, bar, span, row);
        }
        line
    }

    fn bar(&self, line: &mut Line, at: usize, bar: &Bar, (first, last): Span, row: Row) {
        let end = bar.end.moment();
        match end {
            _ if bar.from > last => {}
            Some(end) if end < first || (end <= last && row != Row::Step) => {}
            // What begins and ends where nothing is drawn is not drawn either.
            Some(end) if end <= last && first <= bar.from => {}
            Some(end) if end <= last => line.set(at, bar.end.sign()),
            _ if first <= bar.from && row == Row::Step => {
                let tag = self.chart.tag(bar).unwrap_or_default();
                line.write(at, &shortened(tag, self.columns.tag));
            }
            None if row == Row::Last => line.set(at, bar.end.sign()),
            _ => line.set(at, '┃'),
        }
    }

    fn step(&mut self, index: usize) {
        let moment = index + 1;
        let step = &self.chart.steps[index];
        let above = self.label_above(&step.happening, moment);
        for text in &above {
            let (begin, _) = self.columns.region;
            let line = self.line((index, index), Row::Between);
            self.put(line.with(begin, text));
        }
        let mut line = self.line((moment, moment), Row::Step);
        self.happening(&mut line, &step.happening, moment, above.is_empty());
        line.write(2, &moment.to_string());
        self.moment((moment, moment), Some(line), &step.after);
    }

    /// Writes facts and notes, beside or below the line of the step; then at least one line of nothing.
    fn moment(&mut self, span: Span, step: Option<Line>, moment: &Moment) {
        let first = step.unwrap_or_else(|| self.line(span, Row::Step).with(2, &span.1.to_string()));
        let room = match self.columns.facts {
            Some(at) => self.columns.width - at,
            None => self.columns.width - self.columns.region.0,
        };
        let mut texts = wrap_items(&moment.facts, room);
        for note in &moment.notes {
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
                    let current = line.take().unwrap_or_else(|| self.line(span, Row::Between));
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
        let last = span.1 == self.chart.steps.len() && self.chart.repeats_from.is_none();
        let below = self.line(span, if last { Row::Last } else { Row::Between });
        self.put(below);
    }

    /// The lines of a label that does not fit its arrow.
    fn label_above(&self, happening: &Happening, moment: usize) -> Vec<String> {
        let (begin, end) = self.columns.region;
        let Some(label) = happening.label() else { return Vec::new() };
        if length(label) + 4 <= self.room(happening, moment) { Vec::new() } else { wrap(label, end - begin) }
    }

    /// Writes the text of a line across above it, if it does not fit.
    fn band_above(&mut self, moment: usize, words: &str) -> bool {
        let (begin, end) = self.columns.region;
        let above = length(words) + 4 > end - begin;
        if above {
            for text in wrap(words, end - begin) {
                let line = self.line((moment, moment), Row::Between);
                self.put(line.with(begin, &text));
            }
        }
        above
    }

    /// Between which columns the label of an arrow stands.
    fn label_of_arrow(&self, from: usize, to: &[usize]) -> (usize, usize) {
        let at = |index: usize| self.columns.lifelines[index];
        let next = to.iter().copied().filter(|to| *to > from).min();
        let nearest = next.or_else(|| to.iter().copied().filter(|to| *to < from).max());
        (at(from), nearest.map_or(at(from), at))
    }

    /// The column of the message that is sent or that is received by the step that leads to a moment.
    fn column(&self, fits: impl Fn(&Flight) -> bool) -> Option<usize> {
        self.chart.flights.iter().position(fits).map(|index| self.columns.flights[index])
    }

    fn sent(&self, moment: usize) -> Option<usize> {
        self.column(|flight| flight.is_sent_at(moment))
    }

    /// Does whoever sends something at a moment receive it too?
    fn comes_back(&self, moment: usize) -> bool {
        let mut sent = self.chart.flights.iter().filter(|flight| flight.is_sent_at(moment));
        sent.next().is_some_and(|flight| flight.sender == flight.receiver)
    }

    fn received(&self, moment: usize) -> Option<usize> {
        self.column(|flight| flight.end == Landing::Received(moment))
    }

    /// The first column to the right of which a receiver's label stands.
    fn beside(&self, at: usize, moment: usize) -> usize {
        let lifeline = self.columns.lifelines[at];
        self.received(moment).map_or(lifeline + 2, |column| column.max(lifeline))
    }

    /// The room that a label has on its line.
    fn room(&self, happening: &Happening, moment: usize) -> usize {
        let at = |index: usize| self.columns.lifelines[index];
        let beyond =
            |index: usize| self.columns.lifelines.get(index + 1).copied().unwrap_or(self.columns.region.1);
        match happening {
            Happening::Message { from, to, .. } => {
                let (from, to) = self.label_of_arrow(*from, to);
                from.abs_diff(to).saturating_sub(3)
            }
            Happening::Sent { from, .. } => match self.sent(moment) {
                Some(column) if self.comes_back(moment) => (beyond(*from) + 1).saturating_sub(column),
                Some(column) => at(*from).abs_diff(column).saturating_sub(1),
                None => beyond(*from) - at(*from),
            },
            Happening::Own { at: index, .. } => beyond(*index) - at(*index),
            Happening::Received { at: index, .. } => {
                (beyond(*index) + 1).saturating_sub(self.beside(*index, moment))
            }
            Happening::Tick(_) | Happening::Nobody(_) | Happening::Deadlock => {
                self.columns.region.1 - self.columns.region.0
            }
            Happening::Together(_) => usize::MAX,
        }
    }

    fn happening(&self, line: &mut Line, happening: &Happening, moment: usize, labelled: bool) {
        let at = |index: usize| self.columns.lifelines[index];
        let label = happening.label().filter(|_| labelled).unwrap_or_default();
        match happening {
            Happening::Message { from, to, .. } => {
                let columns: Vec<usize> = to.iter().map(|to| at(*to)).collect();
                line.arrow(at(*from), &columns);
                let (left, right) = self.label_of_arrow(*from, to);
                line.label(left, right, label);
            }
            Happening::Sent { from, .. } if self.sent(moment).is_some() => {
                let column = self.sent(moment).unwrap_or_default();
                line.sent(at(*from), column);
                match self.comes_back(moment) {
                    true => line.write(column + 2, label),
                    false => line.label(at(*from), column, label),
                }
            }
            Happening::Received { at: index, .. } if self.received(moment).is_some() => {
                line.received(self.received(moment).unwrap_or_default(), at(*index));
                line.write(self.beside(*index, moment) + 2, label);
            }
            Happening::Own { at: index, .. }
            | Happening::Sent { from: index, .. }
            | Happening::Received { at: index, .. } => {
                line.write(at(*index), "├↺");
                if labelled {
                    line.write(at(*index) + 2, &format!(" {label}"));
                }
            }
            Happening::Together(actions) => {
                let (first, last) = (at(0), at(self.columns.lifelines.len() - 1));
                (first..=last).for_each(|column| line.set(column, '┄'));
                for (column, action) in self.columns.lifelines.iter().zip(actions) {
                    line.write((column - length(action) / 2).saturating_sub(1), &format!(" {action} "));
                }
            }
            Happening::Tick(_) => self.band(line, '═', label),
            Happening::Nobody(_) | Happening::Deadlock => {
                self.band(line, '┄', label);
                self.in_channels(line, moment, label);
            }
        }
    }

    /// What begins and what ends in channels although nobody does anything; the label goes beside it where there is room.
    fn in_channels(&self, line: &mut Line, moment: usize, label: &str) {
        let marks: Vec<(usize, char)> = self
            .columns
            .flights
            .iter()
            .zip(&self.chart.flights)
            .filter_map(|(column, flight)| match flight.end {
                Landing::Lost(at) if at == moment => Some((*column, '✗')),
                _ => flight.is_sent_at(moment).then_some((*column, '┬')),
            })
            .collect();
        let (begin, end) = self.columns.region;
        let width = length(label) + 2;
        if let [(column, _)] = marks.as_slice()
            && !label.is_empty()
        {
            let beside =
                if column + 2 + width <= end { Some(column + 2) } else { column.checked_sub(width + 1) };
            if let Some(beside) = beside.filter(|beside| *beside >= begin) {
                self.band(line, '┄', "");
                line.write(beside, &format!(" {label} "));
            }
        }
        marks.iter().for_each(|(column, sign)| line.set(*column, *sign));
    }

    /// A line across all lifelines, with a text in the middle.
    fn band(&self, line: &mut Line, sign: char, label: &str) {
        let (begin, end) = self.columns.region;
        (begin..end).for_each(|column| line.set(column, sign));
        if !label.is_empty() {
            let middle = begin + (end - begin).saturating_sub(length(label) + 2) / 2;
            line.write(middle, &format!(" {label} "));
        }
    }
}

/// The sign of a message in a line where it is under way.
fn sign_of(flight: &Flight, (first, last): Span, row: Row) -> Option<char> {
    let gone = flight.end.moment().is_some_and(|end| end <= last);
    let sent_here = row == Row::Step && flight.from > 0 && (first..=last).contains(&flight.from);
    match (flight.from > last || gone || sent_here, row) {
        (true, _) => None,
        (false, Row::Last) => Some('◇'),
        (false, _) => Some(UNDER_WAY),
    }
}
