//! When a run must stop: time, memory, Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
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
        return Err("--memory: this system does not tell how much memory a program holds".to_owned());
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
