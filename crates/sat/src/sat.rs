//! A model as a circuit, and the questions that can be asked of it.

use std::cell::Cell;

use rustc_hash::FxHashMap;
use servanda_algebra::conserved;
use servanda_circuit::{Edge, Steps, System};
use servanda_engine::{Budget, Deadlock, FORGETS, Halt, Options, Past, RunFault, Validity, Verdict};
use servanda_logic::Formula;
use servanda_lower::{Ctl, IntoLowering, Lowering, Over, State, StateFormula};
use servanda_model::{Layout, Mover, StateView};
use servanda_paths::Memory;

use crate::certificate::Certificate;
use crate::effort::{Effort, internal};
use crate::fairness::Kept;
use crate::habits::Habits;
use crate::ic3::Ic3;
use crate::machine::Machine;
use crate::project::{satisfiable, some};
use crate::safety::FIRST_CHANCE;

/// What a user can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SatOptions {
    /// Look for runs of at most so many steps, and do nothing else.
    pub bound: Option<usize>,
    /// Up to so many bits of a state liveness is decided by fixpoints, beyond as a question of reachability first.
    pub few_bits: usize,
    /// So many cubes are made of the reachable states before that is given up, where another way is left.
    pub few_cubes: usize,
    /// Runs of so many steps are unrolled, and induction is tried over as many, before something cleverer takes over.
    pub few_steps: usize,
}

impl Default for SatOptions {
    fn default() -> Self {
        SatOptions { bound: None, few_bits: 20, few_cubes: 120, few_steps: 4 }
    }
}

/// What decided a property, or helped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Technique {
    /// A single question about initial states.
    Direct,
    /// Runs unrolled step by step.
    Bounded,
    /// Induction over several steps.
    Induction,
    /// Runs at random.
    Chance,
    /// What runs at random do not do, proved by induction.
    Habits,
    /// Property-directed reachability.
    Ic3,
    /// Fixpoints backwards, by cubes.
    Fixpoint,
    /// The reachable states, by cubes.
    Reachability,
    /// Local states looked at one by one within an invariant.
    Refinement,
    /// A tableau of a path formula.
    Tableau,
    /// Loops as a question of reachability.
    Liveness,
}

impl Technique {
    /// What it is called in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Direct => "direct",
            Technique::Bounded => "bounded",
            Technique::Induction => "k-induction",
            Technique::Chance => "random runs",
            Technique::Habits => "guessed invariant",
            Technique::Ic3 => "ic3",
            Technique::Fixpoint => "fixpoint",
            Technique::Reachability => "reachability",
            Technique::Refinement => "refined invariant",
            Technique::Tableau => "tableau",
            Technique::Liveness => "liveness to safety",
        }
    }
}

/// Why a set of states is not reachable.
pub(crate) struct Proof {
    /// The set.
    pub(crate) bad: Edge,
    /// What was taken for granted.
    pub(crate) typed: Edge,
    pub(crate) certificate: Certificate,
}

/// A model as a circuit.
pub struct Sat<'m> {
    pub(crate) system: System<'m>,
    pub(crate) lowering: Lowering<'m>,
    pub(crate) options: Options,
    pub(crate) choices: SatOptions,
    /// The model's own transition system.
    pub(crate) base: Machine,
    /// The same with what is remembered of the past.
    pub(crate) machine: Machine,
    /// The initial states, with memory.
    pub(crate) initial: Edge,
    /// The bits beyond the model's own: for each past operator what it was a step ago.
    pub(crate) memory: Memory<Edge>,
    /// The fairness constraints.
    pub(crate) fair: Vec<Kept>,
    /// The states on fair runs; all, where nothing is said about fairness.
    pub(crate) universe: Edge,
    pub(crate) truth: FxHashMap<StateFormula, Edge>,
    /// What is known not to be reachable, with memory.
    pub(crate) ic3: Option<Ic3>,
    /// The reachable states with memory, once computed; `Some(None)` when that was given up.
    pub(crate) reached: Option<Option<Edge>>,
    /// The reachable states without memory.
    pub(crate) base_reached: Option<Option<Edge>>,
    pub(crate) used: Vec<Technique>,
    pub(crate) proof: Option<Proof>,
    pub(crate) calls: Cell<u64>,
    no_start: bool,
    /// What holds in all reachable states without any search: the types, and the sums that no command changes.
    pub(crate) facts: Edge,
    /// How long runs by chance are looked at before anything else.
    pub(crate) luck: u64,
    /// What the model does not do, once looked for.
    pub(crate) habits: Option<Habits>,
    /// What is known to contain all reachable states; see [`Sat::care`].
    pub(crate) known: Edge,
}

