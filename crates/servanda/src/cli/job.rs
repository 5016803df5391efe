//! `servanda job`: one job of the workbench, in a process of its own.

pub(super) mod files;

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use servanda::workbench::{self, Desk, Event, Page, Request, Say};
use servanda_engine::Stop;
use servanda_report::Status;

use super::args::{EngineArguments, LimitArguments};
use super::exit;
use super::limits::Limits;
use super::terminal::{Ended, Terminal};

/// When nobody speaks any more, so often and after so long it is looked whether something was still being done.
const LOOKS: usize = 10;
const LOOK: Duration = Duration::from_millis(20);

/// Does what the first line of standard input asks.
pub(crate) fn run(terminal: &Terminal) -> Ended {
    let waits = Arc::new(AtomicBool::new(false));
    let lines = lines(&waits);
    let refused = |message: String| {
        tell(terminal, &Event::Refused { message, findings: Vec::new() });
        Status::Invalid
    };
    let line = lines.recv().unwrap_or_default();
    let request: Request = serde_json::from_slice(&line)
        .map_err(|error| refused(format!("the request has no meaning: {error}")))?;
    let arguments = limits(request.limits()).map_err(refused)?;
    let limits = Limits::start(&arguments, None).map_err(refused)?;
    limits.last_words(|stop, _| status(&stop));
    let engine = EngineArguments::default().chosen(&arguments);
    let page = Socket { terminal, lines: Mutex::new(lines), waits, limits: Arc::clone(&limits) };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let desk = Desk {
        page: &page,
        watch: limits.watch(),
        files: &files::Below,
        engine,
        seed: now.as_nanos() as u64,
    };
    workbench::run(&request, desk);
    match limits.stopped_by() {
        Some(stop) => std::process::exit(status(&stop).into()),
        None => Ok(Status::Wanted),
    }
}

/// The status of a job that was stopped.
fn status(stop: &Stop) -> u8 {
    match stop {
        Stop::Memory => exit::MEMORY,
        Stop::Interrupted => exit::ABORTED as u8,
        Stop::Time | Stop::Bound | Stop::Answered | Stop::Share | Stop::Lost(_) => exit::UNDECIDED,
    }
}

/// The limits of a request.
fn limits(limits: workbench::Limits) -> Result<LimitArguments, String> {
    let workbench::Limits { seconds, megabytes } = limits;
    let timeout = seconds.map(Duration::try_from_secs_f64).transpose();
    let timeout = timeout.map_err(|error| format!("the limit of time has no meaning: {error}"))?;
    Ok(LimitArguments { timeout, memory: megabytes.map(|megabytes| megabytes.saturating_mul(1 << 20)) })
}

/// The lines of standard input. When there are no more the program ends, whatever it is doing: nobody wants to know any more.
pub(super) fn lines(waits: &Arc<AtomicBool>) -> Receiver<Vec<u8>> {
    let ((sender, receiver), waits) = (channel(), Arc::clone(waits));
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(read) if read > 0 && line.ends_with(b"\n") => {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
                _ => {
                    // Who has just answered is about to wait, and is at its end then.
                    for _ in 0..LOOKS {
                        if waits.load(Ordering::Relaxed) {
                            std::process::exit(exit::WANTED.into());
                        }
                        thread::sleep(LOOK);
                    }
                    std::process::exit(exit::ABORTED)
                }
            }
        }
    });
    receiver
}

/// Writes an event, in a line of its own.
fn tell(terminal: &Terminal, event: &Event) {
    // Only keys that are no strings make this fail, and there are none.
    let line = serde_json::to_string(event).unwrap_or_default();
    terminal.write(&(line + "\n"), Status::Wanted);
}

/// Standard input and output.
struct Socket<'t> {
    terminal: &'t Terminal,
    lines: Mutex<Receiver<Vec<u8>>>,
    /// Is nothing done until something is said?
    waits: Arc<AtomicBool>,
    limits: Arc<Limits>,
}

impl Page for Socket<'_> {
    fn tell(&self, event: Event) {
        tell(self.terminal, &event);
    }

    fn hear(&self) -> Option<Say> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Too much memory stays too much.
            if self.limits.reason() == Some(Stop::Memory) {
                return None;
            }
            self.limits.rest();
            self.waits.store(true, Ordering::Relaxed);
            let line = lines.recv().ok()?;
            self.waits.store(false, Ordering::Relaxed);
            self.limits.begin();
            match serde_json::from_slice(&line) {
                Ok(say) => return Some(say),
                Err(_) => {
                    let said = String::from_utf8_lossy(&line);
                    let said: String = said.trim().chars().take(80).collect();
                    self.tell(Event::Refused {
                        message: format!("what was said has no meaning: {said}"),
                        findings: Vec::new(),
                    });
                }
            }
        }
    }
}
