//! A line of characters while it is being drawn.

use crate::layout::{length, visible};

/// A line that is being drawn.
pub(super) struct Line(pub(super) Vec<char>);

impl Line {
    pub(super) fn set(&mut self, at: usize, character: char) {
        if self.0.len() <= at {
            self.0.resize(at + 1, ' ');
        }
        self.0[at] = visible(character);
    }

    pub(super) fn write(&mut self, at: usize, text: &str) {
        for (offset, character) in text.chars().enumerate() {
            self.set(at + offset, character);
        }
    }

    pub(super) fn with(mut self, at: usize, text: &str) -> Self {
        self.write(at, text);
        self
    }

    /// A horizontal line without its ends. What is under way goes on behind it.
    pub(super) fn across(&mut self, from: usize, to: usize) {
        for column in from.min(to) + 1..from.max(to) {
            let crossed = self.0.get(column) == Some(&UNDER_WAY);
            self.set(column, if crossed { '┼' } else { '─' });
        }
    }

    /// A text in the middle between two columns.
    pub(super) fn label(&mut self, from: usize, to: usize, label: &str) {
        if !label.is_empty() {
            let (left, right) = (from.min(to), from.max(to));
            let room = (right - left).saturating_sub(1);
            let middle = left + 1 + room.saturating_sub(length(label) + 2) / 2;
            self.write(middle, &format!(" {label} "));
        }
    }

    /// An arrow to one or several lifelines, each of which has its tip.
    pub(super) fn arrow(&mut self, from: usize, to: &[usize]) {
        let left = to.iter().copied().filter(|to| *to < from).min();
        let right = to.iter().copied().filter(|to| *to > from).max();
        for end in [left, right].into_iter().flatten() {
            self.across(from, end);
        }
        for at in to.iter().copied().filter(|at| *at != from) {
            let is_last = Some(at) == left || Some(at) == right;
            self.set(at, if is_last { '│' } else { '┼' });
            if at < from { self.set(at + 1, '◀') } else { self.set(at - 1, '▶') }
        }
        match (left, right) {
            (Some(_), Some(_)) => self.set(from, '┼'),
            (Some(_), None) => self.set(from, '┤'),
            (None, _) => self.set(from, '├'),
        }
    }

    /// A message leaves a lifeline for the column in which it is under way.
    pub(super) fn sent(&mut self, from: usize, column: usize) {
        self.across(from, column);
        let (tail, corner) = if from < column { ('├', '╮') } else { ('┤', '╭') };
        self.set(from, tail);
        self.set(column, corner);
    }

    /// A message arrives at a lifeline from the column in which it was under way.
    pub(super) fn received(&mut self, column: usize, at: usize) {
        self.across(column, at);
        self.set(at, '│');
        if column < at {
            self.set(column, '╰');
            self.set(at - 1, '▶');
        } else {
            self.set(column, '╯');
            self.set(at + 1, '◀');
        }
    }
}

/// The sign of what is under way.
pub(super) const UNDER_WAY: char = '┊';
