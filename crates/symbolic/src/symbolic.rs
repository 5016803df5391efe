//! A model with its reachable states as a diagram, and the questions that can be asked of it.

use num_bigint::BigUint;
use oxidd::VarNo;
use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::{
    Budget, Deadlock, Halt, NoLimits, Options, Past, Progress, RunFault, Stop, UnreachableLocation, Validity,
    Verdict,
};
use servanda_logic::Formula;
use servanda_lower::{IntoLowering, Lowering, StateFormula};
use servanda_model::{Layout, StateView};
use servanda_paths::Memory;
use servanda_syntax::Span;

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::fairness::Fair;
use crate::nearest::Levels;
use crate::paths::GuessVariables;
use crate::relation::{Part, RESTRICTED_NODES};
use crate::saturation::Saturation;
use crate::schedule::Conjunct;
use crate::start::Start;

/// So many sets of states are joined before they are taken from another.
const AT_ONCE: usize = 16;

/// Who gives no more room than this is trying whether diagrams are small, and would rather hear soon that they are not.
pub const TRIAL_NODES: usize = 1 << 22;

/// How the diagrams fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Bits of a state.
    pub bits: usize,
    /// Nodes of the diagram of the reachable states.
    pub reachable_nodes: usize,
    /// Steps until no new state was found: sweeps over all states, or nodes made by saturation.
    pub iterations: u64,
    /// The most nodes held at once, counted between steps.
    pub peak_nodes: usize,
    /// How often a better order of the variables was looked for.
    pub siftings: u64,
    /// The order of the variables, top first.
    pub order: Vec<String>,
}

/// A model with its reachable states as a diagram.
pub struct Symbolic<'m> {
    pub(crate) encoding: Encoding<'m>,
    pub(crate) lowering: Lowering<'m>,
    pub(crate) options: Options,
    pub(crate) parts: Vec<Part>,
    /// Where moves are lost.
    lost: Vec<(Span, Bdd)>,
    /// The reachable states without memory.
    pub(crate) reached: Bdd,
    /// The initial states, with memory.
    pub(crate) initial: Bdd,
    /// The points of (fair) runs, with memory.
    pub(crate) points: Bdd,
    /// Where formulas are evaluated: the points, or with `--past all` all type-correct states.
    pub(crate) universe: Bdd,
    /// The states without a successor.
    deadlocks: Bdd,
    /// The reachable states without a step where control may rest for good.
    pub(crate) ends: Bdd,
    pub(crate) fair: Vec<Fair>,
    /// The states by their distance from the initial ones, without memory.
    pub(crate) levels: Levels,
    /// The bits beyond the model's own: for each past operator what it was a step ago, as a position in the state.
    pub(crate) memory: Memory<usize>,
    pub(crate) guesses: GuessVariables,
    /// Variables for what agents saw earlier on a run.
    pub(crate) copies: Vec<VarNo>,
    /// Nothing is remembered: whoever looks at single states wants no bits that are not the model's own.
    pub(crate) states_only: bool,
    pub(crate) truth: FxHashMap<StateFormula, Bdd>,
    pub(crate) iterations: u64,
    pub(crate) peak_nodes: usize,
    /// Room for so many nodes.
    pub(crate) room: usize,
    /// The events of the model; `None` inside where there are none. With the numbers of parts, bits and siftings that it was made for.
    pub(crate) saturation: Option<((usize, usize, u64), Option<Saturation>)>,
    /// Is saturation worth another try?
    pub(crate) saturates: bool,
    /// Sifting is considered once there are more nodes than this.
    pub(crate) sift_at: usize,
    /// With little room it stops instead.
    pub(crate) rather_stops: bool,
    pub(crate) siftings: u64,
}

impl<'m> Symbolic<'m> {
    /// Encodes the model with room for `nodes` diagram nodes and finds its reachable states.
    pub fn new(
        model: impl IntoLowering<'m>,
        options: Options,
        nodes: usize,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        Symbolic::ordered(model, options, (nodes, &[]), budget)
    }

