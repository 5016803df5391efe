//! Formulas decided for all states at once, where all states and steps are known: a bit for each state and formula.
//!
//! A search ([`crate::search`]) finds what is near without the rest, so it comes first. Where it has visited a good part of a space of
//! which all states are known, going through them in a row is faster: [`Evaluation::labelled`] takes its place then, and answers of later
//! questions are read off.
//!
//! What is decided so is `E ψ` where ψ comes down, by laws that hold of every ψ, to sets of states: with `c` for conditions on one step
//! (what holds before it and after it, and its label),
//!
//! - `E c`: some step meets it; every state begins a path that goes on after the step.
//! - `E X ψ`: some step leads to where `E ψ` holds. `E (ψ | χ)` is `E ψ | E χ`.
//! - `E (c & ψ)`: the same of paths whose first step meets `c`; what comes after it is as without: `E (c & (d U ψ))` is `E (c & ψ)` or a
//!   step that meets `c & d` and leads to where `E (d U ψ)` holds.
//! - `E (c U ψ)`: the least set with the states of `E ψ` and those from which a step that meets `c` leads into the set.
//! - `E (c R d)`: the greatest set of states with a step that meets `d`, and meets `c` or leads into the set.
//!
//! All of CTL is among these, and more: `A G F p` is `!E F G !p`, and `A G (does(a) -> F q)` is `!E F (does(a) & G !q)`. The sets are
//! those of E. M. Clarke, E. A. Emerson and A. P. Sistla, "Automatic verification of finite-state concurrent systems using temporal logic
//! specifications" (1986). The rest (several conditions that come again and again on one path, fairness, commitments, knowledge) is
//! searched for.

mod fixpoints;
mod on_step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Deadlock, Halt, Progress};
use servanda_lower::{CoreFormula as _, Over, Path, PathFormula, State, StateFormula};
use servanda_model::range_everywhere;
use servanda_space::{Before, StateSet};

use crate::evaluate::Evaluation;
use crate::layers::Node;
use crate::search::REPORT_EVERY;
use fixpoints::Fixpoints;
use on_step::OnStep;

/// A search leaves the rest to a labelling when it has visited one in so many of the states, and no fewer than these.
const PATIENCE: usize = 16;
const LEAST: usize = 1 << 11;

/// Formulas that are larger than this when they are written out are not looked at to the end.
const MOST_LOOKS: usize = 1 << 12;

/// When formulas are decided for all states at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Labels {
    /// Where a search takes long and all steps are known.
    #[default]
    AfterSearch,
    /// Wherever all steps are known: for tests.
    #[cfg(test)]
    AtOnce,
    /// Never: for tests.
    #[cfg(test)]
    Never,
}

/// What is known of all states at once.
#[derive(Default)]
pub(crate) struct Labelling {
    pub(crate) when: Labels,
    /// Where `E ψ` holds.
    known: FxHashMap<PathFormula, Arc<StateSet>>,
    /// Of how many states.
    states: usize,
    /// Can `E ψ` be decided so?
    possible: FxHashMap<PathFormula, bool>,
    /// So many parts of a formula may still be looked at to find that out.
    looks: usize,
    before: Option<Before>,
}

/// A path formula or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Signed {
    psi: PathFormula,
    positive: bool,
}

impl Signed {
    fn of(self, psi: PathFormula) -> Self {
        Signed { psi, ..self }
    }
}

/// Sets made on the way to one that is asked for, kept as long as that takes. There may be no room for one.
type Found<T> = Result<Option<T>, Halt>;

