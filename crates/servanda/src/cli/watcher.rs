//! Watches a run from outside: who must stop and does not is ended, whatever it is doing.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::BinaryBytes;
use servanda::Clock as _;
use servanda_engine::Stop;

use super::args::LimitArguments;
use super::progress::Spinner;
use super::{exit, memory, terminal};

/// How often memory and the clock are looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// The same where so much memory is held that the limit may be near, since a program can write a gigabyte in a second; and where the end is.
const SHORT_INTERVAL: Duration = Duration::from_millis(5);

/// So long a run may take to report after a signal. Those who send one, shells and CI among them, do not wait longer.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_millis(700);

/// So long it may be silent after a limit of its own was reached. Who does not ask by then, because a file is being read for example, will not
/// ask soon.
const GRACE_AFTER_LIMIT: Duration = Duration::from_millis(300);

/// So long it may take to report if it has asked since and was told to stop: a report in good order says more than the last words. Other
/// threads may go on without asking, so it is counted from the limit on, and who gave half a second more does not wait in vain.
const GRACE_AFTER_ASKING: Duration = Duration::from_millis(400);

/// The same where there is too much memory held: to give back many pieces of it takes a while, and nobody waits for an end of time.
const GRACE_AFTER_MEMORY: Duration = Duration::from_secs(2);

/// So much longer a run may take that waits for processes with the same limits, which come to their end by the same rules.
const GRACE_OF_OTHERS: Duration = Duration::from_millis(100);

/// So much more than the limit may be held while a run comes to its end: the greater of a part of the limit and an amount.
const MORE_MEMORY: (u64, u64) = (20, 32 << 20);

/// Who holds less than this and has no limit of memory is not asked what the machine has left.
const LITTLE: u64 = 256 << 20;

/// A run so young has not had the time to hold much.
const YOUNG: Duration = Duration::from_millis(100);

/// No end of time.
const NEVER: u64 = u64::MAX;

/// No end of memory.
const BOUNDLESS: u64 = u64::MAX;

/// What is written when a run is ended from outside, and the status that goes with it.
type LastWords = Box<dyn FnOnce(Stop, Explored) -> u8 + Send>;

/// States and transitions.
pub(crate) type Explored = (u64, u64);

/// The limits of the whole run, however many files it reads: what the run and its watcher share. Also its clock.
pub(crate) struct Limits {
    pub(super) started: Instant,
    timeout: Option<Duration>,
    /// When time is over: milliseconds of the run. Who waits for somebody else has time.
    deadline: AtomicU64,
    memory: Option<u64>,
    /// Where no limit of memory was given: what can be held before the machine, or the container, has too little left. Who goes on then is
    /// ended by the system without a word.
    machine: AtomicU64,
    machine_is_full: Once,
    /// Does anybody want to know how much memory is held? To ask costs more than many runs.
    pub(super) weighed: AtomicBool,
    /// The most memory that was seen to be held since a file was begun.
    pub(super) held: AtomicU64,
    /// What was held when it was last looked.
    held_now: AtomicU64,
    /// Why to stop: a number of [`Limits::reason`].
    stop: AtomicU8,
    /// So many milliseconds more it may take to end, because something is just being put in order on disk.
    longer: AtomicU64,
    /// When that was done the last time: milliseconds of the run.
    tidied: AtomicU64,
    /// When the run last asked whether to go on and was told to stop: milliseconds of the run.
    heard: AtomicU64,
    /// The most states, and transitions with them, that somebody who explores has told of since a file was begun.
    explored: Mutex<Explored>,
    last_words: Mutex<Option<LastWords>>,
    /// Does the run wait for other processes?
    waits: AtomicBool,
    /// What is done now and then beside the run.
    beside: Mutex<Option<Box<dyn Fn() + Send>>>,
    pub(crate) spinner: Option<Spinner>,
}