    /// The same; the variables named in `first` stand on top of the order.
    pub fn ordered(
        model: impl IntoLowering<'m>,
        options: Options,
        (nodes, first): (usize, &[String]),
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        Symbolic::encoded(model, options, (nodes, first), budget)
            .map_err(|halt| outgrown(halt, nodes, budget))
    }

    fn encoded(
        model: impl IntoLowering<'m>,
        options: Options,
        (nodes, first): (usize, &[String]),
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let lowering = model.into_lowering(options.acts, options.deadlock).map_err(Halt::Invalid)?;
        let model = lowering.model;
        let Start { mut encoding, relation, type_correct, initial, reached } =
            Start::begin(model, (nodes, first), budget)?;
        if options.past == Past::All {
            // States are looked at that nobody reaches.
            encoding.sums.clear();
        }
        let falsity = encoding.diagrams.falsity();
        let mut symbolic = Symbolic {
            encoding,
            lowering,
            options,
            parts: relation.parts,
            lost: relation.lost,
            reached: falsity.clone(),
            points: falsity.clone(),
            universe: falsity.clone(),
            deadlocks: falsity.clone(),
            ends: falsity,
            levels: Levels::new(initial.clone()),
            initial,
            fair: Vec::new(),
            memory: Memory::default(),
            guesses: GuessVariables::default(),
            copies: Vec::new(),
            states_only: false,
            truth: FxHashMap::default(),
            iterations: 0,
            peak_nodes: 0,
            room: nodes,
            saturation: None,
            saturates: true,
            // Sifting goes over all nodes again and again: it is for diagrams that would soon have no room left, where there is
            // no more to be had.
            sift_at: nodes / 2,
            rather_stops: nodes <= TRIAL_NODES,
            siftings: 0,
        };
        symbolic.reached = match reached {
            Some(reached) => reached,
            None => symbolic.reach_initially(budget)?,
        };
        symbolic.tell_reached(&symbolic.reached, budget);
        symbolic.avoid(&relation.traps, budget)?;
        if options.past == Past::Reachable {
            for part in &mut symbolic.parts {
                symbolic.encoding.diagrams.report(budget)?;
                part.restrict_to(&symbolic.encoding, &symbolic.reached, RESTRICTED_NODES)?;
            }
        }
        let everywhere = symbolic.encoding.diagrams.truth();
        let enabled = symbolic.parts.iter().map(|part| {
            symbolic.encoding.diagrams.report(budget)?;
            part.preimage(&everywhere)
        });
        let enabled = enabled.collect::<Result<Vec<_>, _>>()?;
        let stuck = symbolic.outside(&symbolic.reached, &enabled, budget)?;
        symbolic.deadlocks = stuck.clone();
        if let Some(rest) = &model.rest {
            let rest = symbolic.encoding.functions.truth(&mut symbolic.encoding.algebra(budget), rest)?;
            let ends = symbolic.deadlocks.both(&rest.value)?.both(&rest.defined)?;
            symbolic.deadlocks = symbolic.deadlocks.without(&ends)?;
            symbolic.ends = ends;
        }
        symbolic.points = symbolic.reached.clone();
        let stuck = match options.past {
            Past::Reachable => stuck,
            Past::All => symbolic.outside(&type_correct, &enabled, budget)?,
        };
        symbolic.universe = match options.past {
            Past::Reachable => symbolic.reached.clone(),
            Past::All => type_correct,
        };
        if options.deadlock == Deadlock::Loop {
            // The implicit loop of a deadlock is one more part: it changes nothing and has no label.
            let loops = Conjunct::new(&symbolic.encoding, stuck);
            symbolic.parts.push(Part::new(&symbolic.encoding, vec![loops], Vec::new(), None, None)?);
        }
        symbolic.keep_fair_runs(budget)?;
        Ok(symbolic)
    }

