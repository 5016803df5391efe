//! When a run must stop: time, memory, Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use servanda::{Clock, Watch};
use servanda_engine::{Budget, Progress, Stop, Verdict};

use super::args::LimitArguments;
use super::memory;

pub(crate) use super::watcher::Limits;

/// How often the memory of one file among several is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);

impl Limits {
    /// The same as what watches over a run.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { budget: self, clock: self }
    }

    /// The limits of one file among several, besides those of the whole run.
    ///
    /// `task` says which, for the display of progress.
    pub(crate) fn within(&self, own: &LimitArguments, task: String) -> FileLimits<'_> {
        self.alive();
        let deadline = own.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        FileLimits {
            run: self,
            task,
            verdicts: Arc::default(),
            deadline,
            memory: own.memory,
            look_at: AtomicU64::new(0),
            too_much: AtomicBool::new(false),
        }
    }
}

impl Clock for Limits {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn work(&self) -> Duration {
        memory::thread_time().unwrap_or_else(|| self.elapsed())
    }
}

impl Budget for Limits {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        if let Some(stop) = self.reason() {
            self.alive();
            return Err(stop);
        }
        if let Some(spinner) = &self.spinner {
            spinner.show(progress, self.elapsed());
        }
        Ok(())
    }
}

/// What is known of the properties of a file so far: which, by whom, and the verdict.
pub(crate) type Verdicts = Mutex<Vec<(usize, &'static str, Verdict)>>;

/// The limits of one file among several.
pub(crate) struct FileLimits<'r> {
    pub(crate) run: &'r Limits,
    task: String,
    verdicts: Arc<Verdicts>,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// When memory is looked at next: milliseconds of the run.
    look_at: AtomicU64,
    too_much: AtomicBool,
}

impl FileLimits<'_> {
    /// The same as what watches over a run.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { budget: self, clock: self.run }
    }

    /// The verdicts so far, for whoever has to end the run.
    pub(crate) fn verdicts(&self) -> Arc<Verdicts> {
        Arc::clone(&self.verdicts)
    }

    /// Looks now and then; a file that once held too much is not given another chance.
    fn is_out_of_memory(&self) -> bool {
        let Some(most) = self.memory else { return false };
        let now = self.run.elapsed();
        if now.as_millis() as u64 >= self.look_at.load(Ordering::Relaxed) {
            self.look_at.store((now + MEMORY_INTERVAL).as_millis() as u64, Ordering::Relaxed);
            if memory::resident().is_some_and(|held| held > most) {
                self.too_much.store(true, Ordering::Relaxed);
            }
        }
        self.too_much.load(Ordering::Relaxed)
    }
}

impl Budget for FileLimits<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.run.progress(progress)?;
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        if self.is_out_of_memory() { Err(Stop::Memory) } else { Ok(()) }
    }

    fn deciding(&self, question: usize, of: usize) {
        if let Some(spinner) = &self.run.spinner {
            spinner.begin(format!("{}property {} of {of}", self.task, question + 1));
        }
    }

    fn decided(&self, question: usize, engine: &'static str, verdict: &Verdict) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.push((question, engine, verdict.clone()));
    }
}
