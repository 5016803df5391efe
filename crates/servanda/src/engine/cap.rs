//! A bound on how many states are explored before another engine takes over.

use std::sync::atomic::{AtomicU64, Ordering};

use servanda_engine::{Monitor, Progress, Stop};

/// Stops exploring beyond a number of states, and remembers that it did.
pub(crate) struct Cap<'a> {
    inner: &'a dyn Monitor,
    most: u64,
    /// States and transitions seen when the cap was passed; 0 before.
    states: AtomicU64,
    transitions: AtomicU64,
}

impl<'a> Cap<'a> {
    pub(crate) fn new(inner: &'a dyn Monitor, most: u64) -> Self {
        Cap { inner, most, states: AtomicU64::new(0), transitions: AtomicU64::new(0) }
    }

    /// The states and transitions seen, if it was this cap that stopped the run.
    pub(crate) fn passed(&self) -> Option<(u64, u64)> {
        let seen = (self.states.load(Ordering::Relaxed), self.transitions.load(Ordering::Relaxed));
        (seen.0 > 0).then_some(seen)
    }
}

impl Monitor for Cap<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        // The limits of the user go first: who has no time left has none for another engine either.
        self.inner.progress(progress)?;
        match progress {
            Progress::Exploring { states, transitions } if states > self.most => {
                self.states.store(states, Ordering::Relaxed);
                self.transitions.store(transitions, Ordering::Relaxed);
                Err(Stop::Memory)
            }
            Progress::Exploring { .. } | Progress::Deciding { .. } => Ok(()),
        }
    }
}

/// Stops diagrams that have more than a number of nodes.
pub(crate) struct NodeCap<'a> {
    inner: &'a dyn Monitor,
    most: u64,
}

impl<'a> NodeCap<'a> {
    pub(crate) fn new(inner: &'a dyn Monitor, most: u64) -> Self {
        NodeCap { inner, most }
    }
}

impl Monitor for NodeCap<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.inner.progress(progress)?;
        match progress {
            Progress::Deciding { nodes } if nodes > self.most => Err(Stop::Memory),
            Progress::Exploring { .. } | Progress::Deciding { .. } => Ok(()),
        }
    }
}
