//! State formulas as sets of states, bottom up, each worker the part of its own states.

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Past, Validity};
use servanda_lower::{Lowering, Over, PathFormula, State, StateFormula};
use servanda_model::Expr;
use servanda_space::Wanted;

use crate::board::Trouble;
use crate::fairness::Fair;
use crate::links::Links;
use crate::shard::{keep_least, least};
use crate::worker::Crew;

/// What this engine says of formulas that look back.
const LOOKS_BACK: &str =
    "the engine cluster does not remember what was before on a run: the linear past is for other engines";

/// What it says of predecessors that no run reaches.
const ALL_PAST: &str = "the engine cluster knows reachable states only: `--past all` is for other engines";

/// What this engine says of strategies.
const STRATEGIES: &str = "the engine cluster does not decide what coalitions can bring about";

/// The states with the transitions between them, once fixpoints are needed.
pub(crate) struct Graph {
    pub(crate) links: Links,
    pub(crate) fair: Vec<Fair>,
    /// By state, is it on a run that counts?
    pub(crate) on_run: Vec<bool>,
}

/// What is known of one question so far.
pub(crate) struct Evaluation<'a, 'm> {
    pub(crate) crew: Crew<'a>,
    pub(crate) lowering: &'a mut Lowering<'m>,
    pub(crate) graph: &'a mut Graph,
    /// Which predecessors count.
    pub(crate) past: Past,
    pub(crate) truth: FxHashMap<StateFormula, Vec<bool>>,
}

impl Evaluation<'_, '_> {
    /// Makes sure that `truth` knows a state formula. All workers evaluate the same formulas in the same order.
    ///
    /// # Errors
    ///
    /// When the work is stopped, a worker is gone, a proposition has no value somewhere, or this engine does not know the kind of formula.
    pub(crate) fn evaluate(&mut self, id: StateFormula) -> Result<(), Trouble> {
        if self.truth.contains_key(&id) {
            return Ok(());
        }
        let states = self.crew.shard.len() as usize;
        let set = match self.lowering.arena.state(id).clone() {
            State::True => vec![true; states],
            State::Proposition(proposition) => {
                self.holds_by_state(&self.lowering.arena.proposition_expr(proposition).clone())?
            }
            State::Not(a) => {
                self.evaluate(a)?;
                self.truth[&a].iter().map(|value| !value).collect()
            }
            State::And(a, b) => self.pointwise(a, b, |a, b| a && b)?,
            State::Or(a, b) => self.pointwise(a, b, |a, b| a || b)?,
            State::Exists { path, over } => self.exists(path, over)?,
            State::Committed { debtor, creditor, limit, body } => {
                self.committed((debtor, creditor), limit, body)?
            }
            State::Knows { relation, correct, body } => {
                self.evaluate(body)?;
                self.knows(&relation, &correct, body)?
            }
            State::SomePrevious(_) | State::SomePast(_) if self.past == Past::All => {
                return Err(beyond(ALL_PAST));
            }
            State::SomePrevious(a) => {
                self.evaluate(a)?;
                self.some_previous(&self.truth[&a].clone())?
            }
            State::SomePast(a) => {
                self.evaluate(a)?;
                self.some_past(&self.truth[&a].clone())?
            }
            State::Able { .. } => return Err(beyond(STRATEGIES)),
        };
        self.truth.insert(id, set);
        Ok(())
    }

    fn pointwise(
        &mut self,
        a: StateFormula,
        b: StateFormula,
        join: fn(bool, bool) -> bool,
    ) -> Result<Vec<bool>, Trouble> {
        self.evaluate(a)?;
        self.evaluate(b)?;
        Ok(self.truth[&a].iter().zip(&self.truth[&b]).map(|(a, b)| join(*a, *b)).collect())
    }

    /// `E ψ`.
    fn exists(&mut self, psi: PathFormula, over: Over) -> Result<Vec<bool>, Trouble> {
        if self.lowering.arena.looks_back(psi) {
            return Err(beyond(LOOKS_BACK));
        }
        // Where every path goes on for ever the fixpoints are exact too. Fair paths are infinite, whatever is asked of them.
        if over != Over::InfinitePaths
            && self.graph.fair.is_empty()
            && let Some(operator) = self.lowering.arena.ctl(psi)
        {
            return self.ctl(operator);
        }
        self.some_path(psi)
    }

    /// Where an expression holds, state by state.
    ///
    /// # Errors
    ///
    /// When it has no value in some state of any worker: for all workers, and of the smallest such state.
    pub(crate) fn holds_by_state(&mut self, expr: &Expr) -> Result<Vec<bool>, Trouble> {
        let shard = self.crew.shard;
        let wanted = Wanted::new(shard.model, &shard.layout, expr);
        let (mut stack, mut faulty) = (Vec::new(), None);
        let mut set = Vec::with_capacity(shard.len() as usize);
        let mut room = Vec::new();
        for number in 0..shard.len() {
            let state = shard.state(number, &mut room);
            let holds = wanted.is(state, &mut stack);
            if holds.is_err() {
                keep_least(&mut faulty, state);
            }
            set.push(holds.unwrap_or(false));
        }
        if expr.can_fault()
            && let Some(state) = least(self.crew.fabric, faulty)?
            && let Err(halt) = wanted.is(&state, &mut stack)
        {
            return Err(Trouble::Halt(halt));
        }
        Ok(set)
    }

    /// Does a formula whose truth is known hold wherever it must?
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn is_valid(&mut self, id: StateFormula, validity: Validity) -> Result<bool, Trouble> {
        let asked = match validity {
            Validity::Initial => self.crew.shard.tally.initial as usize,
            Validity::Reachable => self.crew.shard.len() as usize,
        };
        let holds = &self.truth[&id];
        let failing = (0..asked).filter(|state| self.graph.on_run[*state] && !holds[*state]).count();
        let [failing] = self.crew.fabric.sum([failing as u64])?;
        Ok(failing == 0)
    }
}

fn beyond(reason: &str) -> Trouble {
    Trouble::Halt(Halt::TooLarge(reason.to_owned()))
}
