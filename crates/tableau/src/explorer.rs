//! All reachable states, nearest first, with one thread or several.
//!
//! All threads enter what they find in one table ([`Found`]), and take the states to be expanded from each other's lists when their own is
//! done. They go through the levels of distance together, so states are found in the order of their distance whatever the
//! number of threads, and the counts are the same. A level of few states is one thread's: the others sleep, since to meet takes longer than
//! to expand what there is.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};

use servanda_engine::{Budget, Counts, Halt, Progress, Throttle, UnreachableLocation};
use servanda_model::{Ends, Expr, Layout, Model, StateStore, StateView, States};
use servanda_space::{Expander, Recent, Wanted};

use crate::found::{Entered, Folded, Found, Open, Share};
use crate::frontier::Frontier;

/// Successors that are collected before they are looked up.
const BATCH: usize = 256;

/// States are looked at in rows of this many before they are entered. Where the table is larger than the processor's caches nearly all
/// time is spent waiting for memory; so the processor waits for many places of memory at once.
const ROW: usize = 32;

/// A level of fewer states is expanded by one thread.
const NARROW: usize = 1 << 11;

/// A thread says how far it is whenever it has expanded so many states.
const REPORT_EVERY: usize = 1 << 10;

/// What one thread has found.
#[derive(Default)]
struct Tally {
    /// States that are not in the current level, but in the next.
    next: Vec<u64>,
    /// Successors that are not entered yet, because there was no room, and their hashes.
    batch: Vec<u64>,
    hashes: Vec<u64>,
    transitions: u64,
    /// Transitions that reports of progress have told of.
    told: u64,
    deadlocks: u64,
    first_deadlock: Option<(u64, Vec<u64>)>,
}

/// The reachable states of a model, as far as they have been found.
pub struct Explorer<'m> {
    model: &'m Model,
    layout: Layout,
    found: Found,
    /// What is to be expanded, a list for each thread.
    frontiers: Vec<Frontier>,
    tallies: Vec<Tally>,
    initial: u64,
    level: u64,
    done: bool,
    /// Why there will never be more: a state could not be expanded.
    fault: Option<Halt>,
}

/// What the threads tell each other in one round.
#[derive(Default)]
struct Round {
    /// All should come to the barrier: there is no room, or a reason to stop.
    meet: AtomicBool,
    /// There is a reason to stop.
    stop: AtomicBool,
    /// Threads that could not enter all successors.
    unfinished: AtomicUsize,
    /// States to be expanded in the next round.
    states: AtomicUsize,
}

/// What kept a state from being expanded or looked at. Of several in one level the first in this order is told: whoever is first in
/// time depends on the threads.
struct Broken {
    /// Could it not be expanded? Otherwise something that is asked of it has no value.
    unexpanded: bool,
    state: Vec<u64>,
    halt: Halt,
}

impl Broken {
    fn rank(&self) -> (bool, &[u64]) {
        (!self.unexpanded, &self.state)
    }
}

/// What the threads share during one run.
struct Shared<'a> {
    found: &'a Found,
    frontiers: &'a [Frontier],
    barrier: Barrier,
    /// This round and the next, in turn.
    rounds: [Round; 2],
    halt: Mutex<Option<Halt>>,
    /// A state that is wanted.
    wanted: Mutex<Option<Vec<u64>>>,
    broken: Mutex<Option<Broken>>,
    /// States and transitions expanded, for reports of progress.
    states: AtomicU64,
    transitions: AtomicU64,
    /// The level that one thread has come to while the others slept.
    level: AtomicU64,
    /// That thread has come to an end.
    ended: AtomicBool,
    budget: &'a dyn Budget,
}

impl Round {
    /// All should meet and stop.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.meet.store(true, Ordering::Relaxed);
    }

    /// Nothing was said yet.
    fn begin(&self) {
        self.meet.store(false, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
        self.unfinished.store(0, Ordering::Relaxed);
        self.states.store(0, Ordering::Relaxed);
    }
}