impl Evaluation<'_> {
    /// What is known of `E ψ` at a state, if it was decided for all states.
    #[inline]
    pub(crate) fn label(&self, psi: PathFormula, over: Over, at: Node) -> Option<bool> {
        if self.labelling.known.is_empty() || at.layer > 0 || over != Over::AllPaths {
            return None;
        }
        let known = self.labelling.known.get(&psi)?;
        (self.labelling.states == self.space.len()).then(|| known.contains(at.number))
    }

    /// Could `E ψ` be decided for all states at once, once all steps are known?
    pub(crate) fn may_be_labelled(&mut self, layer: usize, psi: PathFormula, over: Over) -> bool {
        let plain = layer == 0
            && over == Over::AllPaths
            && self.options.deadlock == Deadlock::Loop
            && self.fairness.is_none()
            && self.divided.is_none();
        #[cfg(test)]
        let plain = plain && self.labelling.when != Labels::Never;
        self.labelling.looks = MOST_LOOKS;
        plain && self.is_possible(psi)
    }

    /// Is it time to decide a formula for all states, one that may be so, of which a search has visited so many?
    pub(crate) fn labels_pay(&self, visited: usize) -> bool {
        let often = match self.labelling.when {
            Labels::AfterSearch => visited > LEAST.max(self.space.len() / PATIENCE),
            #[cfg(test)]
            Labels::AtOnce => true,
            #[cfg(test)]
            Labels::Never => false,
        };
        often && self.space.is_closed()
    }

    /// Decides `E ψ` for all states and says whether it holds in one; `None` where there is no room.
    pub(crate) fn labelled(&mut self, psi: PathFormula, state: u32, budget: &dyn Budget) -> Found<bool> {
        if self.labelling.states != self.space.len() {
            self.labelling.known.clear();
            self.labelling.before = None;
            self.labelling.states = self.space.len();
        }
        // What is possible is not too large.
        self.labelling.looks = usize::MAX;
        if !self.space.keep_all_steps(budget)? {
            return Ok(None);
        }
        Ok(self.where_exists(psi, budget)?.map(|set| set.contains(state)))
    }

    fn is_possible(&mut self, psi: PathFormula) -> bool {
        if let Some(&possible) = self.labelling.possible.get(&psi) {
            return possible;
        }
        let possible =
            !self.lowering.arena.looks_back(psi) && self.comes_down(Signed { psi, positive: true });
        self.labelling.possible.insert(psi, possible);
        possible
    }

    /// Does the existence of a path with ψ come down to sets of states?
    fn comes_down(&mut self, signed: Signed) -> bool {
        if !self.may_look() {
            return false;
        }
        if self.is_on_step(signed.psi) {
            return true;
        }
        match (*self.lowering.arena.path(signed.psi), signed.positive) {
            (Path::Not(a), positive) => self.comes_down(Signed { psi: a, positive: !positive }),
            (Path::Next(a), _) => self.comes_down(signed.of(a)),
            (Path::Or(a, b), true) | (Path::And(a, b), false) => {
                self.comes_down(signed.of(a)) && self.comes_down(signed.of(b))
            }
            (Path::And(a, b), true) | (Path::Or(a, b), false) => {
                self.is_on_step(a) && self.comes_down(signed.of(b))
                    || self.is_on_step(b) && self.comes_down(signed.of(a))
            }
            (Path::Until(a, b), true) => self.is_on_step(a) && self.comes_down(signed.of(b)),
            (Path::Until(a, b), false) => self.is_on_step(a) && self.is_on_step(b),
            // The others are conditions on a step, unless something in them has no set.
            _ => false,
        }
    }

    /// May one more part of a formula be looked at?
    fn may_look(&mut self) -> bool {
        self.labelling.looks = self.labelling.looks.saturating_sub(1);
        self.labelling.looks > 0
    }

    /// Is a path formula a condition on one step, whose state formulas have sets?
    fn is_on_step(&mut self, psi: PathFormula) -> bool {
        if !self.may_look() {
            return false;
        }
        match *self.lowering.arena.path(psi) {
            Path::State(a) => self.is_plain(a),
            Path::Action(_) => true,
            Path::Not(a) => self.is_on_step(a),
            Path::And(a, b) | Path::Or(a, b) => self.is_on_step(a) && self.is_on_step(b),
            Path::Next(a) => self.lowering.arena.as_state(a).is_some_and(|a| self.is_plain(a)),
            Path::Until(..) | Path::Previous(_) | Path::Since(..) => false,
        }
    }

    /// Has a state formula a set? Conditions that may have no value somewhere are not asked where nobody would.
    fn is_plain(&mut self, id: StateFormula) -> bool {
        if !self.may_look() {
            return false;
        }
        if self.lowering.arena.is_condition(id) {
            let model = self.lowering.model;
            let mut conditions = self.lowering.arena.propositions_in(id);
            return conditions.all(|expr| !expr.can_fault() || range_everywhere(model, expr).is_some());
        }
        match *self.lowering.arena.state(id) {
            State::Not(a) => self.is_plain(a),
            State::And(a, b) | State::Or(a, b) => {
                !self.lowering.arena.shares_much(id) && self.is_plain(a) && self.is_plain(b)
            }
            State::Exists { path, over } => over == Over::AllPaths && self.is_possible(path),
            _ => false,
        }
    }
}

impl<'m> Evaluation<'m> {
    /// Where `E ψ` holds.
    fn where_exists(&mut self, psi: PathFormula, budget: &dyn Budget) -> Found<Arc<StateSet>> {
        if let Some(known) = self.labelling.known.get(&psi) {
            return Ok(Some(known.clone()));
        }
        let Some(set) = self.where_some_path(Signed { psi, positive: true }, budget)? else {
            return Ok(None);
        };
        self.labelling.known.insert(psi, set.clone());
        self.forget_search(psi);
        Ok(Some(set))
    }

