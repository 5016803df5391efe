//! All core formulas of a model, each distinct one stored once.

use std::sync::Arc;

use servanda_model::{Expr, LabelId, VariableId};

use crate::attributes::{OfPath, OfState};
use crate::table::Table;
use crate::{Action, Ctl, LabelSetId, Over, Path, PathFormula, PropositionId, State, StateFormula};

/// A state formula of at most so many nodes may be evaluated as if nothing in it were shared.
const MUCH: u32 = 64;

/// State formulas, path formulas, propositions and label sets without duplicates.
///
/// Clones share what was there at the last [`Arena::share`]: formulas lowered before have the same numbers in all of them, and what
/// one adds for itself is unknown to the others.
#[derive(Clone, Debug)]
pub struct Arena {
    states: Table<State, OfState>,
    paths: Table<Path, OfPath>,
    /// Conditions on states, and what is read of a state in their place.
    propositions: Table<Expr, Option<Box<Expr>>>,
    label_sets: Table<Vec<LabelId>>,
    /// By variable the first of those that it is always equal to, where propositions read that instead.
    firsts: Option<Arc<[VariableId]>>,
}

/// What is read instead of a condition on variables of which some are always equal to others.
fn reading_first(expr: &Expr, firsts: &[VariableId]) -> Option<Box<Expr>> {
    let mut differs = false;
    expr.for_each_variable(&mut |variable| differs |= firsts[variable.index()] != variable);
    differs.then(|| Box::new(expr.folded(&|variable| Expr::Variable(firsts[variable.index()]))))
}

/// State formulas and path formulas alike: what has a negation, conjunctions and disjunctions.
pub trait CoreFormula: Copy + Eq {
    /// `true`
    const TRUE: Self;
    /// `false`
    const FALSE: Self;

    /// `!a`
    fn negated(self, arena: &mut Arena) -> Self;

    /// `a & b`, neither of them a constant, nor the same.
    fn conjoined(self, other: Self, arena: &mut Arena) -> Self;

    /// `a | b`, neither of them a constant, nor the same.
    fn disjoined(self, other: Self, arena: &mut Arena) -> Self;

    /// The same as a path formula.
    fn on_path(self, arena: &mut Arena) -> PathFormula;
}

impl CoreFormula for StateFormula {
    const TRUE: Self = StateFormula(0);
    const FALSE: Self = StateFormula(1);

    fn negated(self, arena: &mut Arena) -> Self {
        match *arena.state(self) {
            State::Not(inner) => inner,
            _ => arena.add_state(State::Not(self)),
        }
    }

    fn conjoined(self, other: Self, arena: &mut Arena) -> Self {
        arena.add_state(State::And(self, other))
    }

    fn disjoined(self, other: Self, arena: &mut Arena) -> Self {
        arena.add_state(State::Or(self, other))
    }

    fn on_path(self, arena: &mut Arena) -> PathFormula {
        arena.add_path(Path::State(self))
    }
}

impl CoreFormula for PathFormula {
    const TRUE: Self = PathFormula(0);
    const FALSE: Self = PathFormula(1);

    fn negated(self, arena: &mut Arena) -> Self {
        match *arena.path(self) {
            Path::State(state) => state.negated(arena).on_path(arena),
            Path::Not(inner) => inner,
            _ => arena.add_path(Path::Not(self)),
        }
    }

    fn conjoined(self, other: Self, arena: &mut Arena) -> Self {
        match (arena.as_state(self), arena.as_state(other)) {
            (Some(a), Some(b)) => arena.and(a, b).on_path(arena),
            _ => arena.add_path(Path::And(self, other)),
        }
    }

    fn disjoined(self, other: Self, arena: &mut Arena) -> Self {
        match (arena.as_state(self), arena.as_state(other)) {
            (Some(a), Some(b)) => arena.or(a, b).on_path(arena),
            _ => arena.add_path(Path::Or(self, other)),
        }
    }

    fn on_path(self, _: &mut Arena) -> PathFormula {
        self
    }
}

impl Default for Arena {
    fn default() -> Self {
        Arena::new()
    }
}

