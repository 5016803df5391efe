//! `E ψ` of CTL* by a tableau.
//!
//! As in the reference engine a position is a state with a guess: one bit for every `X` and `U`, saying what is claimed of the next
//! position, and one bit for every action atom, saying whether the step that is taken matches it. The guesses of the next
//! position are choices of the step, so that the product is a machine like any other.
//!
//! A guess about a formula that occurs under no negation may be false without need: then less is promised than could be. So only what
//! is promised must be kept, and dually under a negation. Cubes profit: most of their guesses are dropped.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph};
use servanda_engine::{Halt, Monitor, Past};
use servanda_lower::{Path, PathFormula, StateFormula};

use crate::Technique;
use crate::backward;
use crate::effort::Effort;
use crate::machine::Machine;
use crate::project::some;
use crate::sat::Sat;

/// A machine with guesses, and what they mean.
pub struct Product {
    /// The machine, guesses included.
    pub machine: Machine,
    /// Where the path formula is claimed.
    pub goal: Edge,
    /// Where no until is put off, one set per until; and the fairness constraints.
    pub kept: Vec<Edge>,
    /// Where nothing is claimed of what comes: any path may follow.
    pub(crate) ends: Edge,
    /// Within a bound: state formulas that are guessed like the future, how they occur, and the guess.
    pub(crate) nested: Vec<(StateFormula, Signs, Edge)>,
}

/// What is guessed at a position.
#[derive(Default)]
struct Guesses {
    values: FxHashMap<PathFormula, Edge>,
    actions: Vec<(PathFormula, Edge)>,
    open: Vec<(PathFormula, Edge)>,
    nested: Vec<(PathFormula, StateFormula, Edge)>,
    /// Past operators whose bits belong to this product alone.
    past: Vec<(PathFormula, Edge)>,
    signs: FxHashMap<PathFormula, Signs>,
}

/// How a formula occurs in another.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    /// Under an even number of negations.
    pub(crate) positive: bool,
    /// Under an odd number.
    pub(crate) negative: bool,
}

impl Signs {
    fn negated(self) -> Signs {
        Signs { positive: self.negative, negative: self.positive }
    }

    /// Where a guess claims nothing.
    fn idle(self, guess: Edge) -> Edge {
        match self {
            Signs { positive: true, negative: true } => Edge::FALSE,
            Signs { positive: false, negative: true } => guess,
            _ => !guess,
        }
    }

    /// What relates a guess to what is guessed.
    fn right(self, graph: &mut Graph, guess: Edge, value: Edge) -> Edge {
        match self {
            Signs { positive: true, negative: false } => graph.implies(guess, value),
            Signs { positive: false, negative: true } => graph.implies(value, guess),
            _ => graph.same(guess, value),
        }
    }
}

