//! How far a run has come, on a terminal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use servanda::Rate;
use servanda_engine::Progress;

use super::memory;

/// A run that is done sooner shows nothing.
const UNSHOWN: Duration = Duration::from_millis(400);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// One changing line on standard error.
pub(crate) struct Spinner {
    line: Mutex<Line>,
    /// When the line may change next, in milliseconds of the run's clock.
    next: AtomicU64,
}

#[derive(Default)]
struct Line {
    /// While it is shown.
    bar: Option<ProgressBar>,
    /// Nothing is shown any more.
    closed: bool,
    /// What is being done: which property of how many, for example.
    task: String,
    rate: Rate,
}

impl Line {
    fn show(&mut self, message: String) {
        if !self.closed {
            let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
            bar.set_message(message);
            bar.tick();
        }
    }
}

impl Spinner {
    /// Shows nothing yet.
    pub(crate) fn new() -> Self {
        Spinner { line: Mutex::default(), next: AtomicU64::new(milliseconds(UNSHOWN)) }
    }

    /// Says what is being done from now on.
    pub(crate) fn begin(&self, task: String) {
        self.line().task = task;
    }

    /// Shows how far the run has come after `elapsed`, unless the line has just changed.
    pub(crate) fn show(&self, progress: Progress, elapsed: Duration) {
        let now = milliseconds(elapsed);
        // Who has done nothing yet only asks whether to go on, and says nothing.
        if now < self.next.load(Ordering::Relaxed) || steps(progress) == 0 {
            return;
        }
        self.next.store(now + milliseconds(INTERVAL), Ordering::Relaxed);
        let mut line = self.line();
        let rate = line.rate.after(steps(progress), elapsed);
        let message = message(&line.task, progress, rate, elapsed, memory::resident());
        line.show(message);
    }

    /// Shows something else, unless the line has just changed.
    pub(crate) fn say(&self, message: impl FnOnce() -> String, elapsed: Duration) {
        let now = milliseconds(elapsed);
        if now >= self.next.load(Ordering::Relaxed) {
            self.next.store(now + milliseconds(INTERVAL), Ordering::Relaxed);
            self.line().show(format!("{}, {} s", message(), elapsed.as_secs()));
        }
    }

    /// Leaves a line above the one that changes, where that is shown.
    pub(crate) fn tell(&self, line: &str) {
        if let Some(bar) = &self.line().bar {
            bar.println(line);
        }
    }

    /// Takes the line away until there is something to show again.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.line().bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Takes the line away for good.
    pub(crate) fn close(&self) {
        self.line().closed = true;
        self.clear();
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn steps(progress: Progress) -> u64 {
    match progress {
        Progress::Exploring { states, .. } => states,
        Progress::Deciding { nodes } => nodes,
        Progress::Reading { lines } => lines,
    }
}

fn message(
    task: &str,
    progress: Progress,
    rate: Option<f64>,
    elapsed: Duration,
    memory: Option<u64>,
) -> String {
    let (work, unit) = match progress {
        Progress::Exploring { states, transitions } => {
            (format!("exploring, {states} states, {transitions} transitions"), "states")
        }
        Progress::Deciding { nodes } => (format!("deciding, {nodes} nodes"), "nodes"),
        Progress::Reading { lines } => (format!("reading, {lines} lines"), "lines"),
    };
    let task = if task.is_empty() { String::new() } else { format!("{task}: ") };
    let rate = rate.map_or(String::new(), |rate| format!(", {rate:.0} {unit}/s"));
    let memory = memory.map_or(String::new(), |bytes| format!(", {} MB", bytes >> 20));
    format!("{task}{work}{rate}, {} s{memory}", elapsed.as_secs())
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_how_far_how_fast_how_long_and_how_much() {
        let exploring = Progress::Exploring { states: 1200, transitions: 3400 };
        let line = message("property 2 of 5", exploring, Some(600.4), Duration::from_secs(2), Some(64 << 20));
        assert_eq!(
            line,
            "property 2 of 5: exploring, 1200 states, 3400 transitions, 600 states/s, 2 s, 64 MB"
        );
        let deciding = message("", Progress::Deciding { nodes: 7 }, None, Duration::ZERO, None);
        assert_eq!(deciding, "deciding, 7 nodes, 0 s");
    }
}