impl<'m> Sat<'m> {
    /// Encodes the model and makes sure that it does nothing it must not.
    pub fn new(
        model: impl IntoLowering<'m>,
        options: Options,
        choices: SatOptions,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let lowering = model.into_lowering(options.acts, options.deadlock).map_err(Halt::Invalid)?;
        let model = lowering.model;
        let mut system = System::new(model, budget)?;
        let calls = Cell::new(0);
        if options.deadlock == Deadlock::Loop {
            let stuck = deadlocks(&mut system, &Effort::new(budget, &calls))?;
            system.continue_deadlocks(stuck);
        }
        let no_start = !satisfiable(&system.graph, system.initial, &Effort::new(budget, &calls))?;
        let facts = match (options.past, choices.bound) {
            (Past::Reachable, None) => facts(&mut system, budget)?,
            _ => system.typed,
        };
        let base = Machine::of(&system);
        let mut sat = Sat {
            initial: system.initial,
            machine: base.clone(),
            base,
            system,
            lowering,
            options,
            choices,
            memory: Memory::default(),
            fair: Vec::new(),
            universe: Edge::TRUE,
            truth: FxHashMap::default(),
            ic3: None,
            reached: None,
            base_reached: None,
            used: Vec::new(),
            proof: None,
            calls,
            no_start,
            facts,
            luck: FIRST_CHANCE,
            habits: None,
            known: facts,
        };
        sat.look_for_faults(budget)?;
        sat.keep_fair_runs(budget)?;
        Ok(sat)
    }

    fn look_for_faults(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let any = self.system.graph.any(&self.system.faults);
        let found = match self.reachable(any, budget) {
            Err(Halt::TooLarge(_)) if self.choices.bound.is_some() => None,
            found => found?,
        };
        if let Some(state) = found {
            let model = self.system.encoding.model;
            let layout = Layout::new(model);
            let packed = self.system.encoding.pack(&layout, |bit| state[bit]);
            let mut mover = Mover::new(model);
            return match mover.for_each(&packed, |_, _| ()) {
                Err(fault) => Err(Halt::Fault(Box::new(RunFault::of_step(model, &layout, &packed, &fault)))),
                Ok(()) => Err(internal("a fault that is none")),
            };
        }
        Ok(())
    }

    /// Decides a property.
    pub fn decide(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        self.used.clear();
        self.proof = None;
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        if self.options.recall.is_some() && self.lowering.needs_recall(id) {
            return Ok(Verdict::Unknown(FORGETS.to_owned()));
        }
        match self.holds(id, budget) {
            Ok(value) => Ok(Verdict::from(value)),
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            Err(other) => Err(other),
        }
    }

    /// Does a state formula hold wherever a property must?
    fn holds(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.options.validity == Validity::Reachable && self.choices.bound.is_none() {
            if let Some(bad) = self.lowering.arena.never(id) {
                let bad = self.evaluate(bad, budget)?;
                return self.excluded(bad, budget);
            }
            let set = self.evaluate(id, budget)?;
            return self.excluded(!set, budget);
        }
        if self.choices.bound.is_some() {
            return self.holds_within_bound(id, budget);
        }
        if let State::And(a, b) = *self.lowering.arena.state(id) {
            return Ok(self.holds(a, budget)? && self.holds(b, budget)?);
        }
        if let Some(bad) = self.lowering.arena.never(id) {
            let bad = self.evaluate(bad, budget)?;
            return self.excluded(bad, budget);
        }
        if let Some(value) = self.holds_on_all_paths(id, budget)? {
            return Ok(value);
        }
        let set = self.evaluate_at_start(id, &mut FxHashMap::default(), budget)?;
        self.note(Technique::Direct);
        let graph = &mut self.system.graph;
        let start = graph.and(self.initial, self.universe);
        let fails = graph.without(start, set);
        let effort = Effort::new(budget, &self.calls);
        Ok(!satisfiable(graph, fails, &effort)?)
    }