impl Sat<'_> {
    /// Where `E ψ` holds. Every state formula in ψ has been evaluated.
    pub(crate) fn tableau(&mut self, psi: PathFormula, monitor: &dyn Monitor) -> Result<Edge, Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(far_ahead());
        }
        self.tableau_at_start(psi, monitor)
    }

    /// Where `E ψ` holds; right in initial states, and everywhere if ψ does not remember what lies further ahead than the next
    /// state.
    pub(crate) fn tableau_at_start(&mut self, psi: PathFormula, monitor: &dyn Monitor) -> Result<Edge, Halt> {
        let product = self.product(psi, monitor)?;
        self.note(Technique::Tableau);
        self.narrow(monitor)?;
        let care = self.care();
        let effort = Effort::new(monitor, &self.calls);
        let graph = &mut self.system.graph;
        let live = backward::globally(graph, &product.machine, self.universe, &product.kept, care, &effort)?;
        let start = graph.and(live, product.goal);
        some(graph, start, &self.machine.state, care, &effort)
    }

    /// The machine whose fair paths from the goal are the paths that satisfy ψ.
    ///
    /// Where ψ remembers what lies ahead, guesses are remembered, so that its past cannot be part of the model's state: then the goal is
    /// that there is no past, and the machine is right about initial states alone.
    pub(crate) fn product(&mut self, psi: PathFormula, monitor: &dyn Monitor) -> Result<Product, Halt> {
        let alone = self.lowering.arena.remembers_what_lies_ahead(psi);
        if !alone {
            self.remember(psi)?;
        } else if self.options.past == Past::All {
            return Err(far_ahead());
        }
        let mut guesses = Guesses::default();
        self.add_signs(psi, Signs { positive: true, negative: false }, &mut guesses.signs);
        let mut goal = self.value(psi, &mut guesses, monitor)?;
        let mut kept = self.fair.clone();
        let mut claims = Vec::new();
        for (id, bit) in &guesses.open {
            let claimed = match *self.lowering.arena.path(*id) {
                Path::Next(a) => guesses.values[&a],
                _ => guesses.values[id],
            };
            let signs = guesses.signs[id];
            claims.push((*bit, claimed, signs));
            if let Path::Until(_, right) = *self.lowering.arena.path(*id)
                && signs.positive
            {
                kept.push(self.system.graph.or(guesses.values[&right], !guesses.values[id]));
            }
        }
        let ahead = guesses.actions.iter().chain(&guesses.open);
        let idle: Vec<Edge> = ahead.map(|(id, bit)| guesses.signs[id].idle(*bit)).collect();
        let ends = self.system.graph.all(&idle);
        let mut machine = self.machine.clone();
        let ahead = guesses.actions.iter().chain(&guesses.open).map(|(_, bit)| *bit);
        for bit in ahead.chain(guesses.nested.iter().map(|(_, _, bit)| *bit)) {
            let guess = self.system.graph.input();
            machine.state.push(bit);
            machine.next.push(guess);
            machine.choices.push(guess);
        }
        for (id, bit) in &guesses.past {
            let held = guesses.values[&self.lowering.arena.remembered_of(*id)];
            machine.state.push(*bit);
            machine.next.push(held);
            goal = self.system.graph.without(goal, *bit);
        }
        for (atom, bit) in &guesses.actions {
            let matches = self.matches(*atom)?;
            let right = guesses.signs[atom].right(&mut self.system.graph, *bit, matches);
            machine.valid = self.system.graph.and(machine.valid, right);
        }
        for (bit, claimed, signs) in &claims {
            let kept_next = machine.at_next(&mut self.system.graph, *claimed);
            let right = signs.right(&mut self.system.graph, *bit, kept_next);
            machine.valid = self.system.graph.and(machine.valid, right);
        }
        let nested = guesses.nested.iter();
        let nested = nested.map(|(id, state, bit)| (*state, guesses.signs[id], *bit)).collect();
        Ok(Product { machine, goal, kept, ends, nested })
    }

    /// How the parts of a path formula occur in it.
    fn add_signs(&self, id: PathFormula, signs: Signs, found: &mut FxHashMap<PathFormula, Signs>) {
        let known = found.entry(id).or_default();
        let all =
            Signs { positive: known.positive || signs.positive, negative: known.negative || signs.negative };
        if *known == all {
            return;
        }
        *known = all;
        let node = self.lowering.arena.path(id);
        let inside = if matches!(node, Path::Not(_)) { all.negated() } else { all };
        for operand in node.operands() {
            self.add_signs(operand, inside, found);
        }
    }

    /// The value of a path formula at a position.
    fn value(&mut self, id: PathFormula, guesses: &mut Guesses, monitor: &dyn Monitor) -> Result<Edge, Halt> {
        if let Some(value) = guesses.values.get(&id) {
            return Ok(*value);
        }
        let set = match *self.lowering.arena.path(id) {
            Path::State(state) => {
                if self.choices.bound.is_some() && !self.lowering.arena.is_condition(state) {
                    let bit = self.system.graph.input();
                    guesses.nested.push((id, state, bit));
                    bit
                } else {
                    self.evaluate(state, monitor)?
                }
            }
            Path::Not(a) => !self.value(a, guesses, monitor)?,
            Path::And(a, b) => {
                let (a, b) = (self.value(a, guesses, monitor)?, self.value(b, guesses, monitor)?);
                self.system.graph.and(a, b)
            }
            Path::Or(a, b) => {
                let (a, b) = (self.value(a, guesses, monitor)?, self.value(b, guesses, monitor)?);
                self.system.graph.or(a, b)
            }
            Path::Does(_) | Path::Acts { .. } => {
                let bit = self.system.graph.input();
                guesses.actions.push((id, bit));
                bit
            }
            Path::Next(a) => {
                self.value(a, guesses, monitor)?;
                let bit = self.system.graph.input();
                guesses.open.push((id, bit));
                bit
            }
            Path::Until(a, b) => {
                let (a, b) = (self.value(a, guesses, monitor)?, self.value(b, guesses, monitor)?);
                let bit = self.system.graph.input();
                guesses.open.push((id, bit));
                let later = self.system.graph.and(a, bit);
                self.system.graph.or(b, later)
            }
            Path::Previous(a) => {
                self.value(a, guesses, monitor)?;
                self.a_step_ago(id, guesses)
            }
            Path::Since(a, b) => {
                let (a, b) = (self.value(a, guesses, monitor)?, self.value(b, guesses, monitor)?);
                let before = self.a_step_ago(id, guesses);
                let still = self.system.graph.and(a, before);
                self.system.graph.or(b, still)
            }
        };
        guesses.values.insert(id, set);
        Ok(set)
    }

    /// What a past operator was a step ago: a bit of the state, or one of this product alone.
    fn a_step_ago(&mut self, id: PathFormula, guesses: &mut Guesses) -> Edge {
        if let Some(bit) = self.memory.recalled(id) {
            return bit;
        }
        let bit = self.system.graph.input();
        guesses.past.push((id, bit));
        bit
    }
}

/// Why a formula that remembers what lies ahead is not decided here.
pub(crate) fn far_ahead() -> Halt {
    Halt::TooLarge(
        "a past operator over a formula that looks further ahead than the next state, elsewhere than in the initial states; \
         the reference engine decides it"
            .to_owned(),
    )
}