    /// Where some path satisfies a path formula that comes down to sets.
    fn where_some_path(&mut self, signed: Signed, budget: &dyn Budget) -> Found<Arc<StateSet>> {
        match (*self.lowering.arena.path(signed.psi), signed.positive) {
            (Path::Not(a), positive) => self.where_some_path(Signed { psi: a, positive: !positive }, budget),
            (Path::Until(a, b), true) => {
                let Some(goal) = self.where_some_path(signed.of(b), budget)? else { return Ok(None) };
                let Some(through) = self.on_step(signed.of(a), budget)? else { return Ok(None) };
                let Some(goal) = self.own(goal, budget) else { return Ok(None) };
                self.fixpoints(budget).least(goal, &through).map(|set| Some(Arc::new(set)))
            }
            (Path::Until(a, b), false) => {
                let Some(stays) = self.on_step(signed.of(b), budget)? else { return Ok(None) };
                let Some(ends) = self.on_step(signed.of(a), budget)? else { return Ok(None) };
                if budget.room(Fixpoints::room_for_greatest(self.space.len())).is_err() {
                    return Ok(None);
                }
                self.fixpoints(budget).greatest(&stays, &ends).map(|set| Some(Arc::new(set)))
            }
            _ => self.where_some_path_after(OnStep::Always(true), signed, budget),
        }
    }

    /// Where some path does whose first step meets a condition.
    fn where_some_path_after(
        &mut self,
        first: OnStep,
        signed: Signed,
        budget: &dyn Budget,
    ) -> Found<Arc<StateSet>> {
        if self.is_on_step(signed.psi) {
            let Some(meets) = self.on_step(signed, budget)? else { return Ok(None) };
            return self.where_some_step(first.and(meets), budget);
        }
        match (*self.lowering.arena.path(signed.psi), signed.positive) {
            (Path::Not(a), positive) => {
                self.where_some_path_after(first, Signed { psi: a, positive: !positive }, budget)
            }
            (Path::Next(a), _) => {
                let Some(set) = self.where_some_path(signed.of(a), budget)? else { return Ok(None) };
                self.where_some_step(first.and(OnStep::There(set)), budget)
            }
            (Path::Or(a, b), true) | (Path::And(a, b), false) => {
                let left = self.where_some_path_after(first.clone(), signed.of(a), budget)?;
                let right = self.where_some_path_after(first, signed.of(b), budget)?;
                let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
                self.joined(left, &right, StateSet::unite, budget)
            }
            (Path::And(a, b), true) | (Path::Or(a, b), false) => {
                let (a, b) = if self.is_on_step(a) { (a, b) } else { (b, a) };
                if !self.is_on_step(a) {
                    return Ok(None);
                }
                let Some(meets) = self.on_step(signed.of(a), budget)? else { return Ok(None) };
                self.where_some_path_after(first.and(meets), signed.of(b), budget)
            }
            (Path::Until(a, b), positive) => {
                let Some(later) = self.where_some_path(signed, budget)? else { return Ok(None) };
                let Some(through) = self.on_step(signed.of(a), budget)? else { return Ok(None) };
                if positive {
                    let now = self.where_some_path_after(first.clone(), signed.of(b), budget)?;
                    let meets = first.and(through).and(OnStep::There(later));
                    let (Some(now), Some(then)) = (now, self.where_some_step(meets, budget)?) else {
                        return Ok(None);
                    };
                    return self.joined(now, &then, StateSet::unite, budget);
                }
                let Some(stays) = self.on_step(signed.of(b), budget)? else { return Ok(None) };
                self.where_some_step(first.and(stays).and(through.or(OnStep::There(later))), budget)
            }
            _ => Ok(None),
        }
    }

    fn where_some_step(&mut self, meets: OnStep, budget: &dyn Budget) -> Found<Arc<StateSet>> {
        if let OnStep::Here(set) = meets {
            return Ok(Some(set));
        }
        if !self.has_room(budget) {
            return Ok(None);
        }
        let set = match &meets {
            OnStep::There(set) => self.fixpoints(budget).some_step(|_, step| set.contains(step.target)),
            meets => self.fixpoints(budget).some_step(|state, step| meets.holds(state, step)),
        };
        Ok(Some(Arc::new(set?)))
    }

