//! One worker: it waits for orders, carries them out with the others, and answers.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use rustc_hash::FxHashMap;
use servanda_disk::Manifest;
use servanda_engine::{FORGETS, Halt, Options, Stop, Verdict};
use servanda_logic::Formula;
use servanda_lower::{Lowering, StateFormula};
use servanda_model::Model;
use timely::WorkerConfig;
use timely::communication::Allocator;

use crate::answer::{Answer, Heard, Reply};
use crate::board::{Board, Trouble, stop_of};
use crate::depot::ON_DISK;
use crate::evaluate::{Evaluation, Graph};
use crate::fabric::{Fabric, Lost};
use crate::links::Links;
use crate::order::Order;
use crate::purse::Purse;
use crate::shard::Shard;
use crate::storage::Storage;

/// What a worker is given to begin with.
pub(crate) struct Desk {
    pub(crate) model: Arc<Model>,
    pub(crate) options: Options,
    pub(crate) board: Arc<Board>,
    pub(crate) storage: Arc<Storage>,
    /// The checkpoint with which to begin.
    pub(crate) checkpoint: Arc<Option<Manifest>>,
    /// How many workers a process has.
    pub(crate) threads: usize,
    /// For the first worker of the process: what is to be done.
    pub(crate) orders: Option<Receiver<Order>>,
    /// Who wants to know what comes of it, from the first worker of the process, and is asked for memory, by all.
    pub(crate) answers: Sender<Heard>,
    /// The most states that a worker may number.
    pub(crate) most: usize,
}

/// One worker at work.
pub(crate) struct Worker<'m> {
    pub(crate) shard: Shard<'m>,
    pub(crate) lowering: Lowering<'m>,
    pub(crate) options: Options,
    pub(crate) fabric: Fabric,
    pub(crate) board: Arc<Board>,
    /// The transitions, once a formula needed them.
    graph: Option<Graph>,
}

/// What of a worker is needed to work with the others.
pub(crate) struct Crew<'a> {
    pub(crate) shard: &'a Shard<'a>,
    pub(crate) fabric: &'a mut Fabric,
    pub(crate) board: &'a Board,
}

/// Tells the others when a worker ends in a way that nobody wanted.
struct Alarm(Arc<Board>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lose();
        }
    }
}

/// Works until there are no more orders, or a worker is gone.
pub(crate) fn work(desk: &Desk, allocator: Allocator) {
    let _alarm = Alarm(Arc::clone(&desk.board));
    let config = WorkerConfig::default();
    let worker = timely::worker::Worker::new(config, allocator, None);
    let fabric = Fabric::new(worker, Arc::clone(&desk.board));
    if begin(desk, fabric).is_err() {
        desk.board.lose();
    }
}

/// Makes the worker ready, says how that went, and takes orders.
fn begin(desk: &Desk, mut fabric: Fabric) -> Result<(), Lost> {
    let options = desk.options;
    let lowering = Lowering::new(&desk.model, options.acts, options.deadlock).map_err(Halt::Invalid);
    let purse = Purse::new(&desk.board, &desk.answers, desk.threads);
    let shard = Shard::new(&desk.model, &fabric, &desk.board, (purse, desk.most));
    let [stopped] = fabric.sum([u64::from(shard.is_err())])?;
    let ready = match (lowering, shard) {
        (Ok(lowering), Ok(shard)) if stopped == 0 => Ok((lowering, shard)),
        (Err(halt), _) => Err(Trouble::Halt(halt)),
        _ => Err(Trouble::Stopped),
    };
    // Those who make all initial states do not ask each other on the way.
    let stop = why_stopped(&mut fabric, &desk.board, stopped > 0)?;
    match ready {
        Ok((lowering, shard)) => {
            let board = Arc::clone(&desk.board);
            let mut worker = Worker { shard, lowering, options, fabric, board, graph: None };
            let begun = worker.open_depot(desk);
            if matches!(begun, Err(Trouble::Lost)) {
                return Err(Lost);
            }
            worker.answer(desk, begun.map(|()| Reply::Done))?;
            worker.take_orders(desk)
        }
        Err(trouble) => {
            tell(desk, Answer { reply: Err(trouble), known: None, stop });
            fabric.close();
            Ok(())
        }
    }
}

fn tell(desk: &Desk, answer: Answer) {
    if desk.orders.is_some() {
        // Who does not wait any more need not be told.
        let _ = desk.answers.send(Heard::Answer(answer));
    }
}

/// Why work was stopped: what one of those who wanted it says, the same one for all workers.
fn why_stopped(fabric: &mut Fabric, board: &Board, is_stopped: bool) -> Result<Option<Stop>, Lost> {
    if !is_stopped {
        return Ok(None);
    }
    let words = fabric.gather(&[board.why()])?;
    Ok(words.into_iter().flatten().find(|word| *word > 0).map(stop_of))
}

/// What all processes were told, where that is the same.
fn agreed(told: Vec<Vec<u64>>, threads: usize) -> Result<Vec<u64>, Trouble> {
    let orders: Vec<Vec<u64>> = told.into_iter().step_by(threads).collect();
    let first = orders.first().cloned().unwrap_or_default();
    let quit = Order::Quit.words();
    match orders.iter().position(|order| *order != first) {
        None => Ok(first),
        Some(_) if orders.contains(&quit) => Err(Trouble::Left),
        Some(process) => Err(Trouble::Parted(process)),
    }
}

