//! Long work: on a thread of its own, while other Python threads run, within limits, with progress, ended by Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use servanda::Watch;
use servanda::host::{Stopwatch, memory};
use servanda_engine::{Budget, Progress as Told, Stop};

use crate::fault;

/// How often signals, memory and the clock are looked at, and progress is told at most every other time.
const TICK: Duration = Duration::from_millis(50);
const TELL_EVERY: Duration = Duration::from_millis(100);

/// So long work may go on after it was told to stop; then it is left alone, and ends when it asks next.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_millis(600);
const GRACE_AFTER_LIMIT: Duration = Duration::from_secs(2);

/// Formulas and terms may be deep; memory is used only where they are.
const STACK: usize = 64 << 20;

/// When to give up, and who is told how far the work has come.
#[derive(FromPyObject, Default)]
#[pyo3(from_item_all)]
pub(crate) struct Limits {
    /// Seconds.
    timeout: Option<f64>,
    /// Bytes that the process may hold more than when the work began.
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
}

impl Limits {
    /// Bytes that the work may take.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }
}

/// How far a piece of work has come.
#[pyclass(frozen, get_all, module = "servanda._native")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// States found so far.
    states: u64,
    /// Transitions found so far.
    transitions: u64,
    /// Nodes of the search made so far.
    nodes: u64,
    /// Lines of a log read so far.
    lines: u64,
    /// Which question is worked on, from 0.
    question: u64,
    /// How many questions there are.
    questions: u64,
    /// Seconds since the work began.
    seconds: f64,
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        let Progress { states, transitions, nodes, lines, question, questions, seconds } = self;
        format!(
            "Progress(states={states}, transitions={transitions}, nodes={nodes}, lines={lines}, question={question}, questions={questions}, seconds={seconds:.3})"
        )
    }
}

/// What the work and whoever waits for it share.
struct Shared {
    deadline: Option<Instant>,
    stop: AtomicU8,
    /// In the order of the fields of [`Progress`].
    counts: [AtomicU64; 6],
}

const TIME: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPTED: u8 = 3;

impl Shared {
    fn reason(&self) -> Option<Stop> {
        match self.stop.load(Ordering::Relaxed) {
            0 => self.deadline.filter(|end| Instant::now() >= *end).map(|_| Stop::Time),
            TIME => Some(Stop::Time),
            MEMORY => Some(Stop::Memory),
            _ => Some(Stop::Interrupted),
        }
    }

    fn seen(&self, seconds: f64) -> Progress {
        let [states, transitions, nodes, lines, question, questions] =
            self.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        Progress { states, transitions, nodes, lines, question, questions, seconds }
    }
}

impl Budget for Shared {
    fn progress(&self, progress: Told) -> Result<(), Stop> {
        let store = |field: usize, value: u64| self.counts[field].store(value, Ordering::Relaxed);
        match progress {
            Told::Exploring { states, transitions } => {
                store(0, states);
                store(1, transitions);
            }
            Told::Deciding { nodes } => store(2, nodes),
            Told::Reading { lines } => store(3, lines),
        }
        self.reason().map_or(Ok(()), Err)
    }

    fn deciding(&self, question: usize, of: usize) {
        self.counts[4].store(question as u64, Ordering::Relaxed);
        self.counts[5].store(of as u64, Ordering::Relaxed);
    }
}

/// Does something long. Other Python threads run meanwhile; a signal, a limit or an exception of who is told ends it.
///
/// # Errors
///
/// A signal came; who is told about progress raises; the work panics, or does not end after it was told to.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce(Watch<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    let started = Instant::now();
    let timeout = limits.timeout.map(Duration::try_from_secs_f64).transpose();
    let timeout = timeout.map_err(|error| PyValueError::new_err(format!("timeout: {error}")))?;
    let unknown = || PyOSError::new_err(memory::UNKNOWN);
    let within = |more: u64| memory::resident().map(|held| held.saturating_add(more)).ok_or_else(unknown);
    let most = limits.memory.map(within).transpose()?;
    let deadline = timeout.and_then(|timeout| started.checked_add(timeout));
    let shared = Arc::new(Shared { deadline, stop: AtomicU8::new(0), counts: Default::default() });
    let (sender, mut receiver) = mpsc::channel();
    let watched = Arc::clone(&shared);
    let job = move || {
        let clock = Stopwatch::start();
        let done = fault::guarded(|| work(Watch { budget: &*watched, clock: &clock }));
        // Nobody may be waiting any more.
        let _ = sender.send(done);
    };
    thread::Builder::new().name("servanda".to_owned()).stack_size(STACK).spawn(job)?;
    let mut told = started;
    loop {
        match wait(py, &mut receiver, TICK) {
            Err(RecvTimeoutError::Timeout) => {}
            done => return ended(py, done),
        }
        let mut heard = py.check_signals();
        if let (Ok(()), Some(listener)) = (&heard, &limits.progress)
            && told.elapsed() >= TELL_EVERY
        {
            told = Instant::now();
            let progress = shared.seen(started.elapsed().as_secs_f64());
            heard = listener.call1(py, (progress,)).map(|_| ());
        }
        if let Err(error) = heard {
            shared.stop.store(INTERRUPTED, Ordering::Relaxed);
            let _ = wait(py, &mut receiver, GRACE_AFTER_SIGNAL);
            return Err(error);
        }
        let too_much = most.is_some_and(|most| memory::resident().unwrap_or(0) > most);
        if too_much || shared.reason().is_some() {
            shared.stop.store(if too_much { MEMORY } else { TIME }, Ordering::Relaxed);
            return last_chance(py, receiver, &shared);
        }
    }
}

/// A limit was reached: a report in good order is waited for, but not for long.
fn last_chance<T: Send>(
    py: Python<'_>,
    mut receiver: Receiver<Result<T, String>>,
    shared: &Shared,
) -> PyResult<T> {
    let since = Instant::now();
    while since.elapsed() < GRACE_AFTER_LIMIT {
        match wait(py, &mut receiver, TICK) {
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            done => return ended(py, done),
        }
    }
    let reason = shared.reason().map(|stop| stop.to_string()).unwrap_or_default();
    Err(fault::undecided(py, &reason))
}

type Done<T> = Result<Result<T, String>, RecvTimeoutError>;

fn wait<T: Send>(py: Python<'_>, receiver: &mut Receiver<Result<T, String>>, time: Duration) -> Done<T> {
    py.detach(move || receiver.recv_timeout(time))
}

fn ended<T>(py: Python<'_>, done: Done<T>) -> PyResult<T> {
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(words)) => Err(fault::internal(py, &words)),
        Err(_) => Err(PyRuntimeError::new_err("the work ended without an answer")),
    }
}
