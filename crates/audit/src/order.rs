//! Lines sorted by their times, within a window.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::finding::Line;

/// A line that is kept back until nothing can come before it any more.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) time: i64,
    /// How many lines came before it.
    number: u64,
    pub(crate) at: Line,
    pub(crate) text: String,
}

/// Lines that are kept back.
#[derive(Debug)]
pub(crate) struct Sorter {
    window: i64,
    held: BinaryHeap<Reverse<Held>>,
    newest: i64,
    /// The time of the last line that was let go.
    gone: i64,
    number: u64,
}

impl Sorter {
    pub(crate) fn new(window: i64) -> Self {
        Sorter { window, held: BinaryHeap::new(), newest: i64::MIN, gone: i64::MIN, number: 0 }
    }

    /// Keeps a line back. One without a time counts as the latest so far. Is it too late for its place? Then it is not kept.
    pub(crate) fn push(&mut self, text: &str, at: Line, time: Option<i64>) -> bool {
        let time = time.unwrap_or(self.newest.max(0));
        if time < self.gone {
            return true;
        }
        self.newest = self.newest.max(time);
        self.number += 1;
        self.held.push(Reverse(Held { time, number: self.number, at, text: text.to_owned() }));
        false
    }

    /// The next line that nothing can come before any more.
    pub(crate) fn next(&mut self) -> Option<Held> {
        let Reverse(first) = self.held.peek()?;
        if first.time > self.newest.saturating_sub(self.window) { None } else { self.rest() }
    }

    /// The next line, whatever may come.
    pub(crate) fn rest(&mut self) -> Option<Held> {
        let Reverse(held) = self.held.pop()?;
        self.gone = held.time;
        Some(held)
    }
}