impl Worker<'_> {
    fn answer(&mut self, desk: &Desk, reply: Result<Reply, Trouble>) -> Result<(), Lost> {
        let known = self.shard.known(&mut self.fabric)?;
        let is_stopped = matches!(reply, Err(Trouble::Stopped));
        let stop = why_stopped(&mut self.fabric, &self.board, is_stopped)?;
        tell(desk, Answer { reply, known: Some(known), stop });
        Ok(())
    }

    /// Makes ready what is on disk, and begins with a checkpoint where there is one.
    fn open_depot(&mut self, desk: &Desk) -> Result<(), Trouble> {
        let Worker { shard, fabric, .. } = self;
        shard.open_depot(&desk.storage);
        let number = desk.checkpoint.as_ref().as_ref().map_or(0, |manifest| manifest.number);
        if let Some(directory) = &desk.storage.checkpoint {
            shard.keep_in(directory.clone(), number);
        }
        match (&desk.storage.resume, desk.checkpoint.as_ref()) {
            (Some(directory), Some(manifest)) => shard.resume(directory, manifest, fabric, &self.board),
            _ => Ok(()),
        }
    }

    fn take_orders(mut self, desk: &Desk) -> Result<(), Lost> {
        loop {
            let order = desk.orders.as_ref().map(|orders| orders.recv().unwrap_or(Order::Quit));
            let own = order.map(|order| order.words()).unwrap_or_default();
            let words = match agreed(self.fabric.gather(&own)?, desk.threads) {
                Ok(words) => words,
                Err(trouble) => {
                    tell(desk, Answer { reply: Err(trouble), known: None, stop: None });
                    break;
                }
            };
            let reply = match Order::read(&words, self.board.formula()) {
                Some(Order::Quit) => break,
                Some(Order::Explore) => {
                    self.shard.explore(&mut self.fabric, &self.board, None).map(|_| Reply::Done)
                }
                Some(Order::Decide(formula)) => self.decide(&formula).map(Reply::Verdict),
                Some(Order::Route(formula)) => self.route(&formula).map(Reply::Route),
                None => return Err(Lost),
            };
            let reply = match reply {
                // Who wants the work to end may want to go on with it.
                Err(Trouble::Stopped) => self.shard.save(&mut self.fabric).and(Err(Trouble::Stopped)),
                other => other,
            };
            if matches!(reply, Err(Trouble::Lost)) {
                return Err(Lost);
            }
            self.answer(desk, reply)?;
        }
        self.fabric.close();
        Ok(())
    }

    /// Decides a property.
    fn decide(&mut self, formula: &Formula) -> Result<Verdict, Trouble> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        if self.options.recall.is_some() && self.lowering.needs_recall(id) {
            return Ok(Verdict::Unknown(FORGETS.to_owned()));
        }
        self.check_defined(id)?;
        let [initial] = self.fabric.sum([self.shard.tally.initial])?;
        match self.reaching(id, initial) {
            Some(questions) => Ok(Verdict::from(self.reach(&questions)?.0)),
            None => self.evaluate(id).map(Verdict::from),
        }
    }

    /// Decides a property by fixpoints over all states and the transitions between them.
    fn evaluate(&mut self, id: StateFormula) -> Result<bool, Trouble> {
        self.shard.explore(&mut self.fabric, &self.board, None)?;
        let [spilled] = self.fabric.sum([u64::from(self.shard.depot.spill.is_some())])?;
        if spilled > 0 {
            return Err(Trouble::Halt(Halt::TooLarge(ON_DISK.to_owned())));
        }
        let Worker { shard, lowering, options, fabric, board, graph } = self;
        let is_new = graph.is_none();
        let mut known = match graph.take() {
            Some(known) => known,
            None => {
                let links = Links::new(shard, options.deadlock, fabric, board)?;
                Graph { links, fair: Vec::new(), on_run: vec![true; shard.len() as usize] }
            }
        };
        let crew = Crew { shard, fabric, board };
        let truth = FxHashMap::default();
        let mut evaluation = Evaluation { crew, lowering, graph: &mut known, past: options.past, truth };
        if is_new {
            // What is stopped here is begun again: the graph is not kept.
            evaluation.keep_fair_runs()?;
        }
        let valid = evaluation.evaluate(id).and_then(|()| evaluation.is_valid(id, options.validity));
        *graph = Some(known);
        valid
    }

    /// The states on a shortest run to the one that decides a property, where it comes down to that.
    fn route(&mut self, formula: &Formula) -> Result<Option<Vec<Vec<u64>>>, Trouble> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        let [initial] = self.fabric.sum([self.shard.tally.initial])?;
        let Some(questions) = self.reaching(id, initial) else { return Ok(None) };
        let (_, Some(state)) = self.reach(&questions)? else { return Ok(None) };
        self.shard.route(&state, &mut self.fabric, &self.board).map(Some)
    }
}
