//! Bounded search: runs that end in a loop, and what can be said without looking further than a bound.

use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt, Validity};
use servanda_lower::{PathFormula, State, StateFormula};

use crate::Technique;
use crate::effort::Effort;
use crate::existential::Place;
use crate::fairness::Kept;
use crate::gates::Gates;
use crate::induction::Unrolled;
use crate::paths::Product;
use crate::project::satisfiable;
use crate::sat::Sat;

/// So many conflicts are spent on each length where a loop is looked for before other techniques are tried.
const FEW_CONFLICTS: u32 = 2000;

impl Sat<'_> {
    /// Does a state formula hold wherever a property must, as far as a bounded search can tell?
    pub(crate) fn holds_within_bound(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        let bound = self.choices.bound.unwrap_or(0);
        let everywhere = self.options.validity == Validity::Reachable;
        if let State::And(a, b) = *self.lowering.arena.state(id) {
            return match (self.holds_within_bound(a, budget), self.holds_within_bound(b, budget)) {
                (Ok(false), _) | (_, Ok(false)) => Ok(false),
                (Ok(true), other) | (other, Ok(true)) => other,
                (other, _) => other,
            };
        }
        let bad = match self.lowering.arena.never(id) {
            Some(bad) => Some(bad),
            None if everywhere => Some(self.lowering.arena.not(id)),
            None => None,
        };
        match bad {
            // Induction over the steps that are unrolled anyway may even prove this.
            Some(bad) if self.lowering.arena.is_condition(bad) && self.fair.is_empty() => {
                let bad = self.evaluate(bad, budget)?;
                Ok(self.reachable(bad, budget)?.is_none())
            }
            None if self.lowering.arena.is_condition(id) && self.fair.is_empty() => {
                self.present_within_bound(id, budget)
            }
            Some(bad) if everywhere => self.settle(bad, Place::SomePoint, bound, budget),
            _ => self.settle(id, Place::Initial, bound, budget),
        }
    }

    fn present_within_bound(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        let set = self.evaluate(id, budget)?;
        self.note(Technique::Direct);
        let fails = self.system.graph.without(self.initial, set);
        Ok(!satisfiable(&self.system.graph, fails, &Effort::new(budget, &self.calls))?)
    }

    /// A formula of the present state alone.
    pub(crate) fn present_only(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        if !self.lowering.arena.is_condition(id) {
            return Err(Halt::TooLarge("this refers to more than the variables of one state".to_owned()));
        }
        self.evaluate(id, budget)
    }

    /// Does some initial state begin a path of at most so many steps, the last of which closes a loop, that satisfies a path
    /// formula?
    fn loop_within(
        &mut self,
        psi: PathFormula,
        bound: usize,
        conflicts: u32,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part, budget)?;
        }
        let product = self.product(psi, budget)?;
        self.note(Technique::Bounded);
        self.has_loop(&product, bound, conflicts, budget)
    }

    fn has_loop(
        &mut self,
        product: &Product,
        bound: usize,
        conflicts: u32,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let effort = &Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let mut run = Unrolled::new(&product.machine);
        let mut gates = Gates::new(budget);
        let start = graph.and(self.initial, product.goal);
        gates.require(graph, start);
        let mut kept: Vec<Vec<Kept>> = Vec::new();
        for last in 0..bound {
            run.extend(graph, &product.machine);
            kept.push(run.kept_here(graph, &product.machine, &product.kept));
            gates.require(graph, run.valid[last]);
            let closes = run.closes_loop(graph, &kept, last + 1);
            let literal = gates.literal(graph, closes);
            let found = if conflicts == u32::MAX {
                Some(gates.solve(&[literal], effort)?)
            } else {
                gates.try_solve(&[literal], conflicts, effort)?
            };
            match found {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Looks for a short path with a loop that refutes `A ψ` before anything else is tried.
    pub(crate) fn short_loop(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        let used = self.used.clone();
        let found = self.loop_within(psi, 5, FEW_CONFLICTS, budget)?;
        if !found {
            self.used = used;
        }
        Ok(found)
    }
}
