//! The engine as its users see it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use servanda_engine::{Budget, Counts, Engine, Halt, Options, Progress, Stop, Verdict};
use servanda_logic::Formula;
use servanda_model::{Layout, Model, StateView};
use timely::CommunicationConfig;
use timely::communication::{Allocator, WorkerGuards, initialize_from};

use crate::answer::{Answer, Known, Reply};
use crate::board::{Board, Trouble};
use crate::checkpoint;
use crate::order::Order;
use crate::staff::Staff;
use crate::storage::Storage;
use crate::worker::{Desk, work};

/// The budget is asked so often while workers are busy.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// What is said where workers are gone.
const LOST: &str = "a worker is gone, so nothing more can be found out";

/// Decides properties of a model with workers that share its states.
pub struct Cluster<'m> {
    model: &'m Model,
    layout: Layout,
    board: Arc<Board>,
    storage: Arc<Storage>,
    orders: Option<Sender<Order>>,
    answers: Receiver<Answer>,
    workers: Option<WorkerGuards<()>>,
    known: Known,
}

impl<'m> Cluster<'m> {
    /// Starts the workers; nothing but the initial states is computed.
    ///
    /// # Errors
    ///
    /// When the budget says stop, or a formula of the model is at fault.
    pub fn new(model: &'m Model, options: Options, staff: Staff, budget: &dyn Budget) -> Result<Self, Halt> {
        Cluster::with_storage(model, options, staff, &Storage::default(), budget)
    }

    /// Starts the workers, which may put things on disk; nothing but the initial states is computed, or a checkpoint is read.
    ///
    /// # Errors
    ///
    /// When the budget says stop, a formula of the model is at fault, or a checkpoint cannot be used.
    pub fn with_storage(
        model: &'m Model,
        options: Options,
        staff: Staff,
        storage: &Storage,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let layout = Layout::new(model);
        let checkpoint = Arc::new(checkpoint::find(storage, model, layout.words())?);
        let storage = Arc::new(storage.clone());
        let board = Arc::new(Board::default());
        let communication = CommunicationConfig::Process(staff.threads);
        let (builders, others) = communication.try_build().map_err(Halt::TooLarge)?;
        let (orders, taken) = channel();
        let (answering, answers) = channel();
        let shared = Arc::new(model.clone());
        // The first worker takes the orders; whoever starts first may not be it.
        let first = Mutex::new((Some(taken), Some(answering)));
        let known_to_all = Arc::clone(&board);
        let given = Arc::clone(&storage);
        let start = move |allocator: Allocator| {
            let (model, board) = (Arc::clone(&shared), Arc::clone(&known_to_all));
            let (orders, answers) = match allocator.index() {
                0 => std::mem::take(&mut *first.lock().unwrap_or_else(PoisonError::into_inner)),
                _ => (None, None),
            };
            let (storage, checkpoint) = (Arc::clone(&given), Arc::clone(&checkpoint));
            work(&Desk { model, options, board, storage, checkpoint, orders, answers }, allocator);
        };
        let workers = Some(initialize_from(builders, others, start).map_err(Halt::TooLarge)?);
        let (orders, known) = (Some(orders), Known::default());
        let mut cluster = Cluster { model, layout, board, storage, orders, answers, workers, known };
        cluster.wait(budget)?;
        Ok(cluster)
    }

    /// Gives an order and waits until it is carried out.
    fn order(&mut self, order: Order, budget: &dyn Budget) -> Result<Reply, Halt> {
        self.board.begin(order.formula().cloned());
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        if !sent {
            return Err(self.lost());
        }
        self.wait(budget)
    }

    /// Waits for the answer to an order, and has the budget know how far the work is.
    fn wait(&mut self, budget: &dyn Budget) -> Result<Reply, Halt> {
        let mut stop = None;
        let answer = loop {
            match self.answers.recv_timeout(ASK_EVERY) {
                Ok(answer) => break answer,
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.storage.due.as_ref().is_some_and(|is_due| is_due()) {
                self.board.make_due();
            }
            let (states, transitions) = self.board.found();
            if stop.is_none()
                && let Err(reason) = budget.progress(Progress::Exploring { states, transitions })
            {
                stop = Some(reason);
                self.board.stop();
            }
        };
        self.known = answer.known.unwrap_or_else(|| self.known.clone());
        answer.reply.map_err(|trouble| match trouble {
            Trouble::Halt(halt) => halt,
            Trouble::Lost => self.lost(),
            Trouble::Stopped => Halt::Stopped {
                stop: stop.unwrap_or(Stop::Interrupted),
                states: self.known.states,
                transitions: self.known.transitions,
            },
        })
    }

    fn lost(&mut self) -> Halt {
        self.board.lose();
        Halt::TooLarge(LOST.to_owned())
    }

    /// The packed states on a shortest run that decides a property, where it comes down to what can be reached and something was.
    ///
    /// # Errors
    ///
    /// When the budget says stop, or a worker is gone.
    pub fn route(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Option<Vec<Vec<u64>>>, Halt> {
        match self.order(Order::Route(property.clone()), budget)? {
            Reply::Route(route) => Ok(route),
            Reply::Done | Reply::Verdict(_) => Ok(None),
        }
    }
}

impl Drop for Cluster<'_> {
    fn drop(&mut self) {
        self.board.stop();
        self.orders = None;
        if let Some(workers) = self.workers.take() {
            // A worker that ended in a panic was told of when it was missed.
            workers.join();
        }
    }
}

impl Engine for Cluster<'_> {
    fn name(&self) -> &'static str {
        "cluster"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        match self.order(Order::Decide(property.clone()), budget) {
            Ok(Reply::Verdict(verdict)) => Ok(verdict),
            Ok(_) => Err(Halt::NotOffered),
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            Err(other) => Err(other),
        }
    }

    fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        if self.known.is_done {
            return Ok(());
        }
        self.order(Order::Explore, budget).map(|_| ())
    }

    fn is_explored(&self) -> bool {
        self.known.is_done
    }

    fn counts(&self) -> Option<Counts> {
        self.known.counts()
    }

    /// Nearest to an initial state, of those met; of several the smallest.
    fn deadlock(&mut self, _: &dyn Budget) -> Result<Option<StateView>, Halt> {
        if !self.known.is_done {
            return Err(Halt::NotOffered);
        }
        Ok(self.known.deadlock.as_ref().map(|state| StateView::new(self.model, &self.layout, state)))
    }

    fn no_initial_state(&self) -> bool {
        self.known.initial == 0
    }

    fn no_fair_run(&mut self, _: &dyn Budget) -> Result<bool, Halt> {
        if self.model.has_fairness() { Err(Halt::NotOffered) } else { Ok(false) }
    }
}
