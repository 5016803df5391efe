//! What drawings of charts have in common: breaking lines, and a column for every bar.

use crate::{Bar, Chart, Flight};

/// Breaks a text into lines of at most so many characters, at spaces where there are any.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line: Vec<char> = Vec::new();
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().map(visible).collect();
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        while line.len() + word.len() > width {
            let rest = word.split_off(width - line.len());
            line.append(&mut word);
            lines.push(std::mem::take(&mut line));
            word = rest;
        }
        line.append(&mut word);
    }
    lines.push(line);
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

/// Breaks a list into lines, between its items if they are not too long; no lines where there are no items.
pub(crate) fn wrap_items(items: &[String], width: usize) -> Vec<String> {
    const GLUE: char = '\u{a0}';
    if items.is_empty() {
        return Vec::new();
    }
    let glued: Vec<String> = items
        .iter()
        .map(|item| if length(item) < width { item.replace(' ', "\u{a0}") } else { item.clone() })
        .collect();
    wrap(&glued.join(", "), width).into_iter().map(|line| line.replace(GLUE, " ")).collect()
}

/// A character that takes its own place and no other: what would move the cursor or turn the direction of writing is replaced.
pub(crate) fn visible(character: char) -> char {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || turns { '\u{fffd}' } else { character }
}

/// The length of a text in characters.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

/// At most so many characters of a text, with a sign where some are left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.chars().map(visible).collect();
    }
    text.chars().take(most.saturating_sub(1)).map(visible).chain(['…']).collect()
}

/// A column for every bar, such that no two bars share a column at the same time; and how many columns there are.
pub(crate) fn lanes(chart: &Chart) -> (Vec<(usize, Bar)>, usize) {
    let mut order: Vec<Bar> = chart.bars.clone();
    order.sort_by_key(|bar| (bar.from, bar.commitment));
    let mut free_from: Vec<usize> = Vec::new();
    let mut placed = Vec::new();
    for bar in order {
        // The row where one bar ends is not the row where the next begins.
        let lane = free_from.iter().position(|free| *free < bar.from).unwrap_or_else(|| {
            free_from.push(0);
            free_from.len() - 1
        });
        free_from[lane] = bar.end.moment().unwrap_or(usize::MAX);
        placed.push((lane, bar));
    }
    (placed, free_from.len())
}

/// The lifeline to which the arrow goes whose label is written: the next to the right, else the next to the left.
pub(crate) fn nearest(from: usize, to: &[usize]) -> Option<usize> {
    let right = to.iter().copied().filter(|to| *to > from).min();
    right.or_else(|| to.iter().copied().filter(|to| *to < from).max())
}

/// Beside which lifeline a message under way waits, and how far from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Berth {
    /// The lifeline.
    pub(crate) at: usize,
    /// On which side of it.
    pub(crate) side: Side,
    /// The number of the column, counted from the lifeline.
    pub(crate) lane: usize,
}

/// A side of a lifeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A column for every message under way, beside who receives it and towards who sent it; no two share one at the same time.
pub(crate) fn berths(chart: &Chart) -> Vec<Berth> {
    let last = chart.lifelines.len().saturating_sub(1);
    let beside = |flight: &Flight| match (flight.sender, flight.receiver) {
        (Some(sender), Some(receiver)) if sender < receiver => (receiver, Side::Left),
        (_, Some(receiver)) => (receiver, Side::Right),
        (Some(sender), None) if sender < last => (sender + 1, Side::Left),
        (Some(sender), None) if sender > 0 => (sender - 1, Side::Right),
        (sender, None) => (sender.unwrap_or(0), Side::Right),
    };
    // By place: until which moment each column is taken.
    let mut taken: Vec<((usize, Side), Vec<usize>)> = Vec::new();
    let mut order: Vec<usize> = (0..chart.flights.len()).collect();
    order.sort_by_key(|index| chart.flights[*index].from);
    let mut berths = vec![Berth { at: 0, side: Side::Right, lane: 0 }; chart.flights.len()];
    for index in order {
        let flight = &chart.flights[index];
        let (at, side) = beside(flight);
        let known = taken.iter().position(|(place, _)| *place == (at, side)).unwrap_or_else(|| {
            taken.push(((at, side), Vec::new()));
            taken.len() - 1
        });
        let lanes = &mut taken[known].1;
        let lane = lanes.iter().position(|until| *until < flight.from).unwrap_or_else(|| {
            lanes.push(0);
            lanes.len() - 1
        });
        lanes[lane] = flight.end.moment().unwrap_or(usize::MAX);
        berths[index] = Berth { at, side, lane };
    }
    berths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;

    #[test]
    fn lines_break_at_spaces_and_in_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap_items(&["a = 1".to_owned(), "b = 2".to_owned()], 9), ["a = 1,", "b = 2"]);
        assert_eq!(wrap("a\u{1b}[2Jb\nc", 20), ["a\u{fffd}[2Jb\u{fffd}c"]);
    }

    #[test]
    fn bars_that_do_not_meet_share_a_column() {
        let bar = |from, end| Bar { commitment: 0, from, end };
        let bars = vec![bar(1, End::Satisfied(2)), bar(1, End::InForce), bar(3, End::InForce)];
        let chart = Chart { bars, ..Chart::default() };
        let (placed, columns) = lanes(&chart);
        assert_eq!(placed.iter().map(|(lane, _)| *lane).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(columns, 2);
    }
}
