//! State formulas as diagrams, bottom up.

use servanda_engine::{Budget, Halt, RunFault};
use servanda_lower::{Ctl, Over, Path, PathFormula, State, StateFormula};
use servanda_model::{Expr, Layout, range_everywhere};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::{Symbolic, internal};

impl Symbolic<'_> {
    /// Where a state formula holds, within the universe. Evaluating a formula that remembers the past adds bits to the
    /// state; sets known before stay right, since they do not mention the new bits.
    pub(crate) fn evaluate(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Bdd, Halt> {
        if let Some(set) = self.truth.get(&id) {
            return Ok(set.clone());
        }
        self.poll(budget)?;
        let set = match self.lowering.arena.state(id).clone() {
            State::True => self.universe.clone(),
            State::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition).clone();
                self.proposition(&expr, budget)?
            }
            State::Not(a) => {
                let a = self.evaluate(a, budget)?;
                self.universe.without(&a)?
            }
            State::And(a, b) => self.evaluate(a, budget)?.both(&self.evaluate(b, budget)?)?,
            State::Or(a, b) => self.evaluate(a, budget)?.either(&self.evaluate(b, budget)?)?,
            State::Exists { path, over } => self.exists(path, over, budget)?,
            State::SomePrevious(a) => {
                let a = self.evaluate(a, budget)?;
                let states = self.states_of(&a)?;
                self.successors(&states, budget)?.both(&self.universe)?
            }
            State::SomePast(a) => {
                let a = self.evaluate(a, budget)?;
                let mut past = self.states_of(&a)?;
                loop {
                    let more = past.either(&self.successors(&past, budget)?)?;
                    if more == past {
                        break past.both(&self.universe)?;
                    }
                    past = more;
                    self.poll(budget)?;
                }
            }
            State::Committed { debtor, creditor, limit, body } => {
                let broken = self.lowering.broken_promise(debtor, creditor, limit, body);
                let broken = self.evaluate(broken, budget)?;
                self.universe.without(&broken)?
            }
            State::Knows { relation, correct, body } => {
                let body = self.evaluate(body, budget)?;
                self.knows(&relation, &correct, &body)?
            }
            State::Able { group, goal } => self.able(&group, &goal, budget)?,
        };
        self.truth.insert(id, set.clone());
        Ok(set)
    }

    fn proposition(&self, expr: &Expr, budget: &dyn Budget) -> Result<Bdd, Halt> {
        if adds_up(expr) && range_everywhere(self.encoding.model, expr).is_some() {
            return self.holding(expr, &self.universe, budget);
        }
        let truth = self.encoding.truth(expr, budget)?;
        let without_value = self.points.without(&truth.defined)?;
        let (model, layout) = (self.encoding.model, Layout::new(self.encoding.model));
        if let Some(state) = self.encoding.pick(&without_value, &layout) {
            let fault = RunFault::of_condition(model, &layout, &state, expr);
            let fault = fault.ok_or_else(|| internal("a fault that is none"))?;
            return Err(Halt::Fault(Box::new(fault)));
        }
        // Outside of the points a proposition without a value is false: nobody can get there.
        truth.value.both(&truth.defined)?.both(&self.universe)
    }

    /// The states of a set in which a condition holds that always has a value. Several conditions on sums may together be far larger than
    /// each of them, and than what they have in common with the states that are looked at.
    fn holding(&self, expr: &Expr, within: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        match expr {
            Expr::And(parts) if adds_up(expr) => {
                let mut left = within.clone();
                for part in parts {
                    left = self.holding(part, &left, budget)?;
                }
                Ok(left)
            }
            Expr::Or(parts) if adds_up(expr) => {
                let mut found = self.encoding.diagrams.falsity();
                for part in parts {
                    found = found.either(&self.holding(part, within, budget)?)?;
                }
                Ok(found)
            }
            Expr::Not(inner) if adds_up(inner) => within.without(&self.holding(inner, within, budget)?),
            _ => self.encoding.truth(expr, budget)?.value.both(within),
        }
    }

    /// The states of a set of points, what they remember left out.
    pub(crate) fn states_of(&self, set: &Bdd) -> Result<Bdd, Halt> {
        set.both(&self.universe)?.some(&self.recalled_bits()?)
    }

    /// The successors of a set of states.
    pub(crate) fn successors(&self, set: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let memory = self.recalled_bits()?;
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            self.encoding.diagrams.report(budget)?;
            all = all.either(&part.image(set)?.some(&memory)?)?;
        }
        Ok(all)
    }

    /// `E ψ`.
    fn exists(&mut self, psi: PathFormula, over: Over, budget: &dyn Budget) -> Result<Bdd, Halt> {
        // In the strict reading a CTL operator is its fixpoint even where a deadlock cuts all paths short; with
        // implicit loops, or among states on fair runs, that is the same as speaking of paths.
        if let (Over::AllPaths | Over::Relation, Some(operator)) = (over, self.lowering.arena.ctl(psi)) {
            return self.ctl(operator, budget);
        }
        if over == Over::AllPaths
            && let Some(set) = self.until_a_step(psi, budget)?
        {
            return Ok(set);
        }
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part, budget)?;
        }
        if over != Over::Relation
            && let Some(set) = self.by_automaton(psi, over, budget)?
        {
            return Ok(set);
        }
        self.tableau(psi, budget)
    }

    /// `E(a U ψ)` as `E(a U E ψ)` where ψ is about one step: wherever a path has come to, any other can begin, as long as nothing looks
    /// back beyond that. A fixpoint over states is far smaller than one over positions.
    fn until_a_step(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<Option<Bdd>, Halt> {
        let arena = &mut self.lowering.arena;
        let Path::Until(before, step) = *arena.path(psi) else { return Ok(None) };
        let Some(before) = arena.as_state(before) else { return Ok(None) };
        if !arena.is_one_step(step) || arena.looks_back(step) {
            return Ok(None);
        }
        let step = arena.exists(step, Over::AllPaths);
        let (before, step) = (self.evaluate(before, budget)?, self.evaluate(step, budget)?);
        self.until(&before, &step, budget).map(Some)
    }

    /// `E ψ` where ψ is one CTL operator.
    fn ctl(&mut self, operator: Ctl, budget: &dyn Budget) -> Result<Bdd, Halt> {
        match operator {
            Ctl::Next(a) => {
                let a = self.evaluate(a, budget)?;
                self.before(&a, budget)
            }
            Ctl::Until(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                self.until(&a, &b, budget)
            }
            Ctl::Release(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                let stays = self.globally_fair(&b, budget)?;
                let released = self.until(&b, &b.both(&a)?, budget)?;
                stays.either(&released)
            }
        }
    }
}

/// Does a condition look at what numbers add up to?
fn adds_up(expr: &Expr) -> bool {
    matches!(expr, Expr::Arithmetic(..)) || expr.operands().any(adds_up)
}
