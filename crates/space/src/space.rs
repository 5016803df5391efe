//! States and steps, found as they are asked for.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use servanda_engine::{
    Budget, Counts, Deadlock, Halt, Progress, StoppedTime, Throttle, Unkeepable, UnreachableLocation,
};
use servanda_model::{
    AgentId, Behaviour, Cause, CommandId, CommitmentId, Ends, Expr, JointActions, LabelId, Layout, Model,
    Mover, StateId, StateStore, StateView, States, StepKind,
};
use servanda_syntax::Span;

use crate::{Before, StateSet, Step, Steps, Via, Ways};

/// How many states are expanded between two reports of progress; a round takes many times as long as a step of one agent.
const REPORT_EVERY: usize = 1024;
const REPORT_EVERY_ROUND: usize = 64;

/// Room is asked for before there is none for so many more states or steps; a state with more successors is rare.
const MOST_SUCCESSORS: usize = 1024;

/// Nobody is asked for fewer bytes.
const LARGE: usize = 1 << 20;

/// All type-correct states are enumerated only up to this number (`--past all`).
const MOST_TYPED_STATES: u64 = 20_000_000;

/// Which of several states stands for all of them.
pub trait Canonical: Send + Sync {
    /// Makes a state the one that stands for it.
    fn canonise(&self, state: &mut [u64]);
}

/// The states of a model that have been met so far, and the steps of those that were asked about. States are known by the numbers in
/// whose order they were met, the initial ones first.
pub struct Space<'m> {
    /// The model.
    pub model: &'m Model,
    /// How its states are packed.
    pub layout: Layout,
    store: StateStore,
    initial: u32,
    /// States from here on are not on runs (`--past all`).
    reachable: Option<usize>,
    /// How many states have been expanded in order.
    expanded: usize,
    deadlock: Deadlock,
    ends: Ends,
    mover: Mover<'m>,
    joints: JointActions,
    throttle: Throttle,
    steps: Steps,
    /// Where moves were lost because a value did not exist or did not fit, with the states in which they were.
    lost: Vec<(Span, Vec<u32>)>,
    /// What steps are collected in, kept to save its allocation.
    scratch: Vec<Step>,
    /// Where some states stand for others.
    canonical: Option<Arc<dyn Canonical>>,
    /// What a state is made canonical in.
    row: Vec<u64>,
    made: Made,
}

/// The states whose steps have been made.
#[derive(Default)]
struct Made {
    /// A bit for each state.
    bits: Vec<u64>,
    states: usize,
    /// How many steps they have.
    steps: usize,
}

impl Made {
    fn note(&mut self, state: u32, steps: usize) {
        let (word, bit) = (state as usize / 64, 1 << (state % 64));
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        if self.bits[word] & bit == 0 {
            self.bits[word] |= bit;
            self.states += 1;
            self.steps += steps;
        }
    }
}

