//! What the workers of a process and the program tell each other while they work, and why a worker gives no answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use servanda_engine::{Budget, Halt, Progress, Spread, Stop};
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
    /// A process was told something else than the first: its number.
    Parted(usize),
    /// Another process will not be told anything any more.
    Left,
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
///
/// Orders are numbered, and so is what should end: where several processes work together, word of it may come late.
#[derive(Debug, Default)]
pub(crate) struct Board {
    /// The number of the order that is being carried out; 0 until the first one.
    order: AtomicU64,
    /// One more than the number of the last order that should end.
    stopped: AtomicU64,
    /// Why: a word of [`word_of`].
    why: AtomicU64,
    lost: AtomicBool,
    due: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    /// How states are spread over all workers, as far as they have told each other.
    spread: Mutex<Spread>,
    /// What is being decided.
    formula: Mutex<Option<Formula>>,
}

impl Board {
    /// Work begins, and nobody wants it to end yet.
    pub(crate) fn begin(&self, formula: Option<Formula>) {
        *self.formula.lock().unwrap_or_else(PoisonError::into_inner) = formula;
        self.order.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the order that is being carried out.
    pub(crate) fn order(&self) -> u64 {
        self.order.load(Ordering::Relaxed)
    }

    /// What is being decided.
    pub(crate) fn formula(&self) -> Option<Formula> {
        self.formula.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The work should end.
    pub(crate) fn stop(&self, stop: &Stop) {
        self.stop_order(self.order(), word_of(stop));
    }

    /// An order should end, whether or not it is begun.
    pub(crate) fn stop_order(&self, order: u64, why: u64) {
        self.why.store(why, Ordering::Release);
        self.stopped.fetch_max(order + 1, Ordering::Release);
    }

    /// Should the work end?
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) > self.order() || self.is_lost()
    }

    /// Why it should, as a word; 0 where it should not.
    pub(crate) fn why(&self) -> u64 {
        if self.stopped.load(Ordering::Acquire) > self.order() { self.why.load(Ordering::Acquire) } else { 0 }
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
    #[inline]
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// States and transitions found by the workers of this process.
    pub(crate) fn found(&self) -> (u64, u64) {
        (self.states.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed))
    }

    /// How states are spread over all workers, as far as they have told each other.
    pub(crate) fn spread(&self) -> Spread {
        self.spread.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The workers have told each other how states are spread.
    pub(crate) fn tell_spread(&self, spread: Spread) {
        *self.spread.lock().unwrap_or_else(PoisonError::into_inner) = spread;
    }

    /// A worker has found more.
    pub(crate) fn add(&self, states: u64, transitions: u64) {
        self.states.fetch_add(states, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }
}

/// What only computes asks the board whether to go on.
impl Budget for Board {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        if self.is_stopped() { Err(Stop::Interrupted) } else { Ok(()) }
    }
}

/// Why work should end, so that it can be told to other processes.
pub(crate) fn word_of(stop: &Stop) -> u64 {
    match stop {
        Stop::Time => 1,
        Stop::Memory => 2,
        Stop::Interrupted | Stop::Lost(_) => 3,
        Stop::Bound => 4,
        Stop::Answered => 5,
        Stop::Share => 6,
    }
}

/// From such a word.
pub(crate) fn stop_of(word: u64) -> Stop {
    match word {
        1 => Stop::Time,
        2 => Stop::Memory,
        4 => Stop::Bound,
        5 => Stop::Answered,
        6 => Stop::Share,
        _ => Stop::Interrupted,
    }
}
