//! `EY` and `EP`: what stands before a state, over all ways to it. These need all states, and are decided for all at once.

use servanda_engine::{Budget, Halt, Past};
use servanda_lower::StateFormula;

use crate::evaluate::Evaluation;
use crate::layers::Node;

impl Evaluation<'_> {
    /// Is a state in the set of a formula, which `make` decides for all states at once when it is first asked for?
    pub(crate) fn in_set(
        &mut self,
        id: StateFormula,
        state: u32,
        make: impl FnOnce(&mut Self) -> Result<Vec<bool>, Halt>,
    ) -> Result<bool, Halt> {
        if !self.sets.contains_key(&id) {
            let set = make(self)?;
            self.sets.insert(id, set);
        }
        Ok(self.sets[&id][state as usize])
    }

    /// Where the formula is true in some predecessor.
    pub(crate) fn some_previous(
        &mut self,
        operand: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Vec<bool>, Halt> {
        let inside = self.everywhere(operand, budget)?;
        let mut result = vec![false; inside.len()];
        let mut steps = Vec::new();
        for source in (0..inside.len() as u32).filter(|source| inside[*source as usize]) {
            self.steps(Node { layer: 0, number: source }, &mut steps, budget)?;
            for step in &steps {
                result[step.target as usize] = true;
            }
        }
        Ok(result)
    }

    /// Where the formula is true in some state from which this one can be reached, itself included.
    pub(crate) fn some_past(
        &mut self,
        operand: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Vec<bool>, Halt> {
        let mut result = self.everywhere(operand, budget)?;
        let mut todo: Vec<u32> = (0..result.len() as u32).filter(|state| result[*state as usize]).collect();
        let mut steps = Vec::new();
        while let Some(source) = todo.pop() {
            self.steps(Node { layer: 0, number: source }, &mut steps, budget)?;
            for step in &steps {
                // A way through a state on no fair path is no way.
                if !result[step.target as usize] && self.is_fair(step.target, budget)? {
                    result[step.target as usize] = true;
                    todo.push(step.target);
                }
            }
        }
        Ok(result)
    }

    /// Makes sure that all states are there among which predecessors are looked for.
    fn meet_all(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        self.explore_all(0, budget)?;
        if self.options.past == Past::All && self.fairness.is_some() {
            let reason = "`--past all` together with fairness is beyond the on-the-fly engine";
            return Err(Halt::TooLarge(reason.to_owned()));
        }
        if self.options.past == Past::All {
            self.space.add_all_typed_states(budget)?;
            self.explore_all(0, budget)?;
        }
        Ok(())
    }

    /// Where a formula that does not depend on the history of a run holds, state by state. Where fairness is demanded
    /// only states on fair paths count.
    pub(crate) fn everywhere(
        &mut self,
        operand: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Vec<bool>, Halt> {
        self.meet_all(budget)?;
        let states = self.space.len() as u32;
        let mut result = Vec::with_capacity(states as usize);
        for state in 0..states {
            let holds = self.is_fair(state, budget)? && self.holds_apart(operand, state, budget)?;
            result.push(holds);
        }
        Ok(result)
    }

    /// Decides a formula that does not depend on how a state was reached. It may still look back within itself, over
    /// steps it has made; what it remembers of those is kept apart from what runs remember.
    fn holds_apart(&mut self, operand: StateFormula, state: u32, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.rank(operand) == 0 {
            return self.holds(operand, Node { layer: 0, number: state }, budget);
        }
        let mut apart = match self.apart.remove(&operand) {
            Some(apart) => apart,
            None => {
                // The same formulas have the same numbers in both.
                let mut fresh = Evaluation::new(&self.lowering, self.options)?;
                fresh.apart_from_runs = true;
                self.lend(&mut fresh, |fresh| fresh.meet_all(budget))?;
                Box::new(fresh)
            }
        };
        let layer = apart.prepare(operand)?;
        let holds = self.lend(&mut apart, |apart| {
            let at = apart.start(layer, state);
            apart.holds(operand, at, budget)
        });
        self.apart.insert(operand, apart);
        holds
    }
}
