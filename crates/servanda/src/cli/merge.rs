//! Options of the command line go before those of a project, and those of a model before those of all models.

use super::args::{EngineArguments, LimitArguments, ReadingArguments};

/// What can be said in several places.
pub(crate) trait Merge {
    /// What is said here, and where nothing is said what is said there.
    #[must_use]
    fn or(&self, other: &Self) -> Self;
}

impl Merge for EngineArguments {
    fn or(&self, other: &Self) -> Self {
        EngineArguments {
            engine: self.engine.or(other.engine),
            threads: self.threads.or(other.threads),
            bound: self.bound.or(other.bound),
            stats: self.stats || other.stats,
        }
    }
}

impl Merge for LimitArguments {
    fn or(&self, other: &Self) -> Self {
        LimitArguments { timeout: self.timeout.or(other.timeout), memory: self.memory.or(other.memory) }
    }
}

impl Merge for ReadingArguments {
    fn or(&self, other: &Self) -> Self {
        ReadingArguments {
            acts: self.acts.or(other.acts),
            past: self.past.or(other.past),
            validity: self.validity.or(other.validity),
            deadlock: self.deadlock.or(other.deadlock),
            uniform: self.uniform || other.uniform,
        }
    }
}
