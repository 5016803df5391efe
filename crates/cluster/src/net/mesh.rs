//! The lines between a process and all others of its cluster, and what was heard on them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use servanda_engine::{Budget, Progress, Stop};

use super::card::Card;
use super::note::{Hello, Note};
use crate::board::Board;

/// Who waits looks so often whether to go on.
pub(super) const PATIENCE: Duration = Duration::from_millis(10);

/// The lines of this process. They are held as long as it lives: who holds one must know when the other end is gone.
pub struct Mesh {
    pub(super) hello: Hello,
    pub(super) addresses: Vec<String>,
    /// By process, the line to it.
    lines: Vec<Mutex<Option<TcpStream>>>,
    state: Mutex<State>,
    pub(super) changed: Condvar,
}

/// What was heard.
#[derive(Default)]
pub(super) struct State {
    /// By process, who it says that it is.
    pub(super) hellos: Vec<Option<Hello>>,
    /// Why the processes cannot work together.
    pub(super) refused: Option<String>,
    /// Who is gone.
    pub(super) lost: Option<String>,
    /// The sessions of this process so far.
    pub(super) begun: u64,
    pub(super) sessions: BTreeMap<u64, Heard>,
    /// Connections on which the first process hands out parts; the one that has waited longest is the last.
    pub(super) parts: Vec<TcpStream>,
    /// All parts are done: the status with which the first process ends.
    pub(super) over: Option<u8>,
    /// Nobody will hand out parts any more.
    pub(super) first_is_gone: bool,
}

/// What was heard of a session.
#[derive(Default)]
pub(super) struct Heard {
    /// By process, what it works on.
    pub(super) cards: BTreeMap<usize, Card>,
    /// By process, the connection that it has made.
    pub(super) made: BTreeMap<usize, TcpStream>,
    /// By process, states and transitions.
    found: BTreeMap<usize, (u64, u64)>,
    pub(super) board: Weak<Board>,
    /// The connections that parcels are carried on.
    pub(super) in_use: Vec<TcpStream>,
}

/// Why there is nothing to wait for any more.
pub(super) enum Vain {
    Refused(String),
    Lost(String),
    Stopped(Stop),
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {:?}", self.hello.process, self.addresses)
    }
}

/// There is one for a process, and it is equal to itself.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Mesh {}

impl Mesh {
    pub(super) fn new(hello: Hello, addresses: Vec<String>) -> Self {
        let mut hellos = vec![None; addresses.len()];
        hellos[hello.process] = Some(hello.clone());
        let lines = addresses.iter().map(|_| Mutex::new(None)).collect();
        let state = Mutex::new(State { hellos, ..State::default() });
        Mesh { hello, addresses, lines, state, changed: Condvar::new() }
    }

    /// How many workers each process has.
    pub(crate) fn workers(&self) -> usize {
        self.hello.workers
    }

    /// The number of this process.
    pub fn process(&self) -> usize {
        self.hello.process
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.addresses.len()
    }

