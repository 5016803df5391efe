//! Commitments in force, and the paths accessible under them.

use std::collections::{BTreeMap, BTreeSet};

use servanda_lower::{PathFormula, StateFormula};
use servanda_model::{AgentId, CommitmentId};

use crate::board::Trouble;
use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// The commitments of a pair in force in a state, those of at least the depth `limit` left out.
    fn in_force(&self, state: u32, pair: (AgentId, AgentId), limit: Option<usize>) -> Vec<CommitmentId> {
        let shard = self.crew.shard;
        let packed = shard.state(state);
        let of_pair = shard.model.commitments();
        let of_pair = of_pair.filter(|(_, promise)| (promise.debtor, promise.creditor) == pair);
        of_pair
            .filter(|(id, _)| limit.is_none_or(|limit| self.lowering.depth(*id) < limit))
            .filter(|(id, _)| shard.layout.commitment(*id).read(packed) == 1)
            .map(|(id, _)| id)
            .collect()
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
        let claim = self.lowering.arena.not(body);
        let mut formulas = BTreeMap::new();
        for set in self.sets_in_force(pair, limit)? {
            let formula = self.accessible_with(pair, &set, claim);
            self.evaluate(formula)?;
            formulas.insert(set, formula);
        }
        let broken = |state: u32| self.truth[&formulas[&self.in_force(state, pair, limit)]][state as usize];
        Ok((0..self.crew.shard.len()).map(|state| !broken(state)).collect())
    }

    /// "The path is accessible and satisfies `claim`", for a given set of commitments in force.
    fn accessible_with(
        &mut self,
        pair: (AgentId, AgentId),
        in_force: &[CommitmentId],
        claim: PathFormula,
    ) -> StateFormula {
        let mut all = self.lowering.access(pair.0, pair.1);
        for id in in_force {
            let content = self.lowering.content(*id);
            all = self.lowering.arena.and(all, content);
        }
        all = self.lowering.arena.and(all, claim);
        let over = self.lowering.paths_of_commitments();
        self.lowering.arena.exists(all, over)
    }
}
