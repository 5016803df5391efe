//! Commitments that no run can keep, counted with diagrams.

use std::collections::BTreeMap;

use servanda_engine::{Budget, Halt, PROMISED_KNOWLEDGE, Unkeepable};
use servanda_lower::{CoreFormula as _, PathFormula, State};
use servanda_model::{CommitmentId, Layout, StateView};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// All of a model, by pair and by what is in force.
    pub fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        if self.options.recall.is_some() && self.lowering.promises_knowledge() {
            return Err(Halt::TooLarge(PROMISED_KNOWLEDGE.to_owned()));
        }
        let model = self.encoding.model;
        let mut found = Vec::new();
        for (debtor, creditor) in model.committed_pairs() {
            // Whoever is committed to what is false is so because no path is accessible.
            let nothing_left = State::Committed { debtor, creditor, limit: None, body: PathFormula::FALSE };
            let nothing_left = self.lowering.arena.add_state(nothing_left);
            let points = self.evaluate(nothing_left, budget)?.both(&self.points)?;
            let promises = self.lowering.promises(debtor, creditor, None);
            for (in_force, states) in self.by_what_is_in_force(self.states_of(&points)?, &promises)? {
                let Some(nearest) = self.nearest(&states, budget)? else { continue };
                found.push(Unkeepable {
                    debtor: model.agent(debtor).name.clone(),
                    creditor: model.agent(creditor).name.clone(),
                    commitments: in_force
                        .iter()
                        .map(|id| model.view_promise(model.commitment(*id)).in_full())
                        .collect(),
                    states: self.encoding.diagrams.count(&states, self.encoding.functions.model_bits()),
                    example: StateView::new(model, &Layout::new(model), &nearest.state),
                    path: self.way_to(&nearest)?,
                });
            }
        }
        Ok(found)
    }

    /// A set of states in parts, one for each set of commitments that are in force together.
    fn by_what_is_in_force(
        &self,
        mut states: Bdd,
        promises: &[CommitmentId],
    ) -> Result<BTreeMap<Vec<CommitmentId>, Bdd>, Halt> {
        let layout = Layout::new(self.encoding.model);
        let mut parts = BTreeMap::new();
        while let Some(state) = self.encoding.pick(&states, &layout) {
            let (mut in_force, mut part) = (Vec::new(), states.clone());
            for id in promises {
                let bit = self.encoding.functions.commitment_bit(*id);
                let held = self.encoding.diagrams.variable(self.encoding.bits[bit].now)?;
                if layout.commitment(*id).read(&state) == 1 {
                    in_force.push(*id);
                    part = part.both(&held)?;
                } else {
                    part = part.without(&held)?;
                }
            }
            states = states.without(&part)?;
            parts.insert(in_force, part);
        }
        Ok(parts)
    }
}
