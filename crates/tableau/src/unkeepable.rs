//! Promises that no run can keep: points of runs from which no path is accessible.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Budget, Deadlock, Halt, Unkeepable};
use servanda_lower::{CoreFormula as _, PathFormula, State, StateFormula};
use servanda_model::{AgentId, CommitmentId};

use crate::evaluate::Evaluation;
use crate::layers::Node;

impl Evaluation<'_> {
    /// Whoever is committed to what is false is so because no path is accessible.
    pub(crate) fn nothing_left(&mut self, (debtor, creditor): (AgentId, AgentId)) -> StateFormula {
        let nothing_left = State::Committed { debtor, creditor, limit: None, body: PathFormula::FALSE };
        self.lowering.arena.add_state(nothing_left)
    }

    pub(crate) fn unkeepable_of(
        &mut self,
        (debtor, creditor): (AgentId, AgentId),
        budget: &dyn Budget,
    ) -> Result<Vec<Unkeepable>, Halt> {
        let nothing_left = self.nothing_left((debtor, creditor));
        let layer = self.prepare(nothing_left)?;
        self.explore_all(0, budget)?;
        self.explore_all(layer, budget)?;
        let promises = self.lowering.promises(debtor, creditor, None);
        let narrowed = self
            .space
            .model
            .access
            .iter()
            .any(|access| (access.debtor, access.creditor) == (debtor, creditor));
        // Where nothing is promised every path is accessible, and one begins everywhere.
        let trivial = !narrowed && self.options.deadlock == Deadlock::Loop;
        let mut in_force = Vec::new();
        let mut places: BTreeMap<Vec<CommitmentId>, BTreeSet<u32>> = BTreeMap::new();
        for node in 0..self.met(layer) as u32 {
            let at = Node { layer, number: node };
            let state = self.projected(at, 0);
            let is_in_force =
                |id: &CommitmentId| self.space.layout.commitment(*id).read(self.space.state(state)) == 1;
            in_force.clear();
            in_force.extend(promises.iter().copied().filter(is_in_force));
            if (trivial && in_force.is_empty())
                || !self.space.is_reachable(state)
                || !self.is_fair(state, budget)?
            {
                continue;
            }
            if self.holds(nothing_left, at, budget)? {
                places.entry(in_force.clone()).or_default().insert(state);
            }
        }
        Ok(self.space.unkeepable((debtor, creditor), places))
    }
}
