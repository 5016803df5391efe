//! Memory for tables, which is asked for before they grow: a limit that is looked at afterwards is passed when a table doubles, and then
//! there is no time left to put things in order. The program knows the limit; workers are other threads, and ask it.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, sync_channel};
use std::time::Duration;

use servanda_engine::Stop;

use crate::answer::Heard;
use crate::board::Board;
use crate::shard::Shard;

/// Growth below this is not worth asking.
const LARGE: usize = 1 << 20;

/// Memory is asked for when a table has room for so many states more: a part of those it has, and an amount. What is on its way when there
/// is none has room.
const AHEAD: (usize, usize) = (32, 1 << 13);

/// A worker that waits to be heard looks so often whether anybody listens.
const LOOK: Duration = Duration::from_millis(20);

/// Where a worker asks for memory.
pub(crate) struct Purse {
    board: Arc<Board>,
    asks: Sender<Heard>,
    /// How many workers of this process put their states in order at the same time.
    beside: usize,
    /// What was granted last: the bytes that the tables held then, and by how many they may grow.
    granted: (usize, usize),
}

impl Purse {
    pub(crate) fn new(board: &Arc<Board>, asks: &Sender<Heard>, beside: usize) -> Self {
        Purse { board: Arc::clone(board), asks: asks.clone(), beside, granted: (0, 0) }
    }

    /// Should the work end?
    pub(crate) fn is_over(&self) -> bool {
        self.board.is_stopped()
    }

    /// May so many more bytes be held? If not, the work is told to stop.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let may = bytes < LARGE || self.board.is_stopped() || self.ask(bytes);
        if !may {
            self.board.stop(&Stop::Memory);
        }
        may
    }

    /// May so many more bytes be held?
    fn ask(&self, bytes: usize) -> bool {
        let (reply, answer) = sync_channel(1);
        if self.asks.send(Heard::Room(bytes, reply)).is_err() {
            return false;
        }
        loop {
            match answer.recv_timeout(LOOK) {
                Ok(may) => return may,
                Err(RecvTimeoutError::Timeout) if !self.board.is_lost() => {}
                Err(_) => return false,
            }
        }
    }
}

impl Shard<'_> {
    /// Asks for memory before the tables grow, where so many states come; where there is none the work is told to stop. States that may go
    /// to disk have their share.
    pub(crate) fn reserve(&mut self, states: usize) {
        let ahead = states + (self.store.len() / AHEAD.0).max(AHEAD.1);
        let growth = self.store.growth(ahead);
        let is_known = self.purse.granted.0 == self.store.bytes() && growth <= self.purse.granted.1;
        if growth < LARGE || is_known || self.depot.room().is_some() || self.purse.board.is_stopped() {
            return;
        }
        // A checkpoint is written with what is left.
        let words = self.layout.words();
        let to_save = self.depot.keeper.as_ref().map_or(0, |_| self.store.sorting_bytes(words));
        let more = to_save * self.purse.beside;
        if !self.purse.ask(growth + more) {
            let purse = &self.purse;
            let may = |bytes: usize| if purse.ask(bytes.saturating_add(more)) { Ok(()) } else { Err(()) };
            if self.store.make_little_room(ahead, may).is_err() {
                self.purse.board.stop(&Stop::Memory);
                return;
            }
        }
        self.purse.granted = (self.store.bytes(), self.store.growth(ahead));
    }
}