impl Limits {
    /// Starts the clock and begins to watch, until another run does or the program ends.
    pub(crate) fn start(limits: &LimitArguments, spinner: Option<Spinner>) -> Result<Arc<Self>, String> {
        let (started, LimitArguments { timeout, memory }) = (Instant::now(), limits.clone());
        if memory.is_some() && memory::resident().is_none() {
            return Err(memory::UNKNOWN.to_owned());
        }
        let watched = Arc::new(Limits {
            started,
            timeout,
            deadline: AtomicU64::new(NEVER),
            memory,
            machine: AtomicU64::new(BOUNDLESS),
            machine_is_full: Once::new(),
            weighed: AtomicBool::new(memory.is_some()),
            held: AtomicU64::new(0),
            held_now: AtomicU64::new(0),
            stop: AtomicU8::new(0),
            longer: AtomicU64::new(0),
            tidied: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            explored: Mutex::default(),
            last_words: Mutex::new(None),
            waits: AtomicBool::new(false),
            beside: Mutex::new(None),
            spinner,
        });
        watched.begin();
        watched.look();
        heed_signals(&watched)?;
        let watching = Arc::downgrade(&watched);
        thread::spawn(move || guard(&watching));
        Ok(watched)
    }

    /// Must the run stop?
    pub(crate) fn reason(&self) -> Option<Stop> {
        match self.stop.load(Ordering::Relaxed) {
            1 => Some(Stop::Memory),
            2 => Some(Stop::Interrupted),
            3 => Some(Stop::Time),
            _ => self.is_late().then_some(Stop::Time),
        }
    }

    /// Begins the time anew: one thing is done after the other, and each has its own.
    pub(crate) fn begin(&self) {
        let end = self.timeout.and_then(|timeout| self.elapsed().checked_add(timeout));
        // An end too far away to be told is none.
        let end = end.and_then(|end| u64::try_from(end.as_millis()).ok()).unwrap_or(NEVER);
        self.deadline.store(end, Ordering::Relaxed);
    }

    /// Nothing is done until it begins anew: that time is over does not matter any more.
    pub(crate) fn rest(&self) {
        self.deadline.store(NEVER, Ordering::Relaxed);
        let _ = self.stop.compare_exchange(3, 0, Ordering::Relaxed, Ordering::Relaxed);
        self.heard.store(0, Ordering::Relaxed);
    }

    /// Why the run was told to stop, if it was.
    pub(crate) fn stopped_by(&self) -> Option<Stop> {
        self.reason().filter(|_| self.heard.load(Ordering::Relaxed) > 0)
    }

    /// When time is over, if ever.
    pub(super) fn deadline(&self) -> Option<Duration> {
        Some(self.deadline.load(Ordering::Relaxed)).filter(|end| *end != NEVER).map(Duration::from_millis)
    }

    fn is_late(&self) -> bool {
        self.deadline().is_some_and(|end| self.elapsed() >= end)
    }

    /// The run is on its way to its end.
    pub(crate) fn alive(&self) {
        self.heard.store((self.elapsed().as_millis() as u64).max(1), Ordering::Relaxed);
    }

    /// Hears how much was explored.
    pub(super) fn hear_explored(&self, states: u64, transitions: u64) {
        // Who is not asked now is asked soon.
        if let Ok(mut most) = self.explored.try_lock() {
            *most = (*most).max((states, transitions));
        }
    }