    /// A process as messages name it.
    pub fn name(&self, process: usize) -> String {
        match self.addresses.get(process) {
            Some(address) => format!("process {process} ({address})"),
            None => format!("process {process}"),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known, and tells those who wait.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.changed.notify_all();
        changed
    }

    /// Waits until something is known.
    pub(super) fn wait<T>(
        &self,
        budget: &dyn Budget,
        mut known: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T, Vain> {
        let mut state = self.state();
        loop {
            if let Some(why) = &state.refused {
                return Err(Vain::Refused(why.clone()));
            }
            if let Some(who) = &state.lost {
                return Err(Vain::Lost(who.clone()));
            }
            if let Some(known) = known(&mut state) {
                return Ok(known);
            }
            let waited = self.changed.wait_timeout(state, PATIENCE);
            drop(waited);
            budget.progress(Progress::Exploring { states: 0, transitions: 0 }).map_err(Vain::Stopped)?;
            state = self.state();
        }
    }

    /// Takes a line that both ends have said hello on, and listens.
    pub(super) fn hold(&'static self, hello: Hello, line: TcpStream) {
        let process = hello.process;
        let Ok(heard) = line.try_clone() else { return };
        *self.line(process) = Some(line);
        self.change(|state| state.hellos[process] = Some(hello));
        let listener = thread::Builder::new().name(format!("line-{process}"));
        let spawned = listener.spawn(move || self.listen(process, heard));
        if spawned.is_err() {
            self.lose("there is no room for one more thread");
        }
    }

    fn line(&self, process: usize) -> MutexGuard<'_, Option<TcpStream>> {
        self.lines[process].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something to a process. Whether it is there is found out by those who listen.
    fn tell(&self, process: usize, note: &Note) {
        if let Some(line) = self.line(process).as_mut() {
            let _ = line.write_all(note.line().as_bytes());
        }
    }

    /// Says something to all others.
    pub(super) fn tell_all(&self, note: &Note) {
        (0..self.processes()).for_each(|process| self.tell(process, note));
    }

    fn listen(&self, from: usize, line: TcpStream) {
        let mut line = BufReader::new(line);
        loop {
            match Note::next(&mut line) {
                Ok(note) => self.hear(from, note),
                Err(error) => {
                    self.change(|state| state.first_is_gone |= from == 0);
                    return self.lose(&self.missed(from, &error));
                }
            }
        }
    }

    /// What is said of a process that is not heard any more.
    pub(super) fn missed(&self, process: usize, error: &io::Error) -> String {
        let name = self.name(process);
        match error.kind() {
            ErrorKind::TimedOut
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown => format!("{name} does not answer any more"),
            _ => format!("{name} is gone"),
        }
    }

    fn hear(&self, from: usize, note: Note) {
        match note {
            Note::Open { session, card } => {
                self.change(|state| drop(state.heard(session).cards.insert(from, card)));
            }
            Note::Stop { session, order, why } => {
                // Who has left a session need not stop.
                let board = self.state().sessions.get(&session).and_then(|heard| heard.board.upgrade());
                board.inspect(|board| board.stop_order(order, why));
            }
            Note::Found { session, states, transitions } => {
                if let Some(heard) = self.state().sessions.get_mut(&session) {
                    heard.found.insert(from, (states, transitions));
                }
            }
            Note::Gone(who) => self.lose(&who),
            Note::Refused(why) => self.refuse(&why),
            Note::Over(status) if from == 0 => self.change(|state| state.over = Some(status)),
            Note::Hello(_) | Note::Data { .. } | Note::Part { .. } | Note::Over(_) => {}
        }
    }

    /// Somebody is gone: nothing can be found out together any more. All others hear of it.
    pub(crate) fn lose(&self, who: &str) {
        let is_new = self.change(|state| {
            let is_new = state.lost.is_none();
            state.lost.get_or_insert_with(|| who.to_owned());
            is_new
        });
        // Before anything is shut: otherwise this process would be the one that is missed.
        if is_new {
            self.tell_all(&Note::Gone(who.to_owned()));
        }
        for heard in self.state().sessions.values() {
            heard.board.upgrade().inspect(|board| board.lose());
            for stream in &heard.in_use {
                // It may be closed already.
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }

    /// Waits until it is known who is gone, but not for ever.
    pub(super) fn hear_of_loss(&self, patience: Duration) {
        drop(self.changed.wait_timeout_while(self.state(), patience, |state| state.lost.is_none()));
    }

    /// Who is gone, if anybody is.
    pub(crate) fn lost(&self) -> Option<String> {
        self.state().lost.clone()
    }

    /// The processes cannot work together. All hear why, also from those who were told: otherwise one of these could be missed first.
    pub(super) fn refuse(&self, why: &str) {
        if self.state().refused.is_some() {
            return;
        }
        // First they hear of it, then this process ends.
        self.tell_all(&Note::Refused(why.to_owned()));
        self.change(|state| {
            state.refused.get_or_insert_with(|| why.to_owned());
        });
    }

    /// All other processes should end an order.
    pub(crate) fn tell_stop(&self, session: u64, order: u64, why: u64) {
        self.tell_all(&Note::Stop { session, order, why });
    }

    /// The first process wants to know how much is found.
    pub(crate) fn tell_found(&self, session: u64, (states, transitions): (u64, u64)) {
        self.tell(0, &Note::Found { session, states, transitions });
    }

    /// States and transitions that other processes have told of.
    pub(crate) fn found(&self, session: u64) -> (u64, u64) {
        let state = self.state();
        let found = state.sessions.get(&session).map(|heard| heard.found.values());
        found.into_iter().flatten().fold((0, 0), |all, more| (all.0 + more.0, all.1 + more.1))
    }
}

impl State {
    /// What was heard of a session; others may come to it first.
    pub(super) fn heard(&mut self, session: u64) -> &mut Heard {
        self.sessions.entry(session).or_default()
    }
}
