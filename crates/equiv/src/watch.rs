//! Asking now and then whether to stop.

use servanda_engine::{Budget, Halt, Progress};

/// How many steps of work lie between two questions.
const EVERY: u64 = 4096;

/// Counts steps of work and asks the budget every few thousand of them.
pub(crate) struct Watch<'a> {
    budget: &'a dyn Budget,
    steps: u64,
    asked: u64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(budget: &'a dyn Budget) -> Self {
        Watch { budget, steps: 0, asked: 0 }
    }

    /// So much was done.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), Halt> {
        self.steps += steps as u64 + 1;
        if self.steps - self.asked < EVERY {
            return Ok(());
        }
        self.ask()
    }

    /// Asks at once.
    pub(crate) fn ask(&mut self) -> Result<(), Halt> {
        self.asked = self.steps;
        Progress::Deciding { nodes: self.steps }.tell(self.budget)
    }
}
