//! The lines, arrows, bars and labels of a chart.

use std::fmt::Write as _;

use super::geometry::{BAR, Geometry, HEAD, LINE, Row, width_of};
use super::words::{bar_class, text_at};
use crate::data::REPEATS;
use crate::escape::xml;
use crate::layout::length;
use crate::{Bar, Chart, End, Happening};

/// The chart as SVG elements.
pub(super) fn chart(chart: &Chart, geometry: &Geometry) -> String {
    let mut painter = Painter { out: String::new(), chart, geometry };
    painter.lifelines();
    painter.repetition();
    for (x, bar) in &geometry.bars {
        painter.bar(*x, bar);
    }
    for (number, row) in geometry.rows.iter().enumerate() {
        painter.row(number, row);
    }
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
        for (index, name) in self.chart.lifelines.iter().enumerate() {
            let (x, half) = (self.geometry.lifelines[index], self.geometry.half_names[index]);
            self.line("life", (x, HEAD), (x, bottom));
            let (left, width) = (x - half, 2 * half);
            self.put(&format!(
                "<rect class=\"head\" x=\"{left}\" y=\"0.5\" width=\"{width}\" height=\"{}\" rx=\"4\"/>",
                HEAD - 1
            ));
            self.middle_text(x, 19, "ink strong", name);
        }
    }

    /// The frame around what repeats.
    fn repetition(&mut self) {
        let Some(first) = self.chart.repeats_from.and_then(|from| self.geometry.rows.get(from + 1)) else {
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
        let rows = &self.geometry.rows;
        let Some(begin) = rows.get(bar.from) else { return };
        let end = bar.end.moment().and_then(|moment| rows.get(moment));
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
        self.put(&text_at(x + BAR + 3, top + 10, "small ink", &commitment.tag));
        let class = match bar.end {
            End::Satisfied(_) => "sign good",
            End::Violated(_) => "sign bad",
            End::Withdrawn(_) | End::Released(_) | End::PassedOn(_) => "sign soft",
            End::Replaced(_) | End::InForce => return,
        };
        let sign = bar.end.sign().to_string();
        self.put(&text_at(x + BAR + 3, bottom.max(top + 22), class, &sign));
    }

    fn row(&mut self, number: usize, row: &Row) {
        self.put(&text_at(10, row.arrow + 4, "small soft", &number.to_string()));
        if let Some(step) = number.checked_sub(1).and_then(|step| self.chart.steps.get(step)) {
            let _ = writeln!(self.out, "<g><title>{}</title>", xml(&step.words(&self.chart.lifelines)));
            self.happening(&step.happening, row);
            self.put("</g>");
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
                self.label((at(*from) + at(*to)) / 2, row);
                self.arrow(at(*from), at(*to), y);
            }
            Happening::Public { from, .. } => {
                let count = self.chart.lifelines.len();
                let next = if from + 1 < count { from + 1 } else { from.saturating_sub(1) };
                self.label((at(*from) + at(next)) / 2, row);
                for index in (0..count).filter(|index| index != from) {
                    self.arrow(at(*from), at(index), y);
                }
            }
            Happening::Own { at: index, .. } => {
                let x = at(*index);
                let top = y - 12;
                self.put(&format!("<path class=\"line\" d=\"M{x} {top}h20v12h-12\"/>"));
                self.put(&format!("<path class=\"tip\" d=\"M{} {y}l9 -5v10z\"/>", x + 1));
                let longest = row.label.iter().map(|line| length(line)).max().unwrap_or(0);
                self.label(x + 26 + width_of(longest) / 2, row);
            }
            Happening::Together(actions) => {
                let last = self.chart.lifelines.len() - 1;
                self.line("band", (at(0), y), (at(last), y));
                for (index, action) in actions.iter().enumerate().take(last + 1) {
                    self.plate(at(index), y + 4, length(action));
                    self.middle_text(at(index), y + 4, "ink", action);
                }
            }
            Happening::Nobody(_) | Happening::Deadlock => {
                let (begin, end) = self.geometry.region;
                self.line("band", (begin, y), (end, y));
                self.label((begin + end) / 2, row);
            }
        }
    }

    /// The label above the arrow.
    fn label(&mut self, middle: usize, row: &Row) {
        let lines = row.label.len();
        for (index, line) in row.label.iter().enumerate() {
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
