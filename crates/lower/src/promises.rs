//! What `SC` comes down to: a formula about the paths on which what is in force is kept (docs/formulas.md section 4).
//!
//! The reference engine and the check of evidence write this out for themselves, so that a mistake made here shows.

use servanda_model::{AgentId, CommitmentId, Expr};

use crate::{CoreId, Lowering, PathFormulas};

impl Lowering<'_> {
    /// The commitments of a pair that can be in force and count inside a content of this depth.
    pub fn promises(&self, debtor: AgentId, creditor: AgentId, limit: Option<usize>) -> Vec<CommitmentId> {
        let of_pair = self.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == (debtor, creditor));
        of_pair.map(|(id, _)| id).filter(|id| limit.is_none_or(|limit| self.depth(*id) < limit)).collect()
    }

    /// The path formula "accessible, and the body fails", where these path formulas say that what is in force is kept.
    pub fn broken(
        &mut self,
        debtor: AgentId,
        creditor: AgentId,
        kept: impl IntoIterator<Item = CoreId>,
        body: CoreId,
    ) -> CoreId {
        let mut path = self.access(debtor, creditor);
        if self.path_formulas == PathFormulas::CtlApart {
            // Commitments speak of infinite paths, also where what they claim looks like a CTL operator.
            let goes_on = self.arena.goes_on();
            path = self.arena.and(path, goes_on);
        }
        for kept in kept {
            path = self.arena.and(path, kept);
        }
        let fails = self.arena.not(body);
        self.arena.and(path, fails)
    }

    /// `E` (the path is accessible and the body fails on it), as one formula for all states: what is in force is read where
    /// it stands, the contents along the path.
    pub fn broken_promise(
        &mut self,
        debtor: AgentId,
        creditor: AgentId,
        limit: Option<usize>,
        body: CoreId,
    ) -> CoreId {
        let promises = self.promises(debtor, creditor, limit);
        let kept: Vec<CoreId> = promises
            .into_iter()
            .map(|id| {
                let (in_force, content) = (self.arena.proposition(Expr::InForce(id)), self.content(id));
                self.arena.implies(in_force, content)
            })
            .collect();
        let path = self.broken(debtor, creditor, kept, body);
        self.arena.exists(path)
    }
}