impl<'m> Explorer<'m> {
    /// Knows the initial states; `threads` will explore.
    pub fn new(model: &'m Model, threads: usize, budget: &dyn Budget) -> Result<Self, Halt> {
        servanda_space::count_space();
        let layout = Layout::new(model);
        let threads = threads.max(1);
        let found = Found::new(layout.words(), threads);
        let mut states = enter_initial(model, &layout, &found, budget)?;
        let initial = (states.len() / found.kept_words()) as u64;
        let frontiers: Vec<Frontier> = (0..threads).map(|_| Frontier::default()).collect();
        frontiers[0].renew(&mut states);
        let tallies = (0..threads).map(|_| Tally::default()).collect();
        let (level, done, fault) = (0, false, None);
        Ok(Explorer { model, layout, found, frontiers, tallies, initial, level, done, fault })
    }

    /// Finds all states.
    pub fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        self.run(None, budget).map(|_| ())
    }

    /// Can a state be reached in which the condition holds? Explores no farther than it must.
    pub fn reaches(&mut self, condition: &Expr, budget: &dyn Budget) -> Result<bool, Halt> {
        let wanted = Wanted::new(self.model, &self.layout, condition);
        let is_known = wanted.is_among(|see| {
            let _ = self.found.try_for_each(see);
        })?;
        Ok(is_known || self.run(Some(&wanted), budget)?.is_some())
    }

    /// Does the condition have a value in every state found?
    pub(crate) fn check_defined(&self, condition: &Expr) -> Result<(), Halt> {
        Wanted::new(self.model, &self.layout, condition).is_defined(|see| self.found.for_each(see))
    }

    /// Have all states been found?
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// How many states have been found.
    pub(crate) fn found(&self) -> u64 {
        self.found.len() as u64
    }

    /// How many transitions have been found.
    fn transitions(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.transitions).sum()
    }

    /// The size of what has been found.
    pub fn counts(&self) -> Counts {
        Counts {
            states: self.found().into(),
            transitions: Some(self.transitions().into()),
            deadlocks: self.tallies.iter().map(|tally| tally.deadlocks).sum::<u64>().into(),
            initial: Some(self.initial),
            diameter: Some(self.level),
            bytes: Some(self.found.bytes() as u64),
        }
    }

    /// A deadlock nearest to an initial state, of those met.
    pub fn deadlock_example(&self) -> Option<StateView> {
        let nearest = self.tallies.iter().filter_map(|tally| tally.first_deadlock.as_ref()).min();
        nearest.map(|(_, state)| StateView::new(self.model, &self.layout, state))
    }

    /// The control states that are current in none of the states found.
    pub fn unreachable_locations(&self) -> Vec<UnreachableLocation> {
        UnreachableLocation::outside(self.model, &self.layout, |see| self.found.for_each(see))
    }

    /// Goes on until all states are found, or one that is wanted.
    fn run(&mut self, wanted: Option<&Wanted<'_>>, budget: &dyn Budget) -> Result<Option<Vec<u64>>, Halt> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.done {
            return Ok(None);
        }
        let met = (self.found(), self.transitions());
        let shared = Shared::new((&self.found, &self.frontiers), met, budget);
        let (model, layout, level) = (self.model, &self.layout, self.level);
        // Where several were stopped in the middle of a level, each has its part of the next.
        let divided =
            self.tallies.iter().skip(1).any(|tally| !tally.next.is_empty() || !tally.batch.is_empty());
        let mut workers = self.tallies.iter_mut().enumerate().map(|(number, tally)| Worker {
            number,
            layout,
            expander: Expander::new(model),
            tally,
            wanted,
            shared: &shared,
            level,
            recent: Recent::new(layout.words()),
            expanded: 0,
            throttle: Throttle::default(),
            stack: Vec::new(),
            ends: Ends::new(model, layout),
            folded: Folded::default(),
        });
        let Some(mut first) = workers.next() else { return Ok(None) };
        // The others are not even started before there is something for them.
        let alone = if divided { None } else { first.alone(shared.states_to_expand()) };
        let end = alone.unwrap_or_else(|| together(&mut first, workers));
        let reached = first.level;
        drop(first);
        self.level = reached;
        self.done = end == End::AllFound;
        let halt = shared.halt.into_inner().unwrap_or_else(PoisonError::into_inner);
        let broken = shared.broken.into_inner().unwrap_or_else(PoisonError::into_inner);
        let found = shared.wanted.into_inner().unwrap_or_else(PoisonError::into_inner);
        if broken.as_ref().is_some_and(|broken| broken.unexpanded) {
            // What this state leads to will never be known, so nobody may go on as if it were.
            self.fault = broken.as_ref().map(|broken| broken.halt.clone());
            self.done = false;
        }
        // What is found is found, whatever else is wrong; and what is wrong is so whether or not there was time to go on.
        if found.is_some() {
            return Ok(found);
        }
        match broken.map(|broken| broken.halt).or(halt) {
            Some(Halt::Stopped { stop, .. }) => {
                Err(Halt::Stopped { stop, states: self.found(), transitions: self.transitions() })
            }
            Some(other) => Err(other),
            None => Ok(None),
        }
    }
}

