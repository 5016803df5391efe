//! What only the program itself can tell of a run: time and memory.

use std::time::Instant;

use servanda_report::{Phase, Run};

use super::memory;

/// The time spent on one file.
pub(crate) struct Stopwatch {
    started: Instant,
    loading: f64,
}

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Stopwatch { started: Instant::now(), loading: 0.0 }
    }

    /// The file is loaded.
    pub(crate) fn loaded(&mut self) {
        self.loading = self.started.elapsed().as_secs_f64();
    }

    /// Enters time and memory into what is reported.
    pub(crate) fn enter_into(&self, run: &mut Run) {
        run.phases.insert(0, Phase { name: "loading", seconds: self.loading });
        run.seconds = self.started.elapsed().as_secs_f64();
        run.peak_memory_bytes = memory::peak();
    }
}