    /// The most states, and transitions with them, that were explored since this was last asked.
    pub(super) fn take_explored(&self) -> Explored {
        std::mem::take(&mut *self.explored.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on the run waits for other processes.
    pub(crate) fn wait_for_others(&self) {
        self.waits.store(true, Ordering::Relaxed);
    }

    /// Lets the run take so much more time to end: something is being put in order on disk from now on.
    pub(crate) fn wait_longer(&self, time: Duration) {
        self.longer.store(time.as_millis() as u64, Ordering::Relaxed);
    }

    /// It is in order: from now on the run has as much time to end as any other.
    pub(crate) fn wait_no_longer(&self) {
        self.tidied.store(self.elapsed().as_millis() as u64, Ordering::Relaxed);
        self.longer.store(0, Ordering::Relaxed);
    }

    /// What to write, and with which status to end, if the run must stop and does not.
    pub(crate) fn last_words(&self, words: impl FnOnce(Stop, Explored) -> u8 + Send + 'static) {
        *self.last_words.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
    }

    /// Does something now and then while the run goes on; it should not take long.
    pub(crate) fn now_and_then(&self, work: impl Fn() + Send + 'static) {
        *self.beside.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(work));
    }

    /// Ends the display of progress, so that results can be written.
    pub(crate) fn clear_progress(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.clear();
        }
    }

    /// A signal. Whoever asks twice does not want to wait for the report.
    fn interrupt(&self) {
        if self.stop.swap(2, Ordering::Relaxed) == 2 {
            self.close_progress();
            std::process::exit(exit::ABORTED);
        }
    }

    /// The most that may be held: what was allowed, or else what the machine has.
    fn most(&self) -> u64 {
        self.memory.unwrap_or_else(|| self.machine.load(Ordering::Relaxed))
    }

    /// Looks at memory and the clock. What the user wants goes before what is seen here.
    pub(super) fn look(&self) {
        let weighed = self.weighed.load(Ordering::Relaxed) || self.elapsed() > YOUNG;
        let held = if weighed { memory::resident().unwrap_or(0) } else { 0 };
        self.held_now.store(held, Ordering::Relaxed);
        self.held.fetch_max(held, Ordering::Relaxed);
        if self.memory.is_none() && held > LITTLE {
            self.machine.store(memory::most_to_hold(held).unwrap_or(BOUNDLESS), Ordering::Relaxed);
        }
        let too_much = held > self.most();
        let too_late = self.is_late();
        let seen = if too_much { 1 } else { 3 };
        if too_much || too_late {
            let first = self.stop.compare_exchange(0, seen, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if first && too_much {
                self.say_if_the_machine_is_full();
            }
        }
    }

    /// Where nobody has set a limit, nobody expects that one was reached.
    fn say_if_the_machine_is_full(&self) {
        if self.memory.is_some() {
            return;
        }
        self.machine_is_full.call_once(|| {
            self.clear_progress();
            let _writing = terminal::nobody_else_writes();
            let held = BinaryBytes(self.held_now.load(Ordering::Relaxed));
            let words = "note: this machine has too little memory left, so the run stops";
            let _ = writeln!(std::io::stderr(), "{words}; it holds {held}");
        });
    }

    /// So long nobody looks.
    fn interval(&self, is_over: bool) -> Duration {
        let (held, most) = (self.held_now.load(Ordering::Relaxed), self.most());
        let usual = if is_over || held > most / 4 { SHORT_INTERVAL } else { INTERVAL };
        // Time is over when it is over, and not some looks later.
        let left = self.deadline().map_or(usual, |end| end.saturating_sub(self.elapsed()));
        if is_over { usual } else { usual.min(left.max(Duration::from_millis(1))) }
    }

    /// Looks, and ends the run if it must stop and does not. `known` is since when it must, and why.
    fn watch_once(&self, known: &mut Option<(Stop, Duration)>) {
        self.look();
        // Who goes on taking memory is not waited for.
        if held_beyond(self.held_now.load(Ordering::Relaxed), self.most()) {
            self.end(Stop::Memory);
        }
        if let Some(work) = &*self.beside.lock().unwrap_or_else(PoisonError::into_inner) {
            work();
        }
        let Some(stop) = self.reason() else {
            *known = None;
            return;
        };
        // A signal may come after a limit, and is then what counts.
        if known.as_ref().is_none_or(|(before, _)| *before != stop) {
            *known = Some((stop.clone(), self.elapsed()));
        }
        let since = known.as_ref().map_or(Duration::ZERO, |(_, since)| *since);
        let heard = Duration::from_millis(self.heard.load(Ordering::Relaxed));
        let (from, grace) = match stop {
            Stop::Interrupted => (since, GRACE_AFTER_SIGNAL),
            _ if heard < since => (since, GRACE_AFTER_LIMIT),
            Stop::Memory => (heard, GRACE_AFTER_MEMORY),
            _ => (since, GRACE_AFTER_ASKING),
        };
        let grace = if self.waits.load(Ordering::Relaxed) { grace + GRACE_OF_OTHERS } else { grace };
        let longer = Duration::from_millis(self.longer.load(Ordering::Relaxed));
        let from = from.max(Duration::from_millis(self.tidied.load(Ordering::Relaxed)));
        if self.elapsed().saturating_sub(from) >= grace + longer {
            self.end(stop);
        }
    }

    /// Ends the program, unless it is just writing results.
    fn end(&self, stop: Stop) {
        self.close_progress();
        let Some(_writing) = terminal::nobody_else_writes() else {
            // A reader may be slow; but who sends a signal has read enough.
            if stop == Stop::Interrupted {
                std::process::exit(exit::UNDECIDED.into());
            }
            return;
        };
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).take();
        let status = match words {
            // A report that cannot be made must not keep the program alive.
            Some(words) => catch_unwind(AssertUnwindSafe(|| words(stop, self.take_explored())))
                .unwrap_or(exit::UNDECIDED),
            None => {
                let _ = writeln!(std::io::stderr(), "undecided: {stop}");
                exit::UNDECIDED
            }
        };
        std::process::exit(status.into());
    }

