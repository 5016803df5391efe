//! Messages under way: slanted arrows from where they are sent to where they are received.

use std::fmt::Write as _;

use super::geometry::Geometry;
use crate::escape::xml;
use crate::{Chart, Flight, Landing};

type Point = (f64, f64);

/// Draws all messages that are under way at some moment.
pub(super) fn flights(out: &mut String, chart: &Chart, geometry: &Geometry) {
    let painter = Flights { chart, geometry };
    for flight in &chart.flights {
        if let Some((begin, end)) = painter.ends(flight) {
            let _ = writeln!(out, "<g><title>{}</title>", xml(&flight.words(&chart.lifelines)));
            painter.draw(out, flight, begin, end);
            out.push_str("</g>\n");
        }
    }
}

struct Flights<'a> {
    chart: &'a Chart,
    geometry: &'a Geometry,
}

impl Flights<'_> {
    /// Where a flight begins and ends; nothing where both are in steps that are not drawn.
    fn ends(&self, flight: &Flight) -> Option<(Point, Point)> {
        let first = self.geometry.row(flight.from)?;
        let last = flight.end.moment().and_then(|moment| self.geometry.row(moment));
        if first.moments.0 < first.moments.1 && last.is_some_and(|last| last.moments == first.moments) {
            return None;
        }
        let top = first.arrow as f64;
        let bottom = last.map_or(self.geometry.height - 16, |row| row.arrow) as f64;
        let (from, to) = self.columns(flight);
        let from = match flight.copy_of.and_then(|of| self.chart.flights.get(of)) {
            // A copy begins where the message is of which it is one.
            Some(original) if original.copy_of.is_none() => {
                self.ends(original).map_or(from, |(begin, end)| {
                    let share = ((top - begin.1) / (end.1 - begin.1).max(1.0)).clamp(0.0, 1.0);
                    begin.0 + (end.0 - begin.0) * share
                })
            }
            Some(_) => (from + to) / 2.0,
            None => from,
        };
        let share = match flight.end {
            Landing::Received(_) => 1.0,
            Landing::Lost(_) => 0.5,
            Landing::UnderWay => 0.75,
        };
        Some(((from, top), (from + (to - from) * share, bottom)))
    }

    /// The columns from which and to which it goes.
    fn columns(&self, flight: &Flight) -> (f64, f64) {
        let at = |index: usize| self.geometry.lifelines.get(index).map(|x| *x as f64);
        let sender = flight.sender.and_then(at);
        let beside =
            |x: f64, index: usize| at(index + 1).or(index.checked_sub(1).and_then(at)).unwrap_or(x + 80.0);
        match (sender, flight.receiver.and_then(at)) {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => (from, beside(from, flight.sender.unwrap_or(0))),
            (None, Some(to)) => (self.geometry.region.0 as f64, to),
            (None, None) => (self.geometry.region.0 as f64, self.geometry.region.1 as f64),
        }
    }

    fn draw(&self, out: &mut String, flight: &Flight, begin: Point, end: Point) {
        let _ = writeln!(out, "<circle class=\"tip\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", begin.0, begin.1);
        // What comes back to its sender goes round.
        let near = if (begin.0 - end.0).abs() < 1.0 {
            let turn = (begin.0 + 40.0, (begin.1 + end.1) / 2.0);
            line(out, begin, turn);
            turn
        } else {
            begin
        };
        match flight.end {
            Landing::Received(_) => arrow(out, near, end),
            Landing::Lost(_) => {
                line(out, near, end);
                let (x, y) = end;
                let _ = writeln!(
                    out,
                    "<path class=\"lost\" d=\"M{:.1} {:.1}l12 12m0 -12l-12 12\"/>",
                    x - 6.0,
                    y - 6.0
                );
            }
            Landing::UnderWay => {
                line(out, near, end);
                let _ =
                    writeln!(out, "<circle class=\"open\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"/>", end.0, end.1);
            }
        }
    }
}

fn line(out: &mut String, (x1, y1): Point, (x2, y2): Point) {
    let _ =
        writeln!(out, "<line class=\"line\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
}

/// A line with a tip that points along it.
fn arrow(out: &mut String, from: Point, to: Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (to.0 - dx, to.1 - dy);
    let back = (tip.0 - 10.0 * dx, tip.1 - 10.0 * dy);
    line(out, from, back);
    let _ = writeln!(
        out,
        "<path class=\"tip\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        tip.0,
        tip.1,
        back.0 - 5.0 * dy,
        back.1 + 5.0 * dx,
        back.0 + 5.0 * dy,
        back.1 - 5.0 * dx,
    );
}
