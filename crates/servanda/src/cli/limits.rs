//! When a run must stop: time, memory, Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use servanda::Clock;
use servanda_engine::{Monitor, Progress, Stop};

use super::args::LimitArguments;
use super::progress::Spinner;
use super::{exit, memory};

/// How often memory is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);

const RUNNING: u8 = 0;
const OUT_OF_MEMORY: u8 = 1;
const INTERRUPTED: u8 = 2;

/// The limits of the whole run, however many files it reads. Also its clock.
pub(crate) struct Limits {
    started: Instant,
    deadline: Option<Instant>,
    /// Why to stop, set by others: the watcher of memory and the handler of Ctrl-C.
    stop: Arc<AtomicU8>,
    spinner: Option<Spinner>,
}

impl Limits {
    /// Starts the clock and begins to watch.
    pub(crate) fn start(limits: &LimitArguments, spinner: Option<Spinner>) -> Result<Self, String> {
        let started = Instant::now();
        let stop = Arc::new(AtomicU8::new(RUNNING));
        if let Some(most) = limits.memory {
            watch_memory(most, &stop)?;
        }
        let interrupt = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            // Whoever asks twice does not want to wait for the report.
            if interrupt.swap(INTERRUPTED, Ordering::Relaxed) == INTERRUPTED {
                std::process::exit(exit::ABORTED);
            }
        })
        .map_err(|error| format!("Ctrl-C cannot be handled: {error}"))?;
        // A deadline too far away to be told is none.
        let deadline = limits.timeout.and_then(|timeout| started.checked_add(timeout));
        Ok(Limits { started, deadline, stop, spinner })
    }

    /// Ends the display of progress, so that results can be written.
    pub(crate) fn clear_progress(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.clear();
        }
    }

    /// The limits of one file among several, besides those of the whole run.
    pub(crate) fn within(&self, own: &LimitArguments) -> FileLimits<'_> {
        let deadline = own.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        FileLimits {
            run: self,
            deadline,
            memory: own.memory,
            look_at: AtomicU64::new(0),
            too_much: AtomicBool::new(false),
        }
    }
}

/// The limits of one file among several.
pub(crate) struct FileLimits<'r> {
    run: &'r Limits,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// When memory is looked at next: milliseconds of the run.
    look_at: AtomicU64,
    too_much: AtomicBool,
}

impl FileLimits<'_> {
    /// Looks now and then; a file that once held too much is not given another chance.
    fn is_out_of_memory(&self) -> bool {
        let Some(most) = self.memory else { return false };
        let now = self.run.started.elapsed();
        if now.as_millis() as u64 >= self.look_at.load(Ordering::Relaxed) {
            self.look_at.store((now + MEMORY_INTERVAL).as_millis() as u64, Ordering::Relaxed);
            if memory::resident().is_some_and(|held| held > most) {
                self.too_much.store(true, Ordering::Relaxed);
            }
        }
        self.too_much.load(Ordering::Relaxed)
    }
}

impl Clock for FileLimits<'_> {
    fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }
}

impl Monitor for FileLimits<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.run.progress(progress)?;
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        if self.is_out_of_memory() { Err(Stop::Memory) } else { Ok(()) }
    }
}

impl Clock for Limits {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Monitor for Limits {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        match self.stop.load(Ordering::Relaxed) {
            OUT_OF_MEMORY => return Err(Stop::Memory),
            INTERRUPTED => return Err(Stop::Interrupted),
            _ => {}
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        if let Some(spinner) = &self.spinner {
            spinner.show(progress, self.started.elapsed());
        }
        Ok(())
    }
}

fn watch_memory(most: u64, stop: &Arc<AtomicU8>) -> Result<(), String> {
    let Some(now) = memory::resident() else {
        return Err(memory::UNKNOWN.to_owned());
    };
    if now > most {
        stop.store(OUT_OF_MEMORY, Ordering::Relaxed);
        return Ok(());
    }
    let stop = Arc::clone(stop);
    // It ends with the program.
    thread::spawn(move || {
        loop {
            thread::sleep(MEMORY_INTERVAL);
            if memory::resident().is_some_and(|now| now > most) {
                // What the user wants goes before what the watcher sees.
                let _ = stop.compare_exchange(RUNNING, OUT_OF_MEMORY, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}
