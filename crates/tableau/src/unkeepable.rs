//! Promises that no run can keep: points of runs from which no path is accessible.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Budget, Deadlock, Halt, Unkeepable};
use servanda_lower::{CoreFormula as _, PathFormula, State, StateFormula};
use servanda_model::{AgentId, CommitmentId};

use crate::evaluate::Evaluation;
use crate::tableau::Tableau;

impl Tableau<'_> {
    /// The commitments that no run can keep, by pair and by what is in force. This needs all states.
    pub fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        let mut found = Vec::new();
        for pair in self.model.committed_pairs() {
            let formula = self.common.nothing_left(pair);
            found.extend(if self.common.rank(formula) == 0 {
                self.common.unkeepable_of(pair, budget)?
            } else {
                let mut own = Evaluation::new(&self.common.lowering, self.options)?;
                self.common.lend(&mut own, |own| own.unkeepable_of(pair, budget))?
            });
        }
        Ok(found)
    }
}

impl Evaluation<'_> {
    /// Whoever is committed to what is false is so because no path is accessible.
    fn nothing_left(&mut self, (debtor, creditor): (AgentId, AgentId)) -> StateFormula {
        let nothing_left = State::Committed { debtor, creditor, limit: None, body: PathFormula::FALSE };
        self.lowering.arena.add_state(nothing_left)
    }

    fn unkeepable_of(
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
        let mut places: BTreeMap<Vec<CommitmentId>, BTreeSet<u32>> = BTreeMap::new();
        for node in 0..self.met(layer) as u32 {
            let state = self.projected(layer, node, 0);
            let mut in_force = promises.clone();
            in_force.retain(|id| self.space.layout.commitment(*id).read(self.space.state(state)) == 1);
            if (trivial && in_force.is_empty())
                || !self.space.is_reachable(state)
                || !self.is_fair(state, budget)?
            {
                continue;
            }
            if self.holds(nothing_left, layer, node, budget)? {
                places.entry(in_force).or_default().insert(state);
            }
        }
        let ways = if places.is_empty() { return Ok(Vec::new()) } else { self.space.ways() };
        let mut found = Vec::new();
        for (in_force, states) in places {
            let Some(nearest) = ways.nearest(states.iter().copied()) else { continue };
            let model = self.space.model;
            found.push(Unkeepable {
                debtor: model.agent(debtor).name.clone(),
                creditor: model.agent(creditor).name.clone(),
                commitments: in_force.iter().map(|id| model.show_promise(model.commitment(*id))).collect(),
                states: states.len().into(),
                example: self.space.view(nearest),
                path: ways.path_to(&self.space, nearest),
            });
        }
        Ok(found)
    }
}
