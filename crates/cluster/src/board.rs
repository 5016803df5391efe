//! What the workers of a process and the program tell each other while they work, and why a worker gives no answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use servanda_engine::Halt;
use servanda_logic::Formula;

use crate::fabric::Lost;

/// Why a worker gives no answer.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// The program wants the work to end.
    Stopped,
    /// The model, the formula or this engine is to blame.
    Halt(Halt),
    /// Another worker is gone.
    Lost,
}

impl From<Lost> for Trouble {
    fn from(_: Lost) -> Self {
        Trouble::Lost
    }
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Self {
        Trouble::Halt(halt)
    }
}

/// Shared by the workers of a process and the program.
#[derive(Debug, Default)]
pub(crate) struct Board {
    stop: AtomicBool,
    lost: AtomicBool,
    due: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    /// What is being decided.
    formula: Mutex<Option<Formula>>,
}

impl Board {
    /// Work begins, and nobody wants it to end yet.
    pub(crate) fn begin(&self, formula: Option<Formula>) {
        self.stop.store(false, Ordering::Relaxed);
        *self.formula.lock().unwrap_or_else(PoisonError::into_inner) = formula;
    }

    /// What is being decided.
    pub(crate) fn formula(&self) -> Option<Formula> {
        self.formula.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The work should end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Should the work end?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// It is time for a checkpoint.
    pub(crate) fn make_due(&self) {
        self.due.store(true, Ordering::Relaxed);
    }

    /// Is it time for a checkpoint?
    pub(crate) fn is_due(&self) -> bool {
        self.due.load(Ordering::Relaxed)
    }

    /// There is a checkpoint now.
    pub(crate) fn is_saved(&self) {
        self.due.store(false, Ordering::Relaxed);
    }

    /// A worker is gone.
    pub(crate) fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Is a worker gone?
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// States and transitions found by the workers of this process.
    pub(crate) fn found(&self) -> (u64, u64) {
        (self.states.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed))
    }

    /// A worker has found more.
    pub(crate) fn add(&self, states: u64, transitions: u64) {
        self.states.fetch_add(states, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }
}