/// Goes on with all threads.
fn together<'a, 'w>(first: &mut Worker<'a, 'w>, others: impl Iterator<Item = Worker<'a, 'w>>) -> End {
    std::thread::scope(|scope| {
        let begin = first.level;
        let start = |worker| {
            let mut worker = Worker { level: begin, ..worker };
            scope.spawn(move || worker.together())
        };
        let others: Vec<_> = others.map(start).collect();
        let end = first.together();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
        end
    })
}

impl<'a> Shared<'a> {
    /// As many states and transitions have been found as `met` says.
    fn new((found, frontiers): (&'a Found, &'a [Frontier]), met: (u64, u64), budget: &'a dyn Budget) -> Self {
        Shared {
            found,
            frontiers,
            barrier: Barrier::new(frontiers.len()),
            rounds: Default::default(),
            halt: Mutex::new(None),
            wanted: Mutex::new(None),
            broken: Mutex::new(None),
            states: AtomicU64::new(met.0),
            transitions: AtomicU64::new(met.1),
            level: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            budget,
        }
    }

    /// How many states there are to be expanded.
    fn states_to_expand(&self) -> usize {
        let words = self.found.kept_words();
        self.frontiers.iter().map(|frontier| frontier.left() / words).sum()
    }

    fn is_broken(&self) -> bool {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Is a thread the only one at work?
#[derive(Clone, Copy)]
struct Alone(bool);

/// How the work of a thread ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// There are no more states.
    AllFound,
    /// There is a reason to stop.
    Stopped,
}

/// Enters the initial states, and gives them as they are kept, without repetition.
fn enter_initial(
    model: &Model,
    layout: &Layout,
    found: &Found,
    budget: &dyn Budget,
) -> Result<Vec<u64>, Halt> {
    let (mut states, mut throttle, mut folded) = (Vec::new(), Throttle::default(), Folded::default());
    let mut initial = States::initial(model, layout);
    let mut next = |found: usize| {
        let progress = Progress::Exploring { states: found as u64, transitions: 0 };
        initial.try_next(|| throttle.go_on(budget, progress))
    };
    let mut left = next(0)?;
    while left.is_some() {
        (0..found.threads()).try_for_each(|thread| found.make_room(thread, budget))?;
        let open = found.open();
        let mut share = open.share(0);
        while let Some(state) = &left {
            let hash = [StateStore::hash(state)];
            let (kept, [hash]) = open.fold(state, &hash, &mut share, &mut folded) else { break };
            match open.enter(kept, *hash, &mut share) {
                Entered::New => states.extend_from_slice(kept),
                Entered::Known => {}
                Entered::NoRoom => break,
            }
            left = next(states.len() / found.kept_words())?;
        }
        drop(open);
        found.settle(&share);
    }
    Ok(states)
}

/// One thread at work.
struct Worker<'a, 'm> {
    number: usize,
    layout: &'a Layout,
    expander: Expander<'m>,
    tally: &'a mut Tally,
    wanted: Option<&'a Wanted<'a>>,
    shared: &'a Shared<'a>,
    level: u64,
    recent: Recent,
    /// States expanded since the last report.
    expanded: usize,
    throttle: Throttle,
    stack: Vec<i64>,
    ends: Ends,
    folded: Folded,
}

impl Worker<'_, '_> {
    /// Works alone on levels of few states, of which there are so many in the first; `None` when a level is not narrow any more and others
    /// can help.
    fn alone(&mut self, mut states: usize) -> Option<End> {
        let shared = self.shared;
        let threads = shared.frontiers.len();
        let round = Round::default();
        while self.is_narrow(states) {
            round.begin();
            self.work(&round, Alone(true));
            if let Err(halt) =
                (0..threads).try_for_each(|thread| shared.found.make_room(thread, shared.budget))
            {
                self.give_up(halt, &round);
            }
            let unfinished = !self.tally.batch.is_empty() || shared.states_to_expand() > 0;
            if !unfinished {
                shared.frontiers[self.number].renew(&mut self.tally.next);
            }
            states = shared.states_to_expand();
            if !unfinished && states == 0 {
                return Some(End::AllFound);
            }
            if !unfinished {
                self.level += 1;
            }
            if round.stop.load(Ordering::Relaxed) || (!unfinished && shared.is_broken()) {
                return Some(End::Stopped);
            }
        }
        None
    }

