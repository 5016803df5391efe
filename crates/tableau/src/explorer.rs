//! All reachable states, nearest first, with one thread or several.
//!
//! Every thread owns the states whose hash falls to it, and keeps them in a store of its own. A state is expanded by its owner;
//! successors that belong to another thread are sent to it, many at a time. The threads go through the levels of distance
//! together, so states are found in the order of their distance whatever the number of threads, and the counts are
//! the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use servanda_engine::{Halt, Monitor, Progress, RunFault, UnreachableLocation};
use servanda_model::{Expr, InitialStates, Layout, Model, Program, StateStore, StateView};

use crate::expand::Expander;
use crate::meeting::Meeting;
use crate::recent::Recent;

/// States that a thread expands before the threads exchange what they found.
const PORTION: usize = 1 << 18;

/// Successors that are collected before they are looked up.
const BATCH: usize = 256;

/// The size of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reachable states.
    pub states: u64,
    /// Distinct transitions between them, implicit loops not counted.
    pub transitions: u64,
    /// Reachable states without a transition.
    pub deadlocks: u64,
    /// Initial states.
    pub initial: u64,
    /// The longest of the shortest ways from an initial state.
    pub diameter: u64,
    /// Memory held for the states, in bytes.
    pub bytes: u64,
}

/// The states of one thread.
struct Shard {
    store: StateStore,
    /// States before this one have been expanded.
    next: usize,
    /// States before this one are no farther than the current level.
    end_of_level: usize,
    transitions: u64,
    deadlocks: u64,
    first_deadlock: Option<(u64, Vec<u64>)>,
}

/// The reachable states of a model, as far as they have been found.
pub struct Explorer<'m> {
    model: &'m Model,
    layout: Layout,
    shards: Vec<Shard>,
    initial: u64,
    level: u64,
    done: bool,
}

/// A condition on states that is looked for.
struct Wanted {
    program: Program,
}

/// Threads that have something left to expand.
#[derive(Default)]
struct Left {
    /// Of the current level.
    of_level: AtomicU64,
    /// Of this level or the next.
    at_all: AtomicU64,
    /// Threads that have come to a reason to stop.
    stopping: AtomicU64,
}

/// What the threads share during one run.
struct Shared<'a> {
    barrier: Meeting,
    /// Successors on their way: from one thread, to another.
    mail: Vec<Vec<Mutex<Vec<u64>>>>,
    halt: Mutex<Option<Halt>>,
    /// The nearest state found that is wanted.
    found: Mutex<Option<Vec<u64>>>,
    /// Threads that have something left, for two rounds in turn.
    left: [Left; 2],
    /// States and transitions, for reports of progress.
    states: AtomicU64,
    transitions: AtomicU64,
    monitor: &'a dyn Monitor,
}

impl<'m> Explorer<'m> {
    /// Knows the initial states; `threads` will explore.
    pub fn new(model: &'m Model, threads: usize, monitor: &dyn Monitor) -> Result<Self, Halt> {
        let layout = Layout::new(model);
        let shard = || Shard {
            store: StateStore::new(layout.words()),
            next: 0,
            end_of_level: 0,
            transitions: 0,
            deadlocks: 0,
            first_deadlock: None,
        };
        let mut shards: Vec<Shard> = (0..threads.max(1)).map(|_| shard()).collect();
        let mut initial = 0u64;
        for state in InitialStates::new(model, &layout) {
            let owner = owner(&state, shards.len());
            let (_, new) = shards[owner].store.insert(&state);
            initial += u64::from(new);
            if initial.is_multiple_of(1 << 10) {
                let progress = Progress::Exploring { states: initial, transitions: 0 };
                let stopped = |stop| Halt::Stopped { stop, states: initial, transitions: 0 };
                monitor.progress(progress).map_err(stopped)?;
            }
        }
        for shard in &mut shards {
            shard.end_of_level = shard.store.len();
        }
        Ok(Explorer { model, layout, shards, initial, level: 0, done: false })
    }

    /// Finds all states.
    pub fn explore(&mut self, monitor: &dyn Monitor) -> Result<(), Halt> {
        self.run(None, monitor).map(|_| ())
    }

    /// A reachable state in which the condition holds, if there is one; explores no farther than it must.
    pub fn find(&mut self, condition: &Expr, monitor: &dyn Monitor) -> Result<Option<StateView>, Halt> {
        let wanted = Wanted { program: Program::new(condition, &self.layout) };
        let mut stack = Vec::new();
        for state in self.shards.iter().flat_map(|shard| shard.store.iter()) {
            if wanted.is(self.model, &self.layout, state, &mut stack)? {
                return Ok(Some(StateView::new(self.model, &self.layout, state)));
            }
        }
        let found = self.run(Some(&wanted), monitor)?;
        Ok(found.map(|state| StateView::new(self.model, &self.layout, &state)))
    }

    /// Does the condition have a value in every state found?
    pub(crate) fn check_defined(&self, condition: &Expr) -> Result<(), Halt> {
        let wanted = Wanted { program: Program::new(condition, &self.layout) };
        let mut stack = Vec::new();
        for state in self.shards.iter().flat_map(|shard| shard.store.iter()) {
            wanted.is(self.model, &self.layout, state, &mut stack)?;
        }
        Ok(())
    }

