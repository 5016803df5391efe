//! How far a run has come: on a terminal for people, or line by line for programs.

mod lines;
mod workers;

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use servanda::Rate;
use servanda_engine::{Progress, Spread};

use super::memory;

use workers::Workers;

pub(crate) use lines::Tally;

/// A run that is done sooner shows nothing.
const UNSHOWN: Duration = Duration::from_millis(400);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// How often there is a line for programs.
const LINE_INTERVAL: Duration = Duration::from_millis(500);

/// For whom it is shown, on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// One changing line.
    Person,
    /// JSON, line after line.
    Program,
}

/// What is shown on standard error while a run goes on.
pub(crate) struct Spinner {
    reader: Reader,
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
    workers: Workers,
}

impl Line {
    /// There is nobody left to tell when standard error is closed.
    fn write(&self, line: &lines::Line<'_>) {
        if !self.closed {
            let _ = io::stderr().write_all(line.text().as_bytes());
        }
    }

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
    pub(crate) fn new(reader: Reader) -> Self {
        Spinner { reader, line: Mutex::default(), next: AtomicU64::new(milliseconds(UNSHOWN)) }
    }

    /// Says what is being done from now on.
    pub(crate) fn begin(&self, task: String) {
        self.line().task = task;
    }

    /// Shows how far the run has come after `elapsed`, unless the line has just changed.
    pub(crate) fn show(&self, progress: Progress, elapsed: Duration) {
        // Who has done nothing yet only asks whether to go on, and says nothing.
        if steps(progress) == 0 || !self.may_change(elapsed) {
            return;
        }
        let mut line = self.line();
        let rate = line.rate.after(steps(progress), elapsed);
        let memory = memory::resident();
        match self.reader {
            Reader::Person => {
                let whole = message(&line.task, progress, rate, elapsed, memory);
                let message = whole + &line.workers.lines();
                line.show(message);
            }
            Reader::Program => {
                let task = line.task.trim_end_matches([',', ' ']);
                let known = lines::Line::new(Some(progress), &line.workers.spread);
                line.write(&lines::Line {
                    seconds: seconds(elapsed),
                    task,
                    rate,
                    memory_bytes: memory,
                    ..known
                });
            }
        }
    }

    /// Hears how states are spread over workers, for what is shown next.
    pub(crate) fn spread(&self, spread: &Spread, elapsed: Duration) {
        self.line().workers.hear(spread, elapsed);
    }

    /// Shows how far a fleet has come, unless something has just been shown.
    pub(crate) fn fleet(&self, tally: impl FnOnce() -> Tally, elapsed: Duration) {
        if !self.may_change(elapsed) {
            return;
        }
        let (tally, mut line) = (tally(), self.line());
        match self.reader {
            Reader::Person => line.show(format!("{}, {} s", tally.words(), elapsed.as_secs())),
            Reader::Program => {
                let known = lines::Line::new(None, &line.workers.spread);
                line.write(&lines::Line { seconds: seconds(elapsed), fleet: Some(tally), ..known });
            }
        }
    }

    /// May something be shown again?
    fn may_change(&self, elapsed: Duration) -> bool {
        let now = milliseconds(elapsed);
        let interval = if self.reader == Reader::Person { INTERVAL } else { LINE_INTERVAL };
        let may = now >= self.next.load(Ordering::Relaxed);
        if may {
            self.next.store(now + milliseconds(interval), Ordering::Relaxed);
        }
        may
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

/// To the millisecond.
fn seconds(duration: Duration) -> f64 {
    milliseconds(duration) as f64 / 1e3
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