    /// Works with the others until all is found or there is a reason to stop.
    fn together(&mut self) -> End {
        let shared = self.shared;
        for number in 0.. {
            let (round, next_round) = (&shared.rounds[number % 2], &shared.rounds[(number + 1) % 2]);
            self.work(round, Alone(false));
            // What one thread sees that is left, another may still take; then the next round finds that out.
            if !self.tally.batch.is_empty() || shared.frontiers.iter().any(|frontier| frontier.left() > 0) {
                round.unfinished.fetch_add(1, Ordering::Relaxed);
            }
            shared.barrier.wait();
            // Nothing is expanded or entered until the threads have met again.
            if let Err(halt) = shared.found.make_room(self.number, shared.budget) {
                self.give_up(halt, round);
            }
            let level_is_done = round.unfinished.load(Ordering::Relaxed) == 0;
            if level_is_done {
                shared.frontiers[self.number].renew(&mut self.tally.next);
            }
            // Asked before anybody goes on, who might break something: all must see the same.
            let is_broken = level_is_done && shared.is_broken();
            // What is left of a level and not yet entered is work too.
            let own = shared.frontiers[self.number].left() + usize::from(!level_is_done);
            round.states.fetch_add(own, Ordering::Relaxed);
            if self.number == 0 {
                next_round.begin();
            }
            shared.barrier.wait();
            // All see the same now, so all stop here or none does.
            let states = round.states.load(Ordering::Relaxed) / shared.found.kept_words();
            let more = round.states.load(Ordering::Relaxed) > 0;
            if level_is_done && more {
                self.level += 1;
            }
            if !more {
                return End::AllFound;
            }
            if round.stop.load(Ordering::Relaxed) || is_broken {
                return End::Stopped;
            }
            if level_is_done && states < NARROW {
                let mut end = None;
                if self.number == 0 {
                    end = self.alone(states);
                    shared.ended.store(end.is_some(), Ordering::Relaxed);
                    shared.level.store(self.level, Ordering::Relaxed);
                }
                // The others sleep here.
                shared.barrier.wait();
                self.level = shared.level.load(Ordering::Relaxed);
                if shared.ended.load(Ordering::Relaxed) {
                    return end.unwrap_or(End::Stopped);
                }
            }
        }
        End::Stopped
    }

