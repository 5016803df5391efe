//! When a run must stop: time, memory, Ctrl-C.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use servanda::{Clock, Watch};
use servanda_engine::{Budget, Progress, Spread, Stop, Verdict};

use super::args::LimitArguments;
use super::memory;

pub(crate) use super::watcher::{Explored, Limits};

impl Limits {
    /// The same as what watches over a run.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { budget: self, clock: self }
    }

    /// Leaves a line above the display of progress, where that is shown.
    pub(crate) fn tell(&self, line: &str) {
        if let Some(spinner) = &self.spinner {
            spinner.tell(line);
        }
    }

    /// Takes the display of progress away where results are about to be written in its place.
    pub(crate) fn make_way(&self) {
        if io::stdout().is_terminal() {
            self.clear_progress();
        }
    }

    /// The limits of one file among several, besides those of the whole run.
    ///
    /// `task` says which, for the display of progress.
    pub(crate) fn within(&self, own: &LimitArguments, task: String) -> FileLimits<'_> {
        self.alive();
        self.held.store(0, Ordering::Relaxed);
        self.take_explored();
        self.weighed.fetch_or(own.memory.is_some(), Ordering::Relaxed);
        self.look();
        let deadline = own.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let (verdicts, teller) = (Arc::default(), OnceLock::new());
        FileLimits { run: self, task, verdicts, teller, deadline, memory: own.memory }
    }
}

impl Clock for Limits {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn work(&self) -> Duration {
        memory::thread_time().unwrap_or_else(|| self.elapsed())
    }

    fn left(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_sub(self.elapsed()))
    }
}

impl Budget for Limits {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        if let Some(stop) = self.reason() {
            self.alive();
            return Err(stop);
        }
        if let Progress::Exploring { states, transitions } = progress {
            self.hear_explored(states, transitions);
        }
        if let Some(spinner) = &self.spinner {
            spinner.show(progress, self.elapsed());
        }
        Ok(())
    }

    fn spread(&self, spread: &Spread) {
        if let Some(spinner) = &self.spinner {
            spinner.spread(spread, self.elapsed());
        }
    }
}

/// What is known of the properties of a file so far: which, by whom, and the verdict.
pub(crate) type Verdicts = Mutex<Vec<(usize, &'static str, Verdict)>>;

/// Takes a verdict: which property, by whom, what, in how many seconds.
/// Gives a line for who watches.
type Teller = Box<dyn Fn(usize, &'static str, &Verdict, f64) -> Option<String> + Send + Sync>;

/// The limits of one file among several.
pub(crate) struct FileLimits<'r> {
    pub(crate) run: &'r Limits,
    task: String,
    /// The verdicts so far, for whoever has to end the run.
    pub(crate) verdicts: Arc<Verdicts>,
    /// Who is told each verdict when it is known.
    teller: OnceLock<Teller>,
    deadline: Option<Instant>,
    memory: Option<u64>,
}

impl FileLimits<'_> {
    /// The same as what watches over a run.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { budget: self, clock: self }
    }

    /// Has each verdict told when it is known.
    pub(crate) fn tell_decided(
        &self,
        teller: impl Fn(usize, &'static str, &Verdict, f64) -> Option<String> + Send + Sync + 'static,
    ) {
        // There is one file, and it is read once.
        let _ = self.teller.set(Box::new(teller));
    }
}

impl Clock for FileLimits<'_> {
    fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }

    fn work(&self) -> Duration {
        self.run.work()
    }

    fn left(&self) -> Option<Duration> {
        let own = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        own.into_iter().chain(self.run.left()).min()
    }
}

impl Budget for FileLimits<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.run.progress(progress)?;
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        // A file that once held too much is not given another chance.
        let held = self.run.held.load(Ordering::Relaxed);
        if self.memory.is_some_and(|most| held > most) { Err(Stop::Memory) } else { Ok(()) }
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        self.run.has_room(bytes as u64, self.memory)
    }

    fn spread(&self, spread: &Spread) {
        self.run.spread(spread);
    }

    fn deciding(&self, question: usize, of: usize) {
        if let Some(spinner) = &self.run.spinner {
            spinner.begin(format!("{}property {} of {of}", self.task, question + 1));
        }
    }

    fn decided(&self, question: usize, engine: &'static str, verdict: &Verdict, seconds: f64) {
        {
            let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            // What is asked later, to say more about a verdict, is not what the user asked.
            if verdicts.iter().any(|(known, _, verdict)| *known == question && verdict.decided().is_some()) {
                return;
            }
            verdicts.push((question, engine, verdict.clone()));
        }
        if let Some(teller) = self.teller.get().filter(|_| verdict.decided().is_some()) {
            self.run.make_way();
            if let Some(line) = teller(question, engine, verdict, seconds) {
                self.run.tell(&line);
            }
        }
    }
}
