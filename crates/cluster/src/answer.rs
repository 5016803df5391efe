//! What a worker answers, and what all workers together know of the states.

use std::sync::mpsc::SyncSender;

use servanda_engine::{Counts, Spread, Stop, Verdict};

use crate::board::Trouble;

/// What comes of an order.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// It is done.
    Done,
    /// A verdict.
    Verdict(Verdict),
    /// The states on a run.
    Route(Option<Vec<Vec<u64>>>),
}

/// What workers say to the program.
pub(crate) enum Heard {
    /// An order was carried out, or could not be.
    Answer(Answer),
    /// May so many more bytes be held? Who asks waits for the reply.
    Room(usize, SyncSender<bool>),
}

/// What is said when an order was carried out, or could not be.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) reply: Result<Reply, Trouble>,
    /// What is known of the states now; `None` where workers are gone.
    pub(crate) known: Option<Known>,
    /// Why the work was stopped, where it was: the same for all processes.
    pub(crate) stop: Option<Stop>,
}

/// What all workers together know of the states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) is_done: bool,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) deadlocks: u64,
    pub(crate) initial: u64,
    pub(crate) bytes: u64,
    pub(crate) diameter: u64,
    /// How they are spread.
    pub(crate) spread: Spread,
    /// A deadlock nearest to an initial state; of several the smallest.
    pub(crate) deadlock: Option<Vec<u64>>,
}

impl Known {
    /// The size of the model, once all states are known.
    pub(crate) fn counts(&self) -> Option<Counts> {
        self.is_done.then(|| Counts {
            states: self.states.into(),
            transitions: Some(self.transitions.into()),
            deadlocks: self.deadlocks.into(),
            initial: Some(self.initial),
            diameter: Some(self.diameter),
            bytes: Some(self.bytes),
        })
    }
}
