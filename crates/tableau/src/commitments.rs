//! What a commitment comes down to in a state: a formula about the paths on which all that is in force is kept.

use servanda_lower::{PathFormula, StateFormula};
use servanda_model::AgentId;

use crate::evaluate::Evaluation;
use crate::layers::Node;

impl Evaluation<'_> {
    /// The path formula "accessible, and the body fails" for what is in force at a node. The bits are read here and now,
    /// so what is not in force does not enter the formula. `committed` is the `SC` formula with its body.
    pub(crate) fn broken(
        &mut self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
        committed: (StateFormula, PathFormula),
        at: Node,
    ) -> PathFormula {
        let state = self.projected(at, 0);
        let mut in_force = self.lowering.promises(pair.0, pair.1, limit);
        in_force.retain(|id| self.space.layout.commitment(*id).read(self.space.state(state)) == 1);
        let key = (committed.0, in_force);
        if let Some(&known) = self.committed.get(&key) {
            return known;
        }
        let kept: Vec<PathFormula> = key.1.iter().map(|id| self.lowering.content(*id)).collect();
        let all = self.lowering.broken(pair.0, pair.1, kept, committed.1);
        self.committed.insert(key, all);
        all
    }
}
