//! A smaller budget within a larger one.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Budget, Progress, Spread, Stop};

/// Stops work beyond bounds of its own, so that something else can be tried. Who sees [`Stop::Bound`] knows that it was this and not the
/// user's limit, which goes first: who has no time left has none for anything else either.
pub struct Limited<'a> {
    inner: &'a dyn Budget,
    states: u64,
    transitions: u64,
    nodes: u64,
    reports: AtomicU64,
}

impl<'a> Limited<'a> {
    /// The same limits as before.
    pub fn new(inner: &'a dyn Budget) -> Self {
        let reports = AtomicU64::new(u64::MAX);
        Limited { inner, states: u64::MAX, transitions: u64::MAX, nodes: u64::MAX, reports }
    }

    /// At most so many states, and transitions between them, are explored.
    #[must_use]
    pub fn space(self, states: u64, transitions: u64) -> Self {
        Limited { states, transitions, ..self }
    }

    /// At most so many nodes are made to decide.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Limited { nodes, ..self }
    }

    /// Progress is reported at most so often, once every few thousand steps.
    #[must_use]
    pub fn reports(self, reports: u64) -> Self {
        Limited { reports: AtomicU64::new(reports), ..self }
    }
}

impl Budget for Limited<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.inner.progress(progress)?;
        let left = self.reports.load(Ordering::Relaxed).saturating_sub(1);
        self.reports.store(left, Ordering::Relaxed);
        let too_much = match progress {
            Progress::Exploring { states, transitions } => {
                states > self.states || transitions > self.transitions
            }
            Progress::Deciding { nodes } => nodes > self.nodes,
            Progress::Reading { .. } => false,
        };
        if too_much || left == 0 { Err(Stop::Bound) } else { Ok(()) }
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        self.inner.room(bytes)
    }

    fn reached(&self, states: f64) {
        self.inner.reached(states);
    }

    fn spread(&self, spread: &Spread) {
        self.inner.spread(spread);
    }
}