    /// Can so much more be held, within the limit of the run and another one?
    pub(super) fn has_room(&self, bytes: u64, other: Option<u64>) -> Result<(), Stop> {
        if self.memory.is_none() && other.is_none() && bytes < LITTLE {
            return Ok(());
        }
        self.look();
        let most = self.most().min(other.unwrap_or(BOUNDLESS));
        if self.held_now.load(Ordering::Relaxed).saturating_add(bytes) <= most {
            return Ok(());
        }
        self.alive();
        if other.is_none_or(|other| self.most() < other) {
            self.say_if_the_machine_is_full();
        }
        Err(Stop::Memory)
    }

    fn close_progress(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.close();
        }
    }
}

/// The run that a signal is meant for: the one that was begun last, also while its results are written.
static HEEDING: Mutex<Option<Arc<Limits>>> = Mutex::new(None);

/// Stops the run in good order, as a first signal does; says whether there is one.
pub(crate) fn stop_running() -> bool {
    let run = HEEDING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    run.inspect(|run| run.stop.store(2, Ordering::Relaxed)).is_some()
}

/// A signal stops this run from now on.
fn heed_signals(run: &Arc<Limits>) -> Result<(), String> {
    static HANDLED: Once = Once::new();
    *HEEDING.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(run));
    let mut result = Ok(());
    let handler = || {
        let run = HEEDING.lock().unwrap_or_else(PoisonError::into_inner).clone();
        run.inspect(|run| run.interrupt());
    };
    HANDLED.call_once(|| result = ctrlc::set_handler(handler));
    result.map_err(|error| format!("Ctrl-C cannot be handled: {error}"))
}

/// Watches a run as long as it is wanted.
fn guard(watched: &Weak<Limits>) {
    let mut known = None;
    loop {
        let Some(interval) = watched.upgrade().map(|run| run.interval(known.is_some())) else { return };
        thread::sleep(interval);
        let Some(run) = watched.upgrade() else { return };
        run.watch_once(&mut known);
    }
}

/// Is so much more held than the limit allows that the run cannot be left to end by itself?
fn held_beyond(held: u64, most: u64) -> bool {
    let (part, amount) = MORE_MEMORY;
    held > most.saturating_add((most / part).max(amount))
}
