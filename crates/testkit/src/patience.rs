//! A budget that counts how often it is asked, and has enough after so many questions: what long work has to ask.

use std::sync::atomic::{AtomicU64, Ordering};

use servanda_engine::{Budget, Progress, Stop};

/// Answers so many questions with yes, and all others with no.
pub struct Patience {
    answers: u64,
    asked: AtomicU64,
}

impl Patience {
    /// One that says stop from the question on that follows so many others.
    pub fn of(answers: u64) -> Self {
        Patience { answers, asked: AtomicU64::new(0) }
    }

    /// One that never says stop, and only counts.
    pub fn endless() -> Self {
        Patience::of(u64::MAX)
    }

    /// How often it was asked.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Budget for Patience {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.answers { Ok(()) } else { Err(Stop::Time) }
    }
}