    /// Is a level of so many states one thread's?
    fn is_narrow(&self, states: usize) -> bool {
        self.shared.frontiers.len() == 1 || states < NARROW
    }

    /// Expands states of the current level, and of narrow ones behind it if nobody else is at work, until there are no more or the threads
    /// should meet.
    fn work(&mut self, round: &Round, alone: Alone) {
        let shared = self.shared;
        let open = shared.found.open();
        let mut share = open.share(self.number);
        // What there was no room for comes first.
        self.enter_batch(&open, &mut share, round);
        loop {
            self.expand_level(&open, &mut share, round);
            // To close the table and open it again takes longer than to expand a few states.
            let is_done = self.tally.batch.is_empty() && !round.meet.load(Ordering::Relaxed);
            let next = self.tally.next.len() / shared.found.kept_words();
            if !alone.0 || !is_done || next == 0 || !self.is_narrow(next) || shared.is_broken() {
                break;
            }
            shared.frontiers[self.number].renew(&mut self.tally.next);
            self.level += 1;
        }
        drop(open);
        shared.found.settle(&share);
    }

    /// Expands states of the current level, those on the own list first.
    fn expand_level(&mut self, open: &Open<'_>, share: &mut Share, round: &Round) {
        let shared = self.shared;
        let (words, own, threads) = (shared.found.kept_words(), self.number, shared.frontiers.len());
        let mut unfolded = Vec::new();
        for other in (0..threads).map(|distance| (own + distance) % threads) {
            shared.frontiers[other].take(words, |states| {
                for kept in states.chunks_exact(words) {
                    let state = open.unfold(kept, &mut unfolded);
                    match self.expand(state) {
                        Ok(()) => {}
                        Err(halt @ Halt::Stopped { .. }) => {
                            // In the middle of a state, which is not given again.
                            self.give_up(halt.clone(), round);
                            self.breaks(Broken { unexpanded: true, state: state.to_vec(), halt });
                            return false;
                        }
                        // The level is gone through, so that it is known what is told.
                        Err(halt) => self.breaks(Broken { unexpanded: true, state: state.to_vec(), halt }),
                    }
                    if self.tally.hashes.len() >= BATCH {
                        self.enter_batch(open, share, round);
                    }
                }
                self.expanded += states.len() / words;
                if self.expanded >= REPORT_EVERY {
                    self.report(share, round);
                }
                !round.meet.load(Ordering::Relaxed)
            });
        }
        self.enter_batch(open, share, round);
    }

    /// Collects the successors of a state.
    fn expand(&mut self, state: &[u64]) -> Result<(), Halt> {
        let Tally { batch, hashes, .. } = &mut *self.tally;
        let (recent, throttle, shared) = (&mut self.recent, &mut self.throttle, self.shared);
        // A single state may have more steps than a budget allows.
        let so_far = Cell::new(0);
        let go_on = || {
            let (states, transitions) =
                (shared.states.load(Ordering::Relaxed), shared.transitions.load(Ordering::Relaxed));
            let transitions = transitions + so_far.get();
            throttle.go_on(shared.budget, Progress::Exploring { states, transitions })
        };
        let folds = shared.found.folds();
        let made = self.expander.expand(state, go_on, |successor| {
            so_far.set(so_far.get() + 1);
            // Of what is folded the root will have one.
            let hash = if folds { 0 } else { StateStore::hash(successor) };
            if !recent.again(successor, hash) {
                batch.extend_from_slice(successor);
                hashes.push(hash);
            }
        })?;
        self.tally.transitions += made;
        if made == 0 && !self.ends.contains(state) {
            self.tally.deadlocks += 1;
            // Of the nearest ones the smallest, so that the number of threads does not show.
            let nearest = self.tally.first_deadlock.as_ref();
            if nearest.is_none_or(|(level, other)| *level == self.level && state < other.as_slice()) {
                self.tally.first_deadlock = Some((self.level, state.to_vec()));
            }
        }
        Ok(())
    }

