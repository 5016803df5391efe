//! What a commitment comes down to in a state: a formula about the paths on which all that is in force is kept.

use servanda_engine::Deadlock;
use servanda_lower::CoreId;
use servanda_model::{AgentId, CommitmentId};

use crate::evaluate::Evaluation;

impl Evaluation<'_> {
    /// The commitments of a pair that can be in force and count inside a content of this depth.
    pub(crate) fn promises(&self, pair: (AgentId, AgentId), limit: Option<usize>) -> Vec<CommitmentId> {
        self.space
            .model
            .commitments()
            .filter(|(_, promise)| (promise.debtor, promise.creditor) == pair)
            .filter(|(id, _)| limit.is_none_or(|limit| self.lowering.depth(*id) < limit))
            .map(|(id, _)| id)
            .collect()
    }

    /// The path formula "accessible, and the body fails" for what is in force at a node. The bits are read here and now,
    /// so what is not in force does not enter the formula. `committed` is the `SC` formula with its body.
    pub(crate) fn broken(
        &mut self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
        committed: (CoreId, CoreId),
        layer: usize,
        node: u32,
    ) -> CoreId {
        let state = self.projected(layer, node, 0);
        let mut in_force = self.promises(pair, limit);
        in_force.retain(|id| self.space.layout.commitment(*id).read(self.space.state(state)) == 1);
        let key = (committed.0, in_force);
        if let Some(&known) = self.committed.get(&key) {
            return known;
        }
        let mut all = self.lowering.access(pair.0, pair.1);
        if self.options.deadlock == Deadlock::Strict {
            // Commitments speak of infinite paths, also where what they claim looks like a CTL operator.
            let goes_on = self.lowering.arena.goes_on();
            all = self.lowering.arena.and(all, goes_on);
        }
        for id in &key.1 {
            let content = self.lowering.content(*id);
            all = self.lowering.arena.and(all, content);
        }
        let fails = self.lowering.arena.not(committed.1);
        all = self.lowering.arena.and(all, fails);
        self.committed.insert(key, all);
        all
    }
}
