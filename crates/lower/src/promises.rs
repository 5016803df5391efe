//! What `SC` comes down to: a formula about the paths on which what is in force is kept (docs/formulas.md section 4).
//!
//! The reference engine and the check of evidence write this out for themselves, so that a mistake made here shows.

use servanda_model::{AgentId, CommitmentId, Expr};

use crate::{CoreFormula, Lowering, PathFormula, StateFormula};

impl Lowering<'_> {
    /// The commitments of a pair that can be in force and count inside a content of this depth.
    pub fn promises(&self, debtor: AgentId, creditor: AgentId, limit: Option<usize>) -> Vec<CommitmentId> {
        let of_pair = self.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == (debtor, creditor));
        of_pair.map(|(id, _)| id).filter(|id| limit.is_none_or(|limit| self.depth(*id) < limit)).collect()
    }

    /// The path formula "accessible, and the body fails", where these path formulas say that what is in force is kept. It is
    /// meant of [`Lowering::paths_of_commitments`].
    pub fn broken(
        &mut self,
        debtor: AgentId,
        creditor: AgentId,
        kept: impl IntoIterator<Item = PathFormula>,
        body: PathFormula,
    ) -> PathFormula {
        let access = self.access(debtor, creditor);
        let accessible = kept.into_iter().fold(access, |all, kept| self.arena.and(all, kept));
        let fails = self.arena.not(body);
        self.arena.and(accessible, fails)
    }

    /// `E` (the path is accessible and the body fails on it), as one formula for all states: what is in force is read where
    /// it stands, the contents along the path.
    pub fn broken_promise(
        &mut self,
        debtor: AgentId,
        creditor: AgentId,
        limit: Option<usize>,
        body: PathFormula,
    ) -> StateFormula {
        let promises = self.promises(debtor, creditor, limit);
        let kept: Vec<PathFormula> = promises
            .into_iter()
            .map(|id| {
                let in_force = self.arena.proposition(Expr::InForce(id)).on_path(&mut self.arena);
                let content = self.content(id);
                self.arena.implies(in_force, content)
            })
            .collect();
        let path = self.broken(debtor, creditor, kept, body);
        self.arena.exists(path, self.paths_of_commitments())
    }
}