    /// Enters the successors collected, as far as there is room.
    fn enter_batch(&mut self, open: &Open<'_>, share: &mut Share, round: &Round) {
        let words = self.layout.words();
        let (mut batch, mut hashes) =
            (std::mem::take(&mut self.tally.batch), std::mem::take(&mut self.tally.hashes));
        let entered = self.enter(&batch, &hashes, open, share, round);
        if entered < hashes.len() {
            round.meet.store(true, Ordering::Relaxed);
        }
        batch.drain(..entered * words);
        hashes.drain(..entered);
        (self.tally.batch, self.tally.hashes) = (batch, hashes);
    }

    /// How many states were entered until there was no room.
    fn enter(
        &mut self,
        states: &[u64],
        hashes: &[u64],
        open: &Open<'_>,
        share: &mut Share,
        round: &Round,
    ) -> usize {
        let (words, mut folded) = (self.layout.words(), std::mem::take(&mut self.folded));
        let mut entered = 0;
        'rows: for (states, hashes) in states.chunks(ROW * words).zip(hashes.chunks(ROW)) {
            let (kept, kept_hashes) = open.fold(states, hashes, share, &mut folded);
            std::hint::black_box(kept_hashes.iter().fold(0, |looked, hash| looked ^ open.look(*hash)));
            let kept = kept.chunks_exact(self.shared.found.kept_words());
            for ((state, kept), hash) in states.chunks_exact(words).zip(kept).zip(kept_hashes) {
                match open.enter(kept, *hash, share) {
                    Entered::Known => {}
                    Entered::New => {
                        self.tally.next.extend_from_slice(kept);
                        self.look_for_wanted(state, round);
                    }
                    Entered::NoRoom => break 'rows,
                }
                entered += 1;
            }
            if kept_hashes.len() < hashes.len() {
                break;
            }
        }
        self.folded = folded;
        entered
    }

    #[inline]
    fn look_for_wanted(&mut self, state: &[u64], round: &Round) {
        let Some(wanted) = self.wanted else { return };
        match wanted.is(state, &mut self.stack) {
            Ok(false) => {}
            Ok(true) => {
                let mut found = self.shared.wanted.lock().unwrap_or_else(PoisonError::into_inner);
                found.get_or_insert_with(|| state.to_vec());
                round.stop();
            }
            Err(halt) => self.breaks(Broken { unexpanded: false, state: state.to_vec(), halt }),
        }
    }

    /// Something is wrong with a state; of all such states of a level one is told.
    fn breaks(&self, broken: Broken) {
        let mut known = self.shared.broken.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| broken.rank() < known.rank()) {
            *known = Some(broken);
        }
    }

    fn give_up(&self, halt: Halt, round: &Round) {
        let mut known = self.shared.halt.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert(halt);
        round.stop();
    }

    /// Says how far this thread is, and asks whether to go on.
    fn report(&mut self, share: &mut Share, round: &Round) {
        self.expanded = 0;
        let new_states = share.not_yet_told();
        let new_transitions = self.tally.transitions - self.tally.told;
        self.tally.told = self.tally.transitions;
        let states = self.shared.states.fetch_add(new_states, Ordering::Relaxed) + new_states;
        let transitions =
            self.shared.transitions.fetch_add(new_transitions, Ordering::Relaxed) + new_transitions;
        if self.number == 0
            && let Err(halt) = (Progress::Exploring { states, transitions }).tell(self.shared.budget)
        {
            self.give_up(halt, round);
        }
    }
}