    /// Have all states been found?
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The size of what has been found.
    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&Shard) -> u64| self.shards.iter().map(of).sum();
        Counts {
            states: sum(|shard| shard.store.len() as u64),
            transitions: sum(|shard| shard.transitions),
            deadlocks: sum(|shard| shard.deadlocks),
            initial: self.initial,
            diameter: self.level,
            bytes: sum(|shard| shard.store.bytes() as u64),
        }
    }

    /// A deadlock nearest to an initial state, of those met.
    pub fn deadlock_example(&self) -> Option<StateView> {
        let nearest = self.shards.iter().filter_map(|shard| shard.first_deadlock.as_ref()).min();
        nearest.map(|(_, state)| StateView::new(self.model, &self.layout, state))
    }

    /// The control states that are current in none of the states found.
    pub fn unreachable_locations(&self) -> Vec<UnreachableLocation> {
        let states = self.shards.iter().flat_map(|shard| shard.store.iter());
        UnreachableLocation::outside(self.model, &self.layout, states)
    }

    /// Goes on until all states are found, or one that is wanted.
    fn run(&mut self, wanted: Option<&Wanted>, monitor: &dyn Monitor) -> Result<Option<Vec<u64>>, Halt> {
        if self.done {
            return Ok(None);
        }
        let threads = self.shards.len();
        let mailbox = || (0..threads).map(|_| Mutex::new(Vec::new())).collect();
        let Counts { states, transitions, .. } = self.counts();
        let shared = Shared {
            barrier: Meeting::new(threads),
            mail: (0..threads).map(|_| mailbox()).collect(),
            halt: Mutex::new(None),
            found: Mutex::new(None),
            left: Default::default(),
            states: AtomicU64::new(states),
            transitions: AtomicU64::new(transitions),
            monitor,
        };
        let (model, layout, level) = (self.model, &self.layout, self.level);
        let workers = self.shards.iter_mut().enumerate().map(|(number, shard)| Worker {
            number,
            threads,
            layout,
            model,
            shard,
            wanted,
            shared: &shared,
            level,
            batch: Vec::with_capacity(BATCH * layout.words() * 2),
            outgoing: vec![Vec::new(); threads],
            recent: Recent::new(layout.words()),
            stopping: false,
            stack: Vec::new(),
        });
        let levels: Vec<(u64, bool)> = match threads {
            1 => workers.map(Worker::run).collect(),
            _ => std::thread::scope(|scope| {
                let handles: Vec<_> = workers.map(|worker| scope.spawn(move || worker.run())).collect();
                handles
                    .into_iter()
                    .map(|handle| match handle.join() {
                        Ok(end) => end,
                        Err(panic) => std::panic::resume_unwind(panic),
                    })
                    .collect()
            }),
        };
        if let Some((level, done)) = levels.first() {
            self.level = *level;
            self.done = *done;
        }
        if let Some(halt) = shared.halt.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(halt);
        }
        Ok(shared.found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The thread that a state belongs to. The upper bits of the hash make the place in the table of that thread.
fn owner(state: &[u64], threads: usize) -> usize {
    match threads {
        1 => 0,
        _ => owner_by_hash(StateStore::hash(state), threads),
    }
}

/// The lower half of the hash, scaled to the number of threads.
#[inline]
fn owner_by_hash(hash: u64, threads: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * threads as u64) >> 32) as usize
}

impl Wanted {
    fn is(&self, model: &Model, layout: &Layout, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, Halt> {
        self.program.holds(state, stack).map_err(|kind| {
            Halt::Fault(Box::new(RunFault::of_proposition(StateView::new(model, layout, state), kind)))
        })
    }
}

/// One thread at work.
struct Worker<'a, 'm> {
    number: usize,
    threads: usize,
    layout: &'a Layout,
    model: &'m Model,
    shard: &'a mut Shard,
    wanted: Option<&'a Wanted>,
    shared: &'a Shared<'a>,
    level: u64,
    /// Successors of this thread that are not looked up yet.
    batch: Vec<u64>,
    outgoing: Vec<Vec<u64>>,
    recent: Recent,
    /// There is a reason to stop.
    stopping: bool,
    stack: Vec<i64>,
}

impl Worker<'_, '_> {
    /// Works until all is found or there is a reason to stop; says the level reached and whether all is found.
    fn run(mut self) -> (u64, bool) {
        let mut expander = Expander::new(self.model);
        for round in 0.. {
            // Every thread takes part in every exchange, also when it has nothing left to expand in this level.
            let (states, transitions) = (self.shard.store.len(), self.shard.transitions);
            if let Err(halt) = self.portion(&mut expander) {
                self.give_up(halt);
            }
            self.send();
            self.shared.barrier.wait();
            self.receive();
            let (new_states, new_transitions) =
                (self.shard.store.len() - states, self.shard.transitions - transitions);
            self.shared.states.fetch_add(new_states as u64, Ordering::Relaxed);
            self.shared.transitions.fetch_add(new_transitions, Ordering::Relaxed);
            if self.number == 0 {
                self.report();
            }
            // What is left is counted for this round; the count of the next one is not in use yet.
            let (left, next_left) = (&self.shared.left[round % 2], &self.shared.left[(round + 1) % 2]);
            if self.shard.next < self.shard.end_of_level {
                left.of_level.fetch_add(1, Ordering::Relaxed);
            }
            if self.shard.next < self.shard.store.len() {
                left.at_all.fetch_add(1, Ordering::Relaxed);
            }
            if self.stopping {
                left.stopping.fetch_add(1, Ordering::Relaxed);
            }
            self.shared.barrier.wait();
            let level_goes_on = left.of_level.load(Ordering::Relaxed) > 0;
            let more = left.at_all.load(Ordering::Relaxed) > 0;
            next_left.of_level.store(0, Ordering::Relaxed);
            next_left.at_all.store(0, Ordering::Relaxed);
            next_left.stopping.store(0, Ordering::Relaxed);
            // All see the same counts of this round, so all stop here or none does.
            if left.stopping.load(Ordering::Relaxed) > 0 {
                return (self.level, false);
            }
            if !more {
                return (self.level, true);
            }
            if !level_goes_on {
                // The next level: whatever has been found since the last one began.
                self.shard.end_of_level = self.shard.store.len();
                self.level += 1;
            }
        }
        (self.level, false)
    }