    /// Decides `A ψ` without sets of states, where that is quick.
    fn holds_on_all_paths(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Option<bool>, Halt> {
        let arena = &self.lowering.arena;
        let State::Not(some) = *arena.state(id) else { return Ok(None) };
        let State::Exists { path: psi, over } = *arena.state(some) else { return Ok(None) };
        let one_step = over != Over::InfinitePaths && matches!(arena.ctl(psi), Some(Ctl::Next(_)));
        if one_step || self.truth.contains_key(&some) {
            return Ok(None);
        }
        if self.short_loop(psi, budget)? {
            return Ok(Some(false));
        }
        // In the strict reading a CTL operator does not refer to paths.
        if over == Over::Relation {
            return Ok(None);
        }
        Ok(self.some_initial_path(psi, budget)?.map(|found| !found))
    }

    /// Is no state of fair runs in this set reachable?
    fn excluded(&mut self, bad: Edge, budget: &dyn Budget) -> Result<bool, Halt> {
        let bad = self.system.graph.and(bad, self.universe);
        Ok(self.reachable(bad, budget)?.is_none())
    }

    /// Is there no initial state at all?
    pub fn no_initial_state(&self) -> bool {
        self.no_start
    }

    /// Are there fairness constraints that no run satisfies?
    pub fn no_fair_run(&mut self, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.fair.is_empty() {
            return Ok(false);
        }
        let start = self.system.graph.and(self.system.initial, self.universe);
        let effort = Effort::new(budget, &self.calls);
        Ok(!satisfiable(&self.system.graph, start, &effort)?)
    }

    /// A reachable state without a step, if there is one.
    pub fn deadlock_example(&mut self, budget: &dyn Budget) -> Result<Option<StateView>, Halt> {
        let effort = Effort::new(budget, &self.calls);
        let stuck = match self.options.deadlock {
            Deadlock::Loop => self.system.loops,
            Deadlock::Strict => deadlocks(&mut self.system, &effort)?,
        };
        let model = self.system.encoding.model;
        let stuck = match &model.rest {
            Some(rest) => {
                let rest = self.system.encoding.truth(&mut self.system.graph, rest)?;
                let ends = self.system.graph.and(rest.value, rest.defined);
                self.system.graph.and(stuck, !ends)
            }
            None => stuck,
        };
        let layout = Layout::new(model);
        let state = self.reachable(stuck, budget)?;
        let view = |state: Vec<bool>| {
            StateView::new(
                self.system.encoding.model,
                &layout,
                &self.system.encoding.pack(&layout, |bit| state[bit]),
            )
        };
        Ok(state.map(view))
    }

    /// What decided the last property.
    pub fn techniques(&self) -> &[Technique] {
        &self.used
    }

    /// How often a solver was asked.
    pub fn calls(&self) -> u64 {
        self.calls.get()
    }

    /// The number of bits of a state, what is remembered included.
    pub fn bits(&self) -> usize {
        self.machine.state.len()
    }

    /// The number of gates of the circuits.
    pub fn gates(&self) -> usize {
        self.system.graph.len()
    }

    pub(crate) fn note(&mut self, technique: Technique) {
        if !self.used.contains(&technique) {
            self.used.push(technique);
        }
    }

    /// The states that formulas may refer to: a set that contains all reachable states, and with `--past all` all states of
    /// the right types. Closed under steps; says nothing about memory. It only ever shrinks, so that what was evaluated
    /// before stays right.
    pub(crate) fn care(&self) -> Edge {
        self.known
    }
}

/// The states of the right types in which sums that no command changes are what they are at first.
fn facts(system: &mut System<'_>, budget: &dyn Budget) -> Result<Edge, Halt> {
    let mut facts = vec![system.typed];
    for sum in conserved(system.encoding.model, budget)? {
        let sum = system.truth(&sum)?;
        facts.extend([sum.value, sum.defined]);
    }
    Ok(system.graph.all(&facts))
}

/// The states without a step.
fn deadlocks(system: &mut System<'_>, effort: &Effort<'_>) -> Result<Edge, Halt> {
    if let Some(stuck) = system.no_command() {
        return Ok(stuck);
    }
    let Steps::Rounds(rounds) = &system.steps else { return Ok(Edge::FALSE) };
    let rounds = rounds.clone();
    let graph = &mut system.graph;
    let loses = graph.and(rounds.permitted, rounds.loses);
    let loses = graph.and(loses, system.typed);
    if !satisfiable(graph, loses, effort)? {
        // No move is ever lost, so whoever may act can move.
        return Ok(!rounds.some_action);
    }
    let moves = some(graph, system.valid, &system.encoding.state, system.typed, effort)?;
    Ok(!moves)
}
