//! The clock of a run.

use std::time::{Duration, Instant};

use super::memory;
use crate::Clock;

/// The time since it was made: engines that share the work need to know whose turn it is, limits or not.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Stopwatch(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn work(&self) -> Duration {
        memory::thread_time().unwrap_or_else(|| self.elapsed())
    }
}