    /// Expands some states of the current level.
    fn portion(&mut self, expander: &mut Expander<'_>) -> Result<(), Halt> {
        let end = self.shard.end_of_level.min(self.shard.next + PORTION);
        let words = self.layout.words();
        let mut state = vec![0u64; words];
        while self.shard.next < end {
            state.copy_from_slice(self.shard.store.get(servanda_model::StateId(self.shard.next as u32)));
            self.shard.next += 1;
            let (batch, outgoing) = (&mut self.batch, &mut self.outgoing);
            let (number, threads) = (self.number, self.threads);
            let recent = &mut self.recent;
            let made = expander.expand(&state, |successor| {
                let hash = StateStore::hash(successor);
                if recent.again(successor, hash) {
                    return;
                }
                match owner_by_hash(hash, threads) {
                    own if own == number => batch.extend_from_slice(successor),
                    other => outgoing[other].extend_from_slice(successor),
                }
            })?;
            self.shard.transitions += made;
            if made == 0 {
                self.shard.deadlocks += 1;
                // Of the nearest ones the smallest, so that the number of threads does not show.
                let nearest = self.shard.first_deadlock.as_ref();
                if nearest.is_none_or(|(level, other)| *level == self.level && state < *other) {
                    self.shard.first_deadlock = Some((self.level, state.clone()));
                }
            }
            if self.batch.len() >= BATCH * words {
                self.insert_batch()?;
            }
        }
        self.insert_batch()
    }

    fn insert_batch(&mut self) -> Result<(), Halt> {
        let batch = std::mem::take(&mut self.batch);
        let result = self.insert(&batch);
        self.batch = batch;
        self.batch.clear();
        result
    }

    /// Enters states that belong to this thread, and looks whether a new one is wanted.
    fn insert(&mut self, states: &[u64]) -> Result<(), Halt> {
        let before = self.shard.store.len();
        self.shard.store.insert_all(states, |_, _| ());
        let Some(wanted) = self.wanted else { return Ok(()) };
        for index in before..self.shard.store.len() {
            let state = self.shard.store.get(servanda_model::StateId(index as u32));
            if wanted.is(self.model, self.layout, state, &mut self.stack)? {
                let mut found = self.shared.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.get_or_insert_with(|| state.to_vec());
                self.stopping = true;
                break;
            }
        }
        Ok(())
    }

    /// Sends what belongs to others.
    fn send(&mut self) {
        for (other, successors) in self.outgoing.iter_mut().enumerate() {
            if !successors.is_empty() {
                let mut sent =
                    self.shared.mail[self.number][other].lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::swap(&mut *sent, successors);
                successors.clear();
            }
        }
    }

    /// Receives what belongs here.
    fn receive(&mut self) {
        let number = self.number;
        for other in (0..self.threads).filter(|other| *other != number) {
            let mail = &self.shared.mail[other][number];
            let mut states = std::mem::take(&mut *mail.lock().unwrap_or_else(PoisonError::into_inner));
            if let Err(halt) = self.insert(&states) {
                self.give_up(halt);
            }
            // The room goes back, to be used again.
            states.clear();
            *mail.lock().unwrap_or_else(PoisonError::into_inner) = states;
        }
    }

    fn give_up(&mut self, halt: Halt) {
        let mut known = self.shared.halt.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert(halt);
        self.stopping = true;
    }

    fn report(&mut self) {
        let states = self.shared.states.load(Ordering::Relaxed);
        let transitions = self.shared.transitions.load(Ordering::Relaxed);
        if let Err(stop) = self.shared.monitor.progress(Progress::Exploring { states, transitions }) {
            self.give_up(Halt::Stopped { stop, states, transitions });
        }
    }
}