impl Arena {
    /// An arena that holds the constants only.
    pub fn new() -> Self {
        let mut arena = Arena {
            states: Table::default(),
            paths: Table::default(),
            propositions: Table::default(),
            label_sets: Table::default(),
            firsts: None,
        };
        let truth = arena.add_state(State::True);
        let falsity = arena.add_state(State::Not(truth));
        truth.on_path(&mut arena);
        falsity.on_path(&mut arena);
        arena
    }

    /// By variable the first of those that it is always equal to, where propositions read that instead.
    pub(crate) fn firsts(&self) -> Option<&Arc<[VariableId]>> {
        self.firsts.as_ref()
    }

    /// From now on clones share all formulas there are.
    pub fn share(&mut self) {
        self.states.share();
        self.paths.share();
        self.propositions.share();
        self.label_sets.share();
    }

    /// The same formulas, with the same numbers, in which propositions read the first of equal variables.
    #[must_use]
    pub(crate) fn reading_first(self, firsts: &Arc<[VariableId]>) -> Self {
        let mut propositions = Table::default();
        for number in 0..self.propositions.len() {
            let (expr, _) = self.propositions.get(number);
            propositions.push(expr.clone(), reading_first(expr, firsts));
        }
        propositions.share();
        Arena { propositions, firsts: Some(Arc::clone(firsts)), ..self }
    }

    /// Do both share the same formulas, so that these have the same numbers?
    pub(crate) fn shares_with(&self, other: &Arena) -> bool {
        self.states.shares_with(&other.states) && self.paths.shares_with(&other.paths)
    }

    /// The node of a state formula.
    pub fn state(&self, id: StateFormula) -> &State {
        &self.states.get(id.index()).0
    }

    /// The node of a path formula.
    pub fn path(&self, id: PathFormula) -> &Path {
        &self.paths.get(id.index()).0
    }

    /// The state formula that a path formula is, if it is one.
    pub fn as_state(&self, id: PathFormula) -> Option<StateFormula> {
        match *self.path(id) {
            Path::State(state) => Some(state),
            _ => None,
        }
    }

    /// Is there such a state formula?
    pub fn has_state(&self, id: StateFormula) -> bool {
        id.index() < self.states.len()
    }

    /// Is there such a path formula?
    pub fn has_path(&self, id: PathFormula) -> bool {
        id.index() < self.paths.len()
    }

    pub(crate) fn of_state(&self, id: StateFormula) -> OfState {
        self.states.get(id.index()).1
    }

    pub(crate) fn of_path(&self, id: PathFormula) -> OfPath {
        self.paths.get(id.index()).1
    }

    /// Does a state formula refer to the present state alone?
    pub fn is_condition(&self, id: StateFormula) -> bool {
        self.of_state(id).is_condition
    }

    /// Is a state formula much larger written out than it is, so that whoever evaluates it should remember its parts?
    pub fn shares_much(&self, id: StateFormula) -> bool {
        self.of_state(id).size > MUCH
    }

    /// Does a path formula look back, outside of the state formulas in it?
    pub fn looks_back(&self, id: PathFormula) -> bool {
        self.past_height(id) > 0
    }

    /// How many past operators stand inside each other, at most, outside of state formulas.
    pub fn past_height(&self, id: PathFormula) -> usize {
        self.of_path(id).past_height
    }

    /// Does some past operator of a path formula stand over what looks further ahead than the next state?
    pub fn remembers_what_lies_ahead(&self, id: PathFormula) -> bool {
        self.of_path(id).remembers_what_lies_ahead
    }

    /// Is a path formula a boolean combination of conditions on a state and on the label of the next transition?
    pub fn is_one_step(&self, id: PathFormula) -> bool {
        self.of_path(id).is_one_step
    }

    /// The one CTL operator over state formulas that a path formula is, if it is one.
    pub fn ctl(&self, id: PathFormula) -> Option<Ctl> {
        self.of_path(id).ctl
    }

    /// What never holds where the formula does, if it has the form `AG !φ`, that is `!EF φ`.
    pub fn never(&self, id: StateFormula) -> Option<StateFormula> {
        match *self.state(id) {
            State::Not(some) => self.sometime(some),
            _ => None,
        }
    }

