//! Time and limits, as given by whoever calls.

use std::time::Duration;

use servanda_engine::{Budget, Halt, NoLimits, Progress};
use servanda_report::Phase;

/// Tells how much time has passed since some fixed moment.
pub trait Clock: Sync {
    /// The time passed.
    fn elapsed(&self) -> Duration;

    /// The time for which a processor has worked for the calling thread; the time passed where nobody knows.
    fn work(&self) -> Duration {
        self.elapsed()
    }

    /// The time that is left until a limit, where there is one.
    fn left(&self) -> Option<Duration> {
        None
    }
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Who watches over a run.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Is told how far the run has come and says when to stop.
    pub budget: &'a dyn Budget,
    /// Tells the time.
    pub clock: &'a dyn Clock,
}

impl Watch<'static> {
    /// Nobody: no limits and no clock.
    pub fn none() -> Self {
        Watch { budget: &NoLimits, clock: &NoClock }
    }
}

impl Watch<'_> {
    /// Does something, with the seconds it took.
    pub(crate) fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let before = self.clock.elapsed();
        let result = work();
        (result, self.clock.elapsed().saturating_sub(before).as_secs_f64())
    }

    /// Does something and enters the time it took into `phases`.
    pub(crate) fn phase<T>(
        &self,
        phases: &mut Vec<Phase>,
        name: &'static str,
        work: impl FnOnce() -> T,
    ) -> T {
        let (result, seconds) = self.timed(work);
        phases.push(Phase { name, seconds });
        result
    }
}

/// Engines ask now and then whether to stop; a small model may be done before they do. Asking first makes a run that
/// has no time left stop whatever the size of the model.
pub(crate) fn not_yet_stopped(watch: Watch<'_>) -> Result<(), Halt> {
    Progress::Exploring { states: 0, transitions: 0 }.tell(watch.budget)
}
