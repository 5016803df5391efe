//! The engine as its users see it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use servanda_engine::{Budget, Counts, Engine, Halt, Options, Progress, Spread, Stop, Verdict};
use servanda_logic::Formula;
use servanda_model::{Layout, Model, StateView};
use timely::CommunicationConfig;
use timely::communication::{Allocator, WorkerGuards, initialize_from};

use crate::answer::{Heard, Known, Reply};
use crate::board::{Board, Trouble, word_of};
use crate::checkpoint;
use crate::fingerprint::fingerprint;
use crate::net::{Session, different};
use crate::order::Order;
use crate::staff::Staff;
use crate::storage::Storage;
use crate::worker::{Desk, work};

/// The budget is asked so often while workers are busy.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// The first process is told how far the others are so often.
const TELL_EVERY: u32 = 20;

/// What is said where workers are gone.
const LOST: &str = "a worker is gone, so nothing more can be found out";

/// Decides properties of a model with workers that share its states.
///
/// Where these are in several processes, each of them has such an engine, and asks it the same questions in the same order; all are given
/// the same answers.
pub struct Cluster<'m> {
    model: &'m Model,
    layout: Layout,
    board: Arc<Board>,
    storage: Arc<Storage>,
    orders: Option<Sender<Order>>,
    answers: Receiver<Heard>,
    workers: Option<WorkerGuards<()>>,
    /// The work together with other processes.
    session: Option<Session>,
    known: Known,
    /// Why nothing more will be found out.
    ended: Option<Halt>,
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
        let (session, builders) = match staff.mesh {
            None => {
                let threads = CommunicationConfig::Process(staff.threads);
                (None, threads.try_build().map_err(Halt::TooLarge)?.0)
            }
            Some(mesh) => {
                let disk = fingerprint(&(storage.spill.is_some(), storage.checkpoint.is_some(), &checkpoint));
                let (session, builders) = Session::open(mesh, (model, options, disk), &board, budget)?;
                (Some(session), builders)
            }
        };
        let (orders, taken) = channel();
        let (answering, answers) = channel();
        let shared = Arc::new(model.clone());
        // The first worker of each process takes the orders; whoever starts first may not be it.
        let first = Mutex::new(Some(taken));
        let known_to_all = Arc::clone(&board);
        let given = Arc::clone(&storage);
        let start = move |allocator: Allocator| {
            let (model, board) = (Arc::clone(&shared), Arc::clone(&known_to_all));
            let Staff { threads, most, .. } = staff;
            let orders = match allocator.index() % threads {
                0 => first.lock().unwrap_or_else(PoisonError::into_inner).take(),
                _ => None,
            };
            let (storage, checkpoint, answers) =
                (Arc::clone(&given), Arc::clone(&checkpoint), answering.clone());
            let desk = Desk { model, options, board, storage, checkpoint, threads, orders, answers, most };
            work(&desk, allocator);
        };
        let workers = Some(initialize_from(builders, Box::new(()), start).map_err(Halt::TooLarge)?);
        let (orders, known, ended) = (Some(orders), Known::default(), None);
        let mut cluster =
            Cluster { model, layout, board, storage, orders, answers, workers, session, known, ended };
        cluster.wait(budget)?;
        Ok(cluster)
    }

    /// Gives an order and waits until it is carried out.
    fn order(&mut self, order: Order, budget: &dyn Budget) -> Result<Reply, Halt> {
        if let Some(halt) = &self.ended {
            return Err(halt.clone());
        }
        self.board.begin(order.formula().cloned());
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        if !sent {
            return Err(self.lost());
        }
        self.wait(budget)
    }

    /// Waits for the answer to an order, and has the budget know how far the work is.
    fn wait(&mut self, budget: &dyn Budget) -> Result<Reply, Halt> {
        let (mut is_told, mut looks, mut waiting) = (false, 0, None);
        let answer = loop {
            match self.answers.recv_timeout(ASK_EVERY) {
                Ok(Heard::Answer(answer)) => break answer,
                Ok(Heard::Room(bytes, reply)) => {
                    // Who asked may have been told otherwise that it is over.
                    let _ = reply.send(budget.room(bytes).is_ok());
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.storage.due.as_ref().is_some_and(|is_due| is_due()) {
                self.board.make_due();
            }
            let spread = self.board.spread();
            if !spread.workers.is_empty() {
                budget.spread(&spread);
            }
            looks += 1;
            if looks % TELL_EVERY == 0
                && let Some(Session { mesh, number, .. }) = &self.session
            {
                mesh.tell_found(*number, self.board.found());
            }
            let (states, transitions) = self.found();
            if !is_told && let Err(stop) = budget.progress(Progress::Exploring { states, transitions }) {
                is_told = true;
                self.board.stop(&stop);
                if let Some(Session { mesh, number, .. }) = &self.session {
                    mesh.tell_stop(*number, self.board.order(), word_of(&stop));
                }
            }
            // Before the first order there is nothing that anybody would miss.
            if waiting.is_none() && self.board.order() > 0 && self.board.is_stopped() {
                waiting = self.storage.waiting();
            }
        };
        drop(waiting);
        self.known = answer.known.unwrap_or_else(|| self.known.clone());
        answer.reply.map_err(|trouble| match trouble {
            Trouble::Halt(halt) => halt,
            Trouble::Lost => self.lost(),
            Trouble::Left => self.end(Stop::Lost("another process of the cluster was stopped".to_owned())),
            Trouble::Parted(process) => {
                let name = self.session.as_ref().map(|session| session.mesh.name(process));
                let halt = different(&format!(
                    "{} was asked something else than process 0",
                    name.unwrap_or_default()
                ));
                self.ended.insert(halt).clone()
            }
            Trouble::Stopped => {
                let (states, transitions) = (self.known.states, self.known.transitions);
                let stop = answer.stop.unwrap_or(Stop::Interrupted);
                // Who has no time left in one process will not come back, and nobody should wait for that.
                match (&self.session, &stop) {
                    (Some(_), Stop::Time | Stop::Memory | Stop::Interrupted) => self.end(stop),
                    _ => Halt::Stopped { stop, states, transitions },
                }
            }
        })
    }

    /// States and transitions that are known to be found.
    fn found(&self) -> (u64, u64) {
        let (own, others) =
            (self.board.found(), self.session.as_ref().map(|session| session.mesh.found(session.number)));
        let (states, transitions) = others.unwrap_or_default();
        (own.0 + states, own.1 + transitions)
    }

    /// Nothing more will be found out.
    fn end(&mut self, stop: Stop) -> Halt {
        let (states, transitions) = self.found();
        self.ended.insert(Halt::Stopped { stop, states, transitions }).clone()
    }

    fn lost(&mut self) -> Halt {
        self.board.lose();
        let who = self.session.as_ref().map(|session| {
            // Where it is known who is gone, that stays.
            session.mesh.lose("a worker of this process has ended in an error");
            session.mesh.lost()
        });
        self.end(Stop::Lost(who.flatten().unwrap_or_else(|| LOST.to_owned())))
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
        let _waiting = self.storage.spill.as_ref().and_then(|_| self.storage.waiting());
        self.board.stop(&Stop::Interrupted);
        self.orders = None;
        if let Some(workers) = self.workers.take() {
            // A worker that ended in a panic was told of when it was missed.
            workers.join();
        }
        if let Some(session) = &self.session {
            session.close();
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

    fn spread(&self) -> Option<Spread> {
        Some(self.known.spread.clone())
    }

    fn no_initial_state(&self) -> bool {
        self.known.initial == 0
    }

    fn no_fair_run(&mut self, _: &dyn Budget) -> Result<bool, Halt> {
        if self.model.has_fairness() { Err(Halt::NotOffered) } else { Ok(false) }
    }
}