    /// What of a set is in none of some others. All of these together may be far larger than what they leave of the set, and that mostly
    /// soon is next to nothing.
    fn outside(&self, set: &Bdd, others: &[Bdd], budget: &dyn Budget) -> Result<Bdd, Halt> {
        let mut left = set.clone();
        for some in others.chunks(AT_ONCE) {
            if left.is_false() {
                break;
            }
            left = left.without(&self.encoding.algebra(budget).any(some)?)?;
        }
        Ok(left)
    }

    /// A fault in the words of the reference engine: the state is replayed to learn the value.
    pub(crate) fn fault(&self, states: &Bdd) -> Result<RunFault, Halt> {
        let model = self.encoding.model;
        let layout = Layout::new(model);
        let none = || internal("a fault that is none");
        let state = self.encoding.pick(states, &layout).ok_or_else(none)?;
        let fault = servanda_model::Mover::new(model).for_each(&state, |_, _| ()).err();
        Ok(RunFault::of_step(model, &layout, &state, &fault.ok_or_else(none)?))
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        let verdict = match self.options.recall.filter(|_| self.lowering.needs_recall(id)) {
            Some(steps) => self.decide_recalling(id, steps, budget),
            None => self.is_valid(id, budget).map(Verdict::from),
        };
        match verdict.map_err(|halt| outgrown(halt, self.room, budget)) {
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            verdict => verdict,
        }
    }

    /// Does a state formula hold wherever a property must?
    fn is_valid(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        if let Some(bad) = self.lowering.arena.never(id) {
            // The points of runs are known, so there is no need to go back from where it holds.
            let bad = self.evaluate(bad, budget)?;
            return Ok(self.points.both(&bad)?.is_false());
        }
        if let (Some(good), Validity::Initial) = (self.lowering.arena.sometime(id), self.options.validity) {
            // The same where there is one initial point: it leads to all the others.
            let good = self.evaluate(good, budget)?;
            let initial = self.encoding.diagrams.count(&self.initial, self.encoding.bits.len());
            if initial == BigUint::from(1_u32) {
                return Ok(!self.points.both(&good)?.is_false());
            }
        }
        let set = self.evaluate(id, budget)?;
        let all = match self.options.validity {
            Validity::Initial => &self.initial,
            Validity::Reachable => &self.points,
        };
        Ok(all.without(&set)?.is_false())
    }

    /// The number of distinct transitions between reachable states, implicit loops not counted. This needs the
    /// relation as one diagram and may cost more than everything else.
    pub fn transitions(&self) -> Result<BigUint, Halt> {
        let mut count = BigUint::default();
        let mut labels: Vec<Option<servanda_model::LabelId>> = Vec::new();
        for part in self.steps() {
            if part.is_round() || !labels.contains(&part.label) {
                labels.push(part.label);
                let same_label = self.steps().filter(|other| other.label == part.label);
                count += self.count_steps(same_label)?;
            }
        }
        Ok(count)
    }

