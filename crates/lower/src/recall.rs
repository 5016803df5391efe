//! Which formulas depend on what agents remember.

use rustc_hash::FxHashSet;
use servanda_model::AgentId;

use crate::{Lowering, PathFormula, Relation, State, StateFormula};

impl Lowering<'_> {
    /// Can what agents remember make a difference to a state formula? It can where the formula refers to knowledge; and everywhere if a
    /// fairness constraint does.
    pub fn needs_recall(&self, id: StateFormula) -> bool {
        self.speaks_of_knowledge(&[id]) || self.speaks_of_knowledge(self.fairness())
    }

    /// Does some of these formulas refer to what somebody knows, itself or in the content of a commitment? `O` does not: it refers to all
    /// points.
    pub fn speaks_of_knowledge(&self, formulas: &[StateFormula]) -> bool {
        let mut todo = formulas.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match *self.arena.state(id) {
                State::Knows { ref relation, .. } if *relation != Relation::Everywhere => return true,
                State::Committed { debtor, creditor, limit, .. } => {
                    todo.extend(self.arena.state_parts_of(&self.contents_of((debtor, creditor), limit)));
                }
                _ => {}
            }
            todo.extend(self.arena.operands(id));
        }
        false
    }

    /// Does the content of some commitment that can be in force refer to knowledge?
    pub fn promises_knowledge(&self) -> bool {
        let contents: Vec<PathFormula> = self.model.commitments().map(|(id, _)| self.content(id)).collect();
        self.speaks_of_knowledge(&self.arena.state_parts_of(&contents))
    }

    /// The contents of the commitments of a pair that can be in force and nest less deeply than `limit`.
    pub fn contents_of(&self, pair: (AgentId, AgentId), limit: Option<usize>) -> Vec<PathFormula> {
        self.model
            .commitments()
            .filter(|(_, promise)| (promise.debtor, promise.creditor) == pair)
            .filter(|(id, _)| limit.is_none_or(|limit| self.depth(*id) < limit))
            .map(|(id, _)| self.content(id))
            .collect()
    }
}
