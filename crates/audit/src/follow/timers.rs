//! Timers of slices, in the time of the lines: a label that is taken unless something else came.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Moment;
use crate::finding::Line;
use crate::judge::{Judge, Letter};
use crate::mapping::Timer;

struct Rule {
    after: Vec<Letter>,
    /// Empty: every label stops it.
    unless: Vec<Letter>,
    within: i64,
    label: Letter,
}

/// A timer of a slice that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    time: i64,
    position: u32,
    rule: u32,
    /// Which of all timers ever started.
    number: u64,
    /// The line that started it.
    at: Line,
}

/// The timers of a view.
pub(super) struct Timers {
    rules: Vec<Rule>,
    due: BinaryHeap<Reverse<Due>>,
    /// Those that run, by slice and rule.
    running: FxHashMap<(u32, u32), u64>,
    started: u64,
}

impl Timers {
    pub(super) fn new(timers: &[Timer], judge: &mut Judge<'_>) -> Self {
        let mut rules = Vec::new();
        for timer in timers {
            let mut letters = |labels: &[servanda_syntax::Text]| {
                labels.iter().map(|label| judge.letter(&label.text)).collect::<Vec<Letter>>()
            };
            let (after, unless) = (letters(&timer.after), letters(&timer.unless));
            let label = judge.letter(&timer.label.text);
            rules.push(Rule { after, unless, within: timer.within, label });
        }
        Timers { rules, due: BinaryHeap::new(), running: FxHashMap::default(), started: 0 }
    }

    /// Are there any?
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// A slice has said something.
    #[inline]
    pub(super) fn said(&mut self, position: u32, letter: Letter, moment: Moment, judge: &Judge<'_>) {
        if self.rules.is_empty() {
            return;
        }
        let is_one = |letters: &[Letter]| letters.iter().any(|whole| judge.is_within(letter, *whole));
        for (number, rule) in self.rules.iter().enumerate() {
            let key = (position, number as u32);
            if rule.unless.is_empty() || is_one(&rule.unless) {
                self.running.remove(&key);
            }
            if let Some(time) = moment.time.filter(|_| is_one(&rule.after)) {
                self.started += 1;
                self.running.insert(key, self.started);
                let time = time.saturating_add(rule.within);
                let due = Due { time, position, rule: number as u32, number: self.started, at: moment.at };
                self.due.push(Reverse(due));
            }
        }
        // What was stopped long before it was due would pile up.
        if self.due.len() > 64 && self.due.len() > 4 * self.running.len() {
            let running = &self.running;
            self.due.retain(|Reverse(due)| running.get(&(due.position, due.rule)) == Some(&due.number));
        }
    }

    /// A slice is gone.
    pub(super) fn gone(&mut self, position: u32) {
        for rule in 0..self.rules.len() {
            self.running.remove(&(position, rule as u32));
        }
    }

    /// The next timer whose time is over before a moment: its slice, what it says and when, and the line that started it.
    pub(super) fn over(&mut self, time: i64) -> Option<(u32, Letter, i64, Line)> {
        while let Some(Reverse(due)) = self.due.peek().copied() {
            if due.time >= time {
                return None;
            }
            self.due.pop();
            let key = (due.position, due.rule);
            if self.running.get(&key) == Some(&due.number) {
                self.running.remove(&key);
                return Some((due.position, self.rules[due.rule as usize].label, due.time, due.at));
            }
        }
        None
    }
}
