//! The states that are to be expanded, taken a few at a time by whichever thread is free.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

/// States taken at once.
const FEW: usize = 64;

/// The states of one distance that one thread has found.
#[derive(Default)]
pub(crate) struct Frontier {
    /// States one after the other.
    states: RwLock<Vec<u64>>,
    /// Words before this one have been taken.
    taken: AtomicUsize,
}

impl Frontier {
    /// Calls `expand` with a few states at a time, each given to one thread only, until there are no more or `expand` says not to
    /// go on. What was given is not given again.
    pub(crate) fn take(&self, words: usize, mut expand: impl FnMut(&[u64]) -> bool) {
        let states = self.states.read().unwrap_or_else(PoisonError::into_inner);
        // The counter may pass the end, once for each thread that asks.
        while self.taken.load(Ordering::Relaxed) < states.len() {
            let from = self.taken.fetch_add(FEW * words, Ordering::Relaxed).min(states.len());
            let to = (from + FEW * words).min(states.len());
            if !expand(&states[from..to]) {
                return;
            }
        }
    }

    /// How many words have not been taken.
    pub(crate) fn left(&self) -> usize {
        let states = self.states.read().unwrap_or_else(PoisonError::into_inner);
        states.len().saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Begins anew with these states; the room of the old ones goes to the caller.
    pub(crate) fn renew(&self, next: &mut Vec<u64>) {
        let mut states = self.states.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *states, next);
        next.clear();
        self.taken.store(0, Ordering::Relaxed);
    }
}