    /// A condition on a step.
    fn on_step(&mut self, signed: Signed, budget: &dyn Budget) -> Found<OnStep> {
        let condition = match *self.lowering.arena.path(signed.psi) {
            Path::State(StateFormula::TRUE) => Some(OnStep::Always(true)),
            Path::State(StateFormula::FALSE) => Some(OnStep::Always(false)),
            Path::State(a) => return self.of_state(a, signed.positive, OnStep::Here, budget),
            Path::Next(a) => match self.lowering.arena.as_state(a) {
                Some(a) => return self.of_state(a, signed.positive, OnStep::There, budget),
                None => None,
            },
            Path::Action(action) => Some(OnStep::action(action, &self.space, &self.lowering.arena)),
            Path::Not(a) => self.on_step(Signed { psi: a, positive: true }, budget)?.map(OnStep::not),
            Path::And(a, b) | Path::Or(a, b) => {
                let Some(left) = self.on_step(Signed { psi: a, positive: true }, budget)? else {
                    return Ok(None);
                };
                let Some(right) = self.on_step(Signed { psi: b, positive: true }, budget)? else {
                    return Ok(None);
                };
                Some(match *self.lowering.arena.path(signed.psi) {
                    Path::And(..) => left.and(right),
                    _ => left.or(right),
                })
            }
            Path::Until(..) | Path::Previous(_) | Path::Since(..) => None,
        };
        Ok(condition.map(|condition| if signed.positive { condition } else { condition.not() }))
    }

    /// A condition on one end of a step.
    fn of_state(
        &mut self,
        id: StateFormula,
        positive: bool,
        end: impl FnOnce(Arc<StateSet>) -> OnStep,
        budget: &dyn Budget,
    ) -> Found<OnStep> {
        let Some(set) = self.where_holds(id, budget)? else { return Ok(None) };
        if positive {
            return Ok(Some(end(set)));
        }
        let Some(mut set) = self.own(set, budget) else { return Ok(None) };
        set.complement();
        Ok(Some(end(Arc::new(set))))
    }

    /// Where a state formula holds that has a set.
    fn where_holds(&mut self, id: StateFormula, budget: &dyn Budget) -> Found<Arc<StateSet>> {
        if self.lowering.arena.is_condition(id) {
            return self.where_condition(id, budget);
        }
        match *self.lowering.arena.state(id) {
            State::Not(a) => {
                let Some(set) = self.where_holds(a, budget)? else { return Ok(None) };
                let Some(mut set) = self.own(set, budget) else { return Ok(None) };
                set.complement();
                Ok(Some(Arc::new(set)))
            }
            State::And(a, b) => {
                let Some(a) = self.where_holds(a, budget)? else { return Ok(None) };
                let Some(b) = self.where_holds(b, budget)? else { return Ok(None) };
                self.joined(a, &b, StateSet::intersect, budget)
            }
            State::Or(a, b) => {
                let Some(a) = self.where_holds(a, budget)? else { return Ok(None) };
                let Some(b) = self.where_holds(b, budget)? else { return Ok(None) };
                self.joined(a, &b, StateSet::unite, budget)
            }
            State::Exists { path, .. } => self.where_exists(path, budget),
            _ => Ok(None),
        }
    }

    /// Where a condition on the state alone holds.
    fn where_condition(&mut self, id: StateFormula, budget: &dyn Budget) -> Found<Arc<StateSet>> {
        if !self.has_room(budget) {
            return Ok(None);
        }
        let mut set = StateSet::none(self.space.len());
        for state in 0..self.space.len() as u32 {
            Progress::nodes(state as usize, REPORT_EVERY, budget)?;
            if self.holds(id, Node { layer: 0, number: state }, budget)? {
                set.insert(state);
            }
        }
        Ok(Some(Arc::new(set)))
    }

    fn joined(
        &self,
        a: Arc<StateSet>,
        b: &StateSet,
        join: impl FnOnce(&mut StateSet, &StateSet),
        budget: &dyn Budget,
    ) -> Found<Arc<StateSet>> {
        let Some(mut a) = self.own(a, budget) else { return Ok(None) };
        join(&mut a, b);
        Ok(Some(Arc::new(a)))
    }

    /// A set that nobody else refers to.
    fn own(&self, set: Arc<StateSet>, budget: &dyn Budget) -> Option<StateSet> {
        Arc::try_unwrap(set).map_or_else(|set| self.has_room(budget).then(|| (*set).clone()), Some)
    }

    /// Is there room for one more set?
    fn has_room(&self, budget: &dyn Budget) -> bool {
        budget.room(StateSet::bytes(self.space.len())).is_ok()
    }

    fn fixpoints<'a>(&'a mut self, budget: &'a dyn Budget) -> Fixpoints<'a, 'm> {
        Fixpoints { space: &self.space, before: &mut self.labelling.before, budget, visited: 0 }
    }
}
