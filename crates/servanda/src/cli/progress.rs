//! How far a run has come, on a terminal.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;
use servanda_engine::Progress;

/// A run that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// One changing line on standard error.
pub(crate) struct Spinner {
    /// The line, while it is shown.
    bar: Mutex<Option<ProgressBar>>,
    /// When the line may change next, in milliseconds of the run's clock.
    next: AtomicU64,
}

impl Spinner {
    /// Shows nothing yet.
    pub(crate) fn new() -> Self {
        Spinner { bar: Mutex::new(None), next: AtomicU64::new(milliseconds(PATIENCE)) }
    }

    /// Shows how far the run has come after `elapsed`, unless the line has just changed.
    pub(crate) fn show(&self, progress: Progress, elapsed: Duration) {
        let now = milliseconds(elapsed);
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + milliseconds(INTERVAL), Ordering::Relaxed);
        let message = match progress {
            Progress::Exploring { states, transitions } => {
                let rate = states as f64 / elapsed.as_secs_f64();
                format!("exploring: {states} states, {transitions} transitions, {rate:.0} states/s")
            }
            Progress::Deciding { nodes } => format!("at work: {nodes} nodes"),
        };
        if let Ok(mut bar) = self.bar.lock() {
            let bar = bar.get_or_insert_with(ProgressBar::new_spinner);
            bar.set_message(message);
            bar.tick();
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.lock().ok().and_then(|mut bar| bar.take()) {
            bar.finish_and_clear();
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