    /// What can come about where the formula holds, if it has the form `EF φ`.
    pub fn sometime(&self, id: StateFormula) -> Option<StateFormula> {
        match *self.state(id) {
            State::Exists { path, over: Over::AllPaths | Over::Relation } => match self.ctl(path) {
                Some(Ctl::Until(StateFormula::TRUE, b)) => Some(b),
                _ => None,
            },
            _ => None,
        }
    }

    /// The expression of a proposition as users know it, whatever is read in its place.
    pub fn proposition_as_written(&self, id: PropositionId) -> &Expr {
        &self.propositions.get(id.index()).0
    }

    /// The expression of a proposition, to be evaluated.
    pub fn proposition_expr(&self, id: PropositionId) -> &Expr {
        let (expr, instead) = self.propositions.get(id.index());
        instead.as_deref().unwrap_or(expr)
    }

    /// The labels of a set, in increasing order.
    pub fn labels(&self, id: LabelSetId) -> &[LabelId] {
        &self.label_sets.get(id.index()).0
    }

    /// Adds a state formula unless it is there.
    pub fn add_state(&mut self, node: State) -> StateFormula {
        if let Some(known) = self.states.find(&node) {
            return StateFormula(known);
        }
        let known = OfState::new(self, &node);
        StateFormula(self.states.push(node, known))
    }

    /// Adds a path formula unless it is there.
    pub(crate) fn add_path(&mut self, node: Path) -> PathFormula {
        if let Some(known) = self.paths.find(&node) {
            return PathFormula(known);
        }
        let known = OfPath { ctl: self.ctl_shape(&node), ..OfPath::new(self, &node) };
        PathFormula(self.paths.push(node, known))
    }

    fn ctl_shape(&mut self, node: &Path) -> Option<Ctl> {
        match *node {
            Path::Next(a) => self.as_state(a).map(Ctl::Next),
            Path::Until(a, b) => Some(Ctl::Until(self.as_state(a)?, self.as_state(b)?)),
            Path::Not(inner) => match self.ctl(inner)? {
                Ctl::Next(a) => Some(Ctl::Next(self.not(a))),
                Ctl::Until(a, b) => Some(Ctl::Release(self.not(a), self.not(b))),
                Ctl::Release(a, b) => Some(Ctl::Until(self.not(a), self.not(b))),
            },
            Path::State(_)
            | Path::Action(_)
            | Path::And(..)
            | Path::Or(..)
            | Path::Previous(_)
            | Path::Since(..) => None,
        }
    }

    /// `!a`
    pub fn not<F: CoreFormula>(&mut self, a: F) -> F {
        a.negated(self)
    }

    /// `a & b`, constants and repetitions left out.
    pub fn and<F: CoreFormula>(&mut self, a: F, b: F) -> F {
        self.joined(a, b, F::TRUE, F::FALSE, F::conjoined)
    }

    /// `a | b`, constants and repetitions left out.
    pub fn or<F: CoreFormula>(&mut self, a: F, b: F) -> F {
        self.joined(a, b, F::FALSE, F::TRUE, F::disjoined)
    }

    /// The conjunction of all these.
    pub fn all<F: CoreFormula>(&mut self, parts: Vec<F>) -> F {
        self.balanced(parts, F::TRUE, Arena::and)
    }

    /// The disjunction of all these.
    pub fn any<F: CoreFormula>(&mut self, parts: Vec<F>) -> F {
        self.balanced(parts, F::FALSE, Arena::or)
    }