    /// The parts that are steps of the model, not the implicit loops of deadlocks.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.is_round() || part.label.is_some())
    }

    /// The number of distinct steps that some of these parts, which share a label, make from reachable states.
    fn count_steps<'a>(&'a self, parts: impl Iterator<Item = &'a Part>) -> Result<BigUint, Halt> {
        let parts: Vec<&Part> = parts.collect();
        let own = self.encoding.functions.model_bits();
        let mut changed: Vec<usize> =
            parts.iter().flat_map(|part| part.changed()).filter(|bit| *bit < own).collect();
        changed.sort_unstable();
        changed.dedup();
        let recalled = self.encoding.bits[own..].iter().flat_map(|bit| [bit.now, bit.next]);
        let recalled = self.encoding.diagrams.cube(recalled)?;
        let mut steps = self.encoding.diagrams.falsity();
        for part in &parts {
            let mut made = self.reached.clone();
            for conjunct in part.all_conjuncts() {
                made = made.both(&conjunct.set)?;
            }
            for bit in changed.iter().filter(|bit| !part.changed().any(|own| own == **bit)) {
                made = made.both(&self.encoding.keeps(*bit)?)?;
            }
            steps = steps.either(&made.some(&recalled)?)?;
        }
        let actions = self.encoding.model.agents().map(|(id, _)| self.encoding.action_variables(id).len());
        let actions: usize = if parts.iter().any(|part| part.is_round()) { actions.sum() } else { 0 };
        Ok(self.encoding.diagrams.count(&steps, own + changed.len() + actions))
    }

    /// The number of reachable states.
    pub fn states(&self) -> BigUint {
        self.encoding.diagrams.count(&self.reached, self.encoding.functions.model_bits())
    }

    /// The number of reachable states without a transition.
    pub fn deadlocks(&self) -> BigUint {
        self.encoding.diagrams.count(&self.deadlocks, self.encoding.functions.model_bits())
    }

    /// A reachable state without a transition, if there is one.
    pub fn deadlock_example(&mut self, budget: &dyn Budget) -> Result<Option<StateView>, Halt> {
        self.nearest_view(&self.deadlocks.clone(), budget)
    }

    /// Is there no initial state at all?
    pub fn no_initial_state(&self) -> bool {
        self.reached.is_false()
    }

    /// Are there fairness constraints that no run satisfies?
    pub fn no_fair_run(&self) -> bool {
        !self.fair.is_empty() && self.initial.is_false()
    }

    /// The places of moves that are lost because a value does not exist or does not fit, with an example each.
    pub fn lost_moves(&mut self, budget: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        let mut found = Vec::new();
        let Some(rounds) = self.parts.first() else { return Ok(found) };
        let (protocols, actions) = (rounds.protocols.clone(), self.encoding.joint_action()?);
        for (span, lost) in self.lost.clone() {
            // Only where the protocols permit the actions of the line.
            let mut met = self.reached.both(&lost)?;
            for conjunct in &protocols {
                met = met.both(conjunct)?;
            }
            if let Some(example) = self.nearest_view(&met.some(&actions)?, budget)? {
                found.push((span, example));
            }
        }
        Ok(found)
    }

    /// The control states that no run reaches.
    pub fn unreachable_locations(&self) -> Result<Vec<UnreachableLocation>, Halt> {
        let model = self.encoding.model;
        let mut reached = Vec::new();
        for machine in &model.machines {
            let codes = 0..model.variable(machine.variable).domain.size() as i64;
            let is_reached = |code| {
                let mut algebra = self.encoding.algebra(&NoLimits);
                let current = self.encoding.functions.is(&mut algebra, machine.variable, code)?;
                Ok(!self.reached.both(&current)?.is_false())
            };
            reached.push(codes.map(is_reached).collect::<Result<Vec<bool>, Halt>>()?);
        }
        Ok(UnreachableLocation::of(model, &reached))
    }

    /// How the diagrams fared.
    pub fn statistics(&self) -> Statistics {
        let model = self.encoding.model;
        Statistics {
            bits: self.encoding.functions.model_bits(),
            reachable_nodes: self.reached.size(),
            iterations: self.iterations,
            peak_nodes: self.peak_nodes.max(self.encoding.diagrams.nodes()),
            siftings: self.siftings,
            order: self.encoding.ordered.iter().map(|item| item.name(model)).collect(),
        }
    }
}

/// Diagrams that have no room left, where there is no more to be had and no limit of the user's was reached, say so.
fn outgrown(halt: Halt, nodes: usize, budget: &dyn Budget) -> Halt {
    let goes_on = || Progress::Deciding { nodes: nodes as u64 }.tell(budget).is_ok();
    match halt {
        Halt::Stopped { stop: Stop::Memory, .. } if nodes > TRIAL_NODES && goes_on() => {
            Halt::TooLarge("the decision diagrams have grown too large".to_owned())
        }
        halt => halt,
    }
}

/// What must not happen, said instead of a verdict that cannot be trusted.
pub(crate) fn internal(what: &str) -> Halt {
    Halt::TooLarge(format!("internal error of the engine bdd, please report it: {what}"))
}
