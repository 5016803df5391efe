//! Commitments in force, and the paths accessible under them.

use std::collections::{BTreeMap, BTreeSet};

use servanda_lower::PathFormula;
use servanda_model::{AgentId, CommitmentId};

use crate::board::Trouble;
use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// The commitments of a pair in force in a state, those of at least the depth `limit` left out.
    fn in_force(&self, state: u32, pair: (AgentId, AgentId), limit: Option<usize>) -> Vec<CommitmentId> {
        let shard = self.crew.shard;
        let mut room = Vec::new();
        let packed = shard.state(state, &mut room);
        let mut promises = self.lowering.promises(pair.0, pair.1, limit);
        promises.retain(|id| shard.layout.commitment(*id).read(packed) == 1);
        promises
    }

    /// The sets of commitments of a pair that are in force in some state of any worker.
    fn sets_in_force(
        &mut self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
    ) -> Result<BTreeSet<Vec<CommitmentId>>, Trouble> {
        let own: BTreeSet<Vec<CommitmentId>> =
            (0..self.crew.shard.len()).map(|state| self.in_force(state, pair, limit)).collect();
        let mut words = Vec::new();
        for set in &own {
            words.push(set.len() as u64);
            words.extend(set.iter().map(|id| id.index() as u64));
        }
        let mut all = BTreeSet::new();
        for told in self.crew.fabric.gather(&words)? {
            let mut rest = told.as_slice();
            while let [length, more @ ..] = rest {
                let (set, others) = more.split_at(*length as usize);
                all.insert(set.iter().map(|id| CommitmentId::from_index(*id as usize)).collect());
                rest = others;
            }
        }
        Ok(all)
    }

    /// Where `SC(debtor, creditor, body)` holds: where no accessible path falsifies the body. What is in force is read where the formula
    /// stands, the contents along the path.
    ///
    /// # Errors
    ///
    /// As for evaluating.
    pub(crate) fn committed(
        &mut self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
        body: PathFormula,
    ) -> Result<Vec<bool>, Trouble> {
        let mut formulas = BTreeMap::new();
        for set in self.sets_in_force(pair, limit)? {
            let kept: Vec<PathFormula> = set.iter().map(|id| self.lowering.content(*id)).collect();
            let broken = self.lowering.broken(pair.0, pair.1, kept, body);
            let over = self.lowering.paths_of_commitments();
            let formula = self.lowering.arena.exists(broken, over);
            self.evaluate(formula)?;
            formulas.insert(set, formula);
        }
        let broken = |state: u32| self.truth[&formulas[&self.in_force(state, pair, limit)]][state as usize];
        Ok((0..self.crew.shard.len()).map(|state| !broken(state)).collect())
    }
}