    /// Joins neighbours until one is left, so that the tree of very many is low.
    fn balanced<F: CoreFormula>(&mut self, mut parts: Vec<F>, none: F, join: fn(&mut Arena, F, F) -> F) -> F {
        // What repeats itself in a row is left out first, as it would be one after the other.
        parts.dedup();
        while parts.len() > 1 {
            let pairs = parts.chunks(2);
            parts = pairs
                .map(|pair| match *pair {
                    [a, b] => join(self, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        parts.pop().unwrap_or(none)
    }

    fn joined<F: CoreFormula>(
        &mut self,
        a: F,
        b: F,
        neutral: F,
        decisive: F,
        join: fn(F, F, &mut Arena) -> F,
    ) -> F {
        match (a, b) {
            (x, y) if x == y || y == neutral => x,
            (x, y) if x == decisive || y == decisive => decisive,
            (x, y) if x == neutral => y,
            (x, y) => join(x, y, self),
        }
    }

    /// `a -> b`
    pub fn implies<F: CoreFormula>(&mut self, a: F, b: F) -> F {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// `a <-> b`
    pub fn iff<F: CoreFormula>(&mut self, a: F, b: F) -> F {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }

    /// `X a`
    pub fn next(&mut self, a: impl CoreFormula) -> PathFormula {
        let a = a.on_path(self);
        self.add_path(Path::Next(a))
    }

    /// `a U b`
    pub fn until(&mut self, a: impl CoreFormula, b: impl CoreFormula) -> PathFormula {
        let (a, b) = (a.on_path(self), b.on_path(self));
        self.add_path(Path::Until(a, b))
    }

    /// `F a`
    pub fn finally(&mut self, a: impl CoreFormula) -> PathFormula {
        self.until(PathFormula::TRUE, a)
    }

    /// `G a`
    pub fn globally<F: CoreFormula>(&mut self, a: F) -> PathFormula {
        let not_a = self.not(a);
        let sometime = self.finally(not_a);
        self.not(sometime)
    }

    /// `a R b`, that is `!(!a U !b)`
    pub fn release(&mut self, a: PathFormula, b: PathFormula) -> PathFormula {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let until = self.until(not_a, not_b);
        self.not(until)
    }

    /// `a W b`, as `b R (a | b)`: with this form CTL's weak until is recognised as one operator.
    pub fn weak_until(&mut self, a: PathFormula, b: PathFormula) -> PathFormula {
        let either = self.or(a, b);
        self.release(b, either)
    }

    /// `Y a`
    pub fn previous(&mut self, a: PathFormula) -> PathFormula {
        self.add_path(Path::Previous(a))
    }

    /// `a S b`
    pub fn since(&mut self, a: PathFormula, b: PathFormula) -> PathFormula {
        self.add_path(Path::Since(a, b))
    }

    /// `P a`
    pub fn once(&mut self, a: PathFormula) -> PathFormula {
        self.since(PathFormula::TRUE, a)
    }

    /// `E a`
    pub fn exists(&mut self, path: PathFormula, over: Over) -> StateFormula {
        self.add_state(State::Exists { path, over })
    }

    /// `A a`
    pub fn for_all(&mut self, path: PathFormula, over: Over) -> StateFormula {
        let fails = self.not(path);
        let some = self.exists(fails, over);
        self.not(some)
    }

    /// A state proposition.
    pub fn proposition(&mut self, expr: Expr) -> StateFormula {
        match expr {
            Expr::Constant(0) => StateFormula::FALSE,
            Expr::Constant(1) => StateFormula::TRUE,
            Expr::Not(inner) => {
                let inner = self.proposition(*inner);
                self.not(inner)
            }
            _ => {
                let found = self.propositions.find(&expr);
                let number = found.unwrap_or_else(|| {
                    let instead = self.firsts.as_deref().and_then(|firsts| reading_first(&expr, firsts));
                    self.propositions.push(expr, instead)
                });
                self.add_state(State::Proposition(PropositionId(number)))
            }
        }
    }

    /// A name for a set of points that whoever evaluates formulas knows already and the language cannot say.
    pub fn known_set(&mut self, number: usize) -> StateFormula {
        // A condition is never a number other than 0 and 1, so no formula that somebody wrote is the same.
        self.proposition(Expr::Constant(number as i64 + 2))
    }

    /// The next transition has one of these labels; with no label at all it is `false`.
    pub fn does(&mut self, mut labels: Vec<LabelId>) -> PathFormula {
        labels.sort_unstable();
        labels.dedup();
        if labels.is_empty() {
            return PathFormula::FALSE;
        }
        let number = self.label_sets.number(labels, ());
        self.add_path(Path::Action(Action::Does(LabelSetId(number))))
    }

    /// In the round that is taken next the agent takes this action.
    pub fn acts(&mut self, agent: servanda_model::AgentId, action: usize) -> PathFormula {
        self.add_path(Path::Action(Action::Acts { agent, action }))
    }
}