impl<'m> Space<'m> {
    /// A space in which nothing but the initial states has been met. With [`Deadlock::Loop`] a deadlock has its implicit loop as a step.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn new(model: &'m Model, deadlock: Deadlock, budget: &dyn Budget) -> Result<Self, Halt> {
        Space::with(model, deadlock, None, budget)
    }

    /// The same, but of states that stand for each other one alone is met. Steps lead to those that stand for where they would lead.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn in_order(
        model: &'m Model,
        deadlock: Deadlock,
        canonical: Arc<dyn Canonical>,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        Space::with(model, deadlock, Some(canonical), budget)
    }

    fn with(
        model: &'m Model,
        deadlock: Deadlock,
        canonical: Option<Arc<dyn Canonical>>,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        crate::count_space();
        let mover = Mover::new(model);
        let layout = mover.layout().clone();
        let ends = Ends::new(model, &layout);
        let mut store = StateStore::new(layout.words());
        let (mut initial, mut throttle) = (mover.initial_states(), Throttle::default());
        let progress = |states: usize| Progress::Exploring { states: states as u64, transitions: 0 };
        let mut row = Vec::new();
        while let Some(state) = initial.try_next(|| throttle.go_on(budget, progress(store.len())))? {
            insert(&mut store, canonical.as_deref(), &mut row, &state);
        }
        Ok(Space {
            model,
            layout,
            initial: store.len() as u32,
            store,
            reachable: None,
            expanded: 0,
            deadlock,
            ends,
            mover,
            joints: JointActions::default(),
            throttle,
            steps: Steps::default(),
            lost: Vec::new(),
            scratch: Vec::new(),
            canonical,
            row,
            made: Made::default(),
        })
    }

    /// The number of states met, unreachable ones included.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Is there no state, which means no initial one?
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// The initial states.
    pub fn initial(&self) -> std::ops::Range<u32> {
        0..self.initial
    }

    /// The packed state.
    #[inline]
    pub fn state(&self, number: u32) -> &[u64] {
        self.store.get(StateId(number))
    }

    /// The number of a packed state that has been met.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.store.find(state).map(|id| id.0)
    }

    /// The number of a packed state, which is met if it was not yet.
    pub fn enter(&mut self, state: &[u64]) -> u32 {
        insert(&mut self.store, self.canonical.as_deref(), &mut self.row, state)
    }

    /// A state in the user's words.
    pub fn view(&self, number: u32) -> StateView {
        StateView::new(self.model, &self.layout, self.state(number))
    }

    /// Is the state on a run?
    pub fn is_reachable(&self, number: u32) -> bool {
        self.reachable.is_none_or(|reachable| (number as usize) < reachable)
    }

    /// The states met that are on runs; they come first.
    pub fn reachable(&self) -> impl Iterator<Item = &[u64]> + Clone {
        self.store.iter().take(self.reachable_len())
    }

    /// How many of the states met are on runs.
    pub fn reachable_len(&self) -> usize {
        self.reachable.unwrap_or(self.store.len())
    }

    /// The steps of a state that has been expanded; none are known of another.
    #[inline]
    pub fn steps(&self, number: u32) -> &[Step] {
        self.steps.of(number).unwrap_or(&[])
    }

    /// The steps of a state, which are kept for the next time.
    ///
    /// # Errors
    ///
    /// When the budget says stop, and when a step cannot be made.
    pub fn expand(&mut self, number: u32, budget: &dyn Budget) -> Result<&[Step], Halt> {
        if self.steps.of(number).is_none() {
            self.make_room(budget)?;
            let mut found = std::mem::take(&mut self.scratch);
            self.successors(number, &mut found, budget)?;
            self.steps.enter(number, &found);
            self.scratch = found;
        }
        Ok(self.steps(number))
    }

    /// Asks for the memory that large tables will take when they grow next. Where they cannot become twice as large they become a little
    /// larger.
    fn make_room(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let growth = self.store.growth(MOST_SUCCESSORS) + self.steps.growth(MOST_SUCCESSORS);
        if growth < LARGE || budget.room(growth).is_ok() {
            return Ok(());
        }
        let (states, transitions) = (self.len() as u64, self.steps.len() as u64);
        let may = |bytes| budget.room(bytes).map_err(|stop| Halt::Stopped { stop, states, transitions });
        self.steps.make_little_room(MOST_SUCCESSORS, may)?;
        self.store.make_little_room(MOST_SUCCESSORS, may)
    }

    /// Knows a run, given by its states: a state on it has no other steps than to the next, until the last. For who looks for a way that
    /// somebody else has found. Says whether it is a run.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`].
    pub fn follow(&mut self, run: &[Vec<u64>], budget: &dyn Budget) -> Result<bool, Halt> {
        let mut steps = Vec::new();
        for (state, next) in run.iter().zip(run.iter().skip(1)) {
            let Some(number) = self.find(state) else { return Ok(false) };
            self.successors(number, &mut steps, budget)?;
            let next = self.find(next);
            steps.retain(|step| Some(step.target) == next);
            if steps.is_empty() || self.steps.of(number).is_some() {
                return Ok(false);
            }
            self.steps.enter(number, &steps);
        }
        Ok(true)
    }

    /// The steps of a state, which are not kept.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`].
    pub fn successors(
        &mut self,
        number: u32,
        found: &mut Vec<Step>,
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        found.clear();
        if let Some(steps) = self.steps.of(number) {
            found.extend_from_slice(steps);
            return Ok(());
        }
        let on_run = self.is_reachable(number);
        let state = self.state(number).to_vec();
        // A single state may have more steps than a budget allows.
        let (before, made) = (self.steps.len() as u64, Cell::new(0));
        let states = self.store.len() as u64;
        let Space { store, joints, throttle, lost, mover, canonical, row, .. } = self;
        let go_on =
            || throttle.go_on(budget, Progress::Exploring { states, transitions: before + made.get() });
        let add = |cause: Cause<'_>, next: &[u64]| {
            made.set(made.get() + 1);
            let via = match cause {
                Cause::Command(command) => Via(command.0),
                Cause::JointAction(joint) => Via(joints.number(joint)),
            };
            found.push(Step { via, target: insert(store, canonical.as_deref(), row, next) });
        };
        if on_run {
            let lose = |span| match lost.iter_mut().find(|(known, _)| *known == span) {
                Some((_, states)) if states.last() == Some(&number) => {}
                Some((_, states)) => states.push(number),
                None => lost.push((span, vec![number])),
            };
            let moved = mover.try_for_each(&state, go_on, add, lose);
            moved.map_err(|error| Halt::of_moves(mover, &state, error))?;
        } else {
            mover.try_for_each_possible(&state, go_on, add)?;
        }
        if found.is_empty() && self.deadlock == Deadlock::Loop {
            found.push(Step { via: Via::LOOP, target: number });
        }
        self.made.note(number, found.len());
        Ok(())
    }

    /// Expands all states, nearest first where none was expanded before.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`]. What has been expanded by then stays known.
    pub fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        self.explore_up_to(usize::MAX, budget).map(|_| ())
    }

    /// The same as long as there are at most so many states; says whether all are expanded.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`].
    pub fn explore_up_to(&mut self, most: usize, budget: &dyn Budget) -> Result<bool, Halt> {
        let report_every = match self.model.behaviour {
            Behaviour::Commands(_) => REPORT_EVERY,
            Behaviour::Rounds(_) => REPORT_EVERY_ROUND,
        };
        let begin = self.expanded;
        while !self.is_complete() {
            if self.len() > most {
                return Ok(false);
            }
            // Also at first: somebody else may have come far.
            if self.expanded == begin || self.expanded.is_multiple_of(report_every) {
                self.progress().tell(budget)?;
            }
            self.expand(self.expanded as u32, budget)?;
            self.expanded += 1;
        }
        Ok(true)
    }

    /// Is there a state that is wanted? States are visited nearest first, one distance at a time, as long as there are at most so
    /// many; `None` where there are more.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`], and what `is_wanted` gives.
    pub fn search(
        &mut self,
        most: usize,
        budget: &dyn Budget,
        mut is_wanted: impl FnMut(&[u64]) -> Result<bool, Halt>,
    ) -> Result<Option<bool>, Halt> {
        let mut level: Vec<u32> = self.initial().collect();
        let mut met = vec![true; self.initial as usize];
        let mut visited = 0;
        while !level.is_empty() {
            // All of a distance are looked at, so that the order among them does not matter.
            let mut found = false;
            for state in &level {
                found |= is_wanted(self.state(*state))?;
            }
            if found {
                return Ok(Some(true));
            }
            let mut next = Vec::new();
            for state in level {
                visited += 1;
                if visited > most {
                    return Ok(None);
                }
                self.expand(state, budget)?;
                met.resize(self.len(), false);
                for step in self.steps(state) {
                    if !std::mem::replace(&mut met[step.target as usize], true) {
                        next.push(step.target);
                    }
                }
            }
            level = next;
        }
        // Every state is expanded, and now that is known.
        self.explore(budget)?;
        Ok(Some(false))
    }

    /// Is every state expanded?
    pub fn is_complete(&self) -> bool {
        self.expanded == self.store.len()
    }

    /// Have the steps of every state been made, in whatever order, kept or not? Then there are no other states.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.made.states == self.store.len()
    }

    /// Keeps the steps of all states of a closed space; says whether there is room for them.
    ///
    /// # Errors
    ///
    /// As for [`Space::expand`].
    pub fn keep_all_steps(&mut self, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.steps.entered() == self.store.len() {
            return Ok(true);
        }
        let all = Steps::bytes_for(self.store.len(), self.made.steps);
        // Tables are up to twice as large as what is in them, and there for a moment beside what they were before.
        if budget.room(3 * all).is_err() {
            return Ok(false);
        }
        for number in 0..self.store.len() as u32 {
            if (number as usize).is_multiple_of(REPORT_EVERY) {
                self.progress().tell(budget)?;
            }
            self.expand(number, budget)?;
        }
        Ok(true)
    }

    /// How many steps are kept.
    pub fn kept_steps(&self) -> usize {
        self.steps.len()
    }

    /// How many states and steps have been found.
    pub fn progress(&self) -> Progress {
        Progress::Exploring { states: self.store.len() as u64, transitions: self.steps.len() as u64 }
    }

    /// Adds all type-correct states. All reachable ones must be there.
    ///
    /// # Errors
    ///
    /// When there are too many, or the budget says stop.
    pub fn add_all_typed_states(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        if self.reachable.is_some() {
            return Ok(());
        }
        let too_many = |count: &str| {
            Halt::TooLarge(format!(
                "`--past all` needs all type-correct states, {count} of them; this engine takes at most {MOST_TYPED_STATES}"
            ))
        };
        // Of values that are not well formed together none is made, so their number says nothing.
        let plain = self.model.well_formed == Expr::TRUE;
        match self.model.typed_states() {
            Some(count) if count <= MOST_TYPED_STATES => {}
            Some(count) if plain => return Err(too_many(&count.to_string())),
            None if plain => return Err(too_many("more than 2^64")),
            _ => {}
        }
        self.reachable = Some(self.store.len());
        let mut made = 0;
        let mut states = States::all(self.model, &self.layout);
        let progress = self.progress();
        while let Some(state) = states.try_next(|| self.throttle.go_on(budget, progress))? {
            made += 1;
            if made > MOST_TYPED_STATES {
                return Err(too_many(&format!("more than {MOST_TYPED_STATES}")));
            }
            self.store.insert(&state);
        }
        Ok(())
    }

    /// The size of what has been expanded.
    pub fn counts(&self) -> Counts {
        Counts {
            states: self.reachable_len().into(),
            transitions: Some(self.transitions().into()),
            deadlocks: self.deadlocks().count().into(),
            initial: Some(self.initial.into()),
            diameter: Some(self.diameter()),
            bytes: Some((self.store.bytes() + self.steps.bytes()) as u64),
        }
    }

    /// The shortest ways from an initial state, along the steps that are known.
    pub fn ways(&self) -> Ways {
        Ways::new(self)
    }

    /// The number of distinct `(state, label, state)` among reachable states, implicit loops not counted.
    pub fn transitions(&self) -> u64 {
        let mut distinct = Vec::new();
        let mut count = 0;
        for number in 0..self.reachable_len() as u32 {
            distinct.clear();
            let steps = self.steps(number).iter().filter(|step| step.via != Via::LOOP);
            distinct.extend(steps.map(|step| (self.label(step.via), step.target)));
            distinct.sort_unstable();
            distinct.dedup();
            count += distinct.len() as u64;
        }
        count
    }

    /// The reachable states that are expanded and have no step but an implicit loop, ends aside.
    pub fn deadlocks(&self) -> impl Iterator<Item = u32> {
        let reachable = 0..self.reachable_len() as u32;
        reachable.filter(|number| self.is_stuck(*number) && !self.ends.contains(self.state(*number)))
    }

    /// Is a state expanded, and has it no step but an implicit loop?
    fn is_stuck(&self, number: u32) -> bool {
        self.steps.of(number).is_some_and(|steps| steps.iter().all(|step| step.via == Via::LOOP))
    }

    /// The reachable states from which neither time can pass nor an end can be reached, whatever happens; all states are expanded.
    pub fn stopped_time(&self) -> Option<StoppedTime> {
        let tick = self.model.tick?;
        let reachable = self.reachable_len();
        let mut goes_on = StateSet::none(self.len());
        for number in 0..reachable as u32 {
            let ticks = |step: &Step| step.via != Via::LOOP && self.label(step.via) == tick.0;
            let ends = || self.is_stuck(number) && self.ends.contains(self.state(number));
            if self.steps(number).iter().any(ticks) || ends() {
                goes_on.insert(number);
            }
        }
        if goes_on.len() == reachable {
            return None;
        }
        let Ok(before) = Before::new(self, || Ok::<(), Infallible>(()));
        before.close(&mut goes_on);
        let stopped = || (0..reachable as u32).filter(|number| !goes_on.contains(*number));
        stopped().next()?;
        let ways = self.ways();
        let nearest = ways.nearest(stopped())?;
        Some(StoppedTime {
            states: stopped().count().into(),
            example: self.view(nearest),
            path: ways.path_to(self, nearest),
        })
    }

    /// The places of moves that were lost because a value did not exist or did not fit, with the nearest state in which each was.
    pub fn lost_moves(&self) -> Vec<(Span, StateView)> {
        let ways = if self.lost.is_empty() { return Vec::new() } else { self.ways() };
        let nearest = |states: &[u32]| ways.nearest(states.iter().copied());
        self.lost.iter().filter_map(|(span, states)| Some((*span, self.view(nearest(states)?)))).collect()
    }

    /// A deadlock nearest to an initial state.
    pub fn nearest_deadlock(&self) -> Option<StateView> {
        self.deadlocks().next()?;
        self.ways().nearest(self.deadlocks()).map(|state| self.view(state))
    }

    /// The control states that no run reaches.
    pub fn unreachable_locations(&self) -> Vec<UnreachableLocation> {
        UnreachableLocation::outside(self.model, &self.layout, |see| self.reachable().for_each(see))
    }

    /// What is to be said of the promises of a debtor to a creditor that no run can keep, by what is in force, with the states where that
    /// is so.
    pub fn unkeepable(
        &self,
        (debtor, creditor): (AgentId, AgentId),
        places: BTreeMap<Vec<CommitmentId>, BTreeSet<u32>>,
    ) -> Vec<Unkeepable> {
        let ways = if places.is_empty() { return Vec::new() } else { self.ways() };
        let show = |id: &CommitmentId| self.model.view_promise(self.model.commitment(*id)).in_full();
        let found = places.into_iter().filter_map(|(in_force, states)| {
            let nearest = ways.nearest(states.iter().copied())?;
            Some(Unkeepable {
                debtor: self.model.agent(debtor).name.clone(),
                creditor: self.model.agent(creditor).name.clone(),
                commitments: in_force.iter().map(show).collect(),
                states: states.len().into(),
                example: self.view(nearest),
                path: ways.path_to(self, nearest),
            })
        });
        found.collect()
    }

    /// The longest of the shortest distances from an initial state, along the steps that are known.
    pub fn diameter(&self) -> u64 {
        (self.widths().len() as u64).saturating_sub(1)
    }

    /// How many states lie at each distance from the initial ones, along the steps that are known.
    pub fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        crate::ways::for_each_level(self, |level, found| {
            widths.push(level.len());
            for step in level.iter().flat_map(|state| self.steps(*state)) {
                found(step.target);
            }
        });
        widths
    }

    /// The label of a step: a number of the model's table, or of a joint action.
    pub fn label(&self, via: Via) -> u32 {
        match self.model.behaviour {
            Behaviour::Commands(_) if via != Via::LOOP => self.model.command(CommandId(via.0)).label.0,
            _ => via.0,
        }
    }

    /// What a step is.
    pub fn kind(&self, via: Via) -> StepKind {
        match self.joint(via.0) {
            _ if via == Via::LOOP => StepKind::Stutter,
            Some(joint) => StepKind::Joint(joint.to_vec()),
            None => StepKind::Labelled(LabelId(self.label(via))),
        }
    }

    /// How many labels there are.
    pub fn labels(&self) -> usize {
        match self.model.behaviour {
            Behaviour::Commands(_) => self.model.labels.len(),
            Behaviour::Rounds(_) => self.joints.len(),
        }
    }

    /// Who makes a step; nobody in particular where agents act in rounds.
    pub fn maker(&self, via: Via) -> Option<AgentId> {
        match self.model.behaviour {
            Behaviour::Commands(_) if via != Via::LOOP => self.model.command(CommandId(via.0)).by,
            _ => None,
        }
    }

    /// The joint action that a label stands for, where agents act in rounds.
    pub fn joint(&self, label: u32) -> Option<&[usize]> {
        self.joints.get(label)
    }

    /// The action of an agent in a labelled round.
    pub fn action(&self, label: u32, agent: AgentId) -> Option<usize> {
        self.joints.part(label, agent)
    }

    /// A label in the user's words.
    pub fn show_label(&self, label: u32) -> String {
        match self.model.behaviour {
            Behaviour::Commands(_) => self.model.show_label(LabelId(label)),
            Behaviour::Rounds(_) => self.model.show_joint_action(self.joint(label).unwrap_or_default()),
        }
    }
}

/// The number of a state, or of the one that stands for it.
#[inline]
fn insert(
    store: &mut StateStore,
    canonical: Option<&dyn Canonical>,
    row: &mut Vec<u64>,
    state: &[u64],
) -> u32 {
    let Some(canonical) = canonical else { return store.insert(state).0.0 };
    row.clear();
    row.extend_from_slice(state);
    canonical.canonise(row);
    store.insert(row).0.0
}
