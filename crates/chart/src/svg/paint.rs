//! The lines, arrows, bars and labels of a chart.

use std::fmt::Write as _;

use super::flights::flights;
use super::geometry::{BAR, Geometry, HEAD, LINE, Row, TAG, width_of};
use super::words::{bar_class, text_at};
use crate::data::REPEATS;
use crate::escape::xml;
use crate::layout::{length, nearest, shortened};
use crate::{Bar, Chart, End, Happening};

/// The chart as SVG elements.
pub(super) fn chart(chart: &Chart, geometry: &Geometry) -> String {
    let mut painter = Painter { out: String::new(), chart, geometry };
    painter.lifelines();
    painter.repetition();
    for (x, bar) in &geometry.bars {
        painter.bar(*x, bar);
    }
    flights(&mut painter.out, chart, geometry);
    for row in &geometry.rows {
        painter.row(row);
    }
    painter.out
}

/// The names of the lifelines alone.
pub(super) fn names(chart: &Chart, geometry: &Geometry) -> String {
    let mut painter = Painter { out: String::new(), chart, geometry };
    painter.heads(0);
    painter.out
}

struct Painter<'a> {
    out: String,
    chart: &'a Chart,
    geometry: &'a Geometry,
}

impl Painter<'_> {
    fn put(&mut self, element: &str) {
        self.out.push_str(element);
        self.out.push('\n');
    }

    fn middle_text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        self.put(&format!(
            "<text class=\"mono {class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" xml:space=\"preserve\">{}</text>",
            xml(text)
        ));
    }

    fn line(&mut self, class: &str, (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
        self.put(&format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// A plate behind text, so that lines do not run through it.
    fn plate(&mut self, middle: usize, y: usize, characters: usize) {
        let width = width_of(characters) + 8;
        let x = middle.saturating_sub(width / 2);
        self.put(&format!(
            "<rect class=\"plate\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"16\"/>",
            y.saturating_sub(12)
        ));
    }

    fn lifelines(&mut self) {
        let bottom = self.geometry.height - 12;
        for x in &self.geometry.lifelines {
            self.line("life", (*x, HEAD), (*x, bottom));
        }
        self.heads(0);
    }

    /// The boxes with the names of the lifelines.
    fn heads(&mut self, top: usize) {
        for (index, name) in self.chart.lifelines.iter().enumerate() {
            let (x, half) = (self.geometry.lifelines[index], self.geometry.half_names[index]);
            let (left, width) = (x - half, 2 * half);
            self.put(&format!(
                "<rect class=\"head\" x=\"{left}\" y=\"{top}.5\" width=\"{width}\" height=\"{}\" rx=\"4\"/>",
                HEAD - 1
            ));
            self.middle_text(x, top + 19, "ink strong", name);
        }
    }

    /// The frame around what repeats.
    fn repetition(&mut self) {
        let Some(first) = self.chart.repeats_from.and_then(|from| self.geometry.row(from + 1)) else {
            return;
        };
        let Some(last) = self.geometry.rows.last() else { return };
        let top = first.top - LINE;
        let height = last.bottom - top;
        let width = self.geometry.region.1 + 6;
        self.put(&format!(
            "<rect class=\"again\" x=\"1\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
        ));
        let words = format!("↻ {REPEATS}");
        // In the small font, in which a character is a little narrower.
        let characters = length(&words) * 12 / 13;
        self.plate(14 + width_of(characters) / 2, top + 5, characters);
        self.put(&text_at(14, top + 5, "againtext small", &words));
    }

    fn bar(&mut self, x: usize, bar: &Bar) {
        let Some(begin) = self.geometry.row(bar.from) else { return };
        let end = bar.end.moment().and_then(|moment| self.geometry.row(moment));
        // What begins and ends where nothing is drawn is not drawn either.
        if begin.moments.0 < begin.moments.1 && end.is_some_and(|end| end.moments == begin.moments) {
            return;
        }
        let top = begin.arrow;
        let bottom = end.map_or(self.geometry.height - 14, |row| row.arrow);
        let commitment = &self.chart.commitments[bar.commitment];
        let class = match bar.end {
            End::Violated(_) => "barbad".to_owned(),
            _ => bar_class(commitment.debtor),
        };
        let height = bottom.saturating_sub(top).max(4);
        let told = xml(&format!("{} = {}: {}", commitment.tag, commitment.text, bar.end.words()));
        // What is still in force has no lower edge: it ends in a point.
        let shape = match bar.end {
            End::InForce => format!(
                "<path class=\"{class}\" d=\"M{x} {top}h{BAR}v{height}l-{half} 8l-{half} -8z\"><title>{told}</title></path>",
                half = BAR / 2
            ),
            _ => format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{BAR}\" height=\"{height}\" rx=\"3\"><title>{told}</title></rect>"
            ),
        };
        self.put(&shape);
        self.put(&text_at(x + BAR + 3, top + 10, "small ink", &shortened(&commitment.tag, TAG)));
        let class = match bar.end {
            End::Satisfied(_) => "sign good",
            End::Violated(_) => "sign bad",
            End::Withdrawn(_) | End::Released(_) | End::PassedOn(_) => "sign soft",
            End::Replaced(_) | End::InForce => return,
        };
        let sign = bar.end.sign().to_string();
        self.put(&text_at(x + BAR + 3, bottom.max(top + 22), class, &sign));
    }

    fn row(&mut self, row: &Row) {
        if let Some(top) = row.heads {
            self.heads(top);
        }
        let (first, last) = row.moments;
        if first < last {
            self.across("fold", row);
        } else {
            self.put(&text_at(10, row.arrow + 4, "small soft", &last.to_string()));
            if let Some(index) = last.checked_sub(1).filter(|index| *index < self.chart.steps.len()) {
                let step = &self.chart.steps[index];
                let _ = writeln!(self.out, "<g><title>{}</title>", xml(&step.words(&self.chart.lifelines)));
                self.happening(&step.happening, row);
                self.put("</g>");
            }
        }
        let (x, width) = self.geometry.facts;
        let mut y = row.arrow + 4;
        for line in &row.facts {
            self.put(&text_at(x, y, "small soft", line));
            y += 16;
        }
        y += 4;
        for note in &row.notes {
            let top = y - 10;
            self.put(&format!(
                "<rect class=\"note\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{}\" rx=\"3\"/>",
                note.len() * 16 + 4
            ));
            for line in note {
                self.put(&text_at(x + 6, y + 3, "small ink", line));
                y += 16;
            }
            y += 12;
        }
    }

    fn happening(&mut self, happening: &Happening, row: &Row) {
        let at = |index: usize| self.geometry.lifelines[index];
        let y = row.arrow;
        match happening {
            Happening::Message { from, to, .. } => {
                let next = nearest(*from, to).unwrap_or(*from);
                self.label((at(*from) + at(next)) / 2, row);
                for index in to {
                    self.arrow(at(*from), at(*index), y);
                }
            }
            Happening::Sent { from, .. } => {
                let next =
                    if from + 1 < self.chart.lifelines.len() { from + 1 } else { from.saturating_sub(1) };
                let middle = match next == *from {
                    true => at(*from) + 26 + longest(row) / 2,
                    false => (at(*from) + at(next)) / 2,
                };
                self.label(middle, row);
            }
            Happening::Received { at: index, .. } => self.label(at(*index) + 12 + longest(row) / 2, row),
            Happening::Own { at: index, .. } => {
                let x = at(*index);
                let top = y - 12;
                self.put(&format!("<path class=\"line\" d=\"M{x} {top}h20v12h-12\"/>"));
                self.put(&format!("<path class=\"tip\" d=\"M{} {y}l9 -5v10z\"/>", x + 1));
                self.label(x + 26 + longest(row) / 2, row);
            }
            Happening::Together(actions) => {
                let last = self.chart.lifelines.len() - 1;
                self.line("band", (at(0), y), (at(last), y));
                for (index, action) in actions.iter().enumerate().take(last + 1) {
                    self.plate(at(index), y + 4, length(action));
                    self.middle_text(at(index), y + 4, "ink", action);
                }
            }
            Happening::Tick(_) => self.across("time", row),
            Happening::Nobody(_) | Happening::Deadlock => self.across("band", row),
        }
    }

    /// A line across all lifelines with its label.
    fn across(&mut self, class: &str, row: &Row) {
        let (begin, end) = self.geometry.region;
        self.line(class, (begin, row.arrow), (end, row.arrow));
        self.label((begin + end) / 2, row);
    }

    /// The label above the arrow.
    fn label(&mut self, middle: usize, row: &Row) {
        let lines = row.label.len();
        for (index, line) in row.label.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            let y = row.arrow - 6 - 16 * (lines - 1 - index);
            self.plate(middle, y, length(line));
            self.middle_text(middle, y, "ink", line);
        }
    }

    fn arrow(&mut self, from: usize, to: usize, y: usize) {
        self.put(&format!("<circle class=\"tip\" cx=\"{from}\" cy=\"{y}\" r=\"3\"/>"));
        let (end, tip, back) = if from < to { (to - 8, to - 1, -10) } else { (to + 8, to + 1, 10) };
        self.line("line", (from, y), (end, y));
        self.put(&format!("<path class=\"tip\" d=\"M{tip} {y}l{back} -5v10z\"/>"));
    }
}

/// The width of the longest line of a label.
fn longest(row: &Row) -> usize {
    width_of(row.label.iter().map(|line| length(line)).max().unwrap_or(0))
}
