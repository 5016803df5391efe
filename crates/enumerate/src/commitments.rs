//! Commitments in force, the paths accessible under them, and those that nobody can keep.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::Unkeepable;
use servanda_lower::{CoreFormula, PathFormula, StateFormula};
use servanda_model::{AgentId, CommitmentId};

use crate::Halt;
use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// The commitments of a pair in force in a state, those of at least the depth `limit` left out.
    fn in_force(&self, state: u32, pair: (AgentId, AgentId), limit: Option<usize>) -> Vec<CommitmentId> {
        let packed = self.space.state(state);
        self.space
            .model
            .commitments()
            .filter(|(_, promise)| (promise.debtor, promise.creditor) == pair)
            .filter(|(id, _)| limit.is_none_or(|limit| self.lowering.depth(*id) < limit))
            .filter(|(id, _)| self.space.layout.commitment(*id).read(packed) == 1)
            .map(|(id, _)| id)
            .collect()
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

    /// The sets of commitments of a pair that are in force somewhere in the graph.
    fn sets_in_force(&self, pair: (AgentId, AgentId), limit: Option<usize>) -> BTreeSet<Vec<CommitmentId>> {
        let states: BTreeSet<u32> = self.graph.state.iter().copied().collect();
        states.into_iter().map(|state| self.in_force(state, pair, limit)).collect()
    }

    /// Where `E` (the path is accessible and satisfies the claim) holds. What is in force is read where the formula stands, the
    /// contents along the path.
    fn accessible(
        &mut self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
        claim: PathFormula,
    ) -> Result<Vec<bool>, Halt> {
        let mut formulas = BTreeMap::new();
        for set in self.sets_in_force(pair, limit) {
            let formula = self.accessible_with(pair, &set, claim);
            self.evaluate(formula)?;
            formulas.insert(set, formula);
        }
        let holds =
            |(node, state): (usize, &u32)| self.truth[&formulas[&self.in_force(*state, pair, limit)]][node];
        Ok(self.graph.state.iter().enumerate().map(holds).collect())
    }

    /// Where `SC(debtor, creditor, body)` holds: where no accessible path falsifies the body.
    pub(crate) fn committed(
        &mut self,
        debtor: AgentId,
        creditor: AgentId,
        limit: Option<usize>,
        body: PathFormula,
    ) -> Result<Vec<bool>, Halt> {
        let not_body = self.lowering.arena.not(body);
        let broken = self.accessible((debtor, creditor), limit, not_body)?;
        Ok(broken.into_iter().map(|broken| !broken).collect())
    }

    /// Where some path is accessible to the debtor towards the creditor.
    pub(crate) fn some_path_accessible(&mut self, pair: (AgentId, AgentId)) -> Result<Vec<bool>, Halt> {
        self.accessible(pair, None, PathFormula::TRUE)
    }

    /// All promises that no run can keep, by pair and by what is in force.
    pub(crate) fn unkeepable(&mut self) -> Result<Vec<Unkeepable>, Halt> {
        let mut found = Vec::new();
        for pair in self.space.model.committed_pairs() {
            let keepable = self.some_path_accessible(pair)?;
            let mut states: BTreeMap<Vec<CommitmentId>, BTreeSet<u32>> = BTreeMap::new();
            for (node, state) in self.graph.state.iter().enumerate() {
                let set = self.in_force(*state, pair, None);
                if self.graph.on_run[node] && !keepable[node] {
                    states.entry(set).or_default().insert(*state);
                }
            }
            found.extend(self.space.unkeepable(pair, states));
        }
        Ok(found)
    }

    /// The commitments of a pair in force in a state, for people.
    pub(crate) fn show_in_force(&self, state: u32, pair: (AgentId, AgentId)) -> Vec<String> {
        let model = self.space.model;
        let in_force = self.in_force(state, pair, None);
        in_force.iter().map(|id| model.show_promise(model.commitment(*id))).collect()
    }
}
