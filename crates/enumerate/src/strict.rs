//! CTL operators in the strict reading of deadlocks: fixpoints over the transition relation as it is.

use servanda_lower::Ctl;

use crate::Halt;
use crate::evaluate::{Evaluation, fixpoint};

impl Evaluation<'_, '_> {
    /// `E ψ` where ψ is this operator.
    pub(crate) fn strict_ctl(&mut self, operator: Ctl) -> Result<Vec<bool>, Halt> {
        match operator {
            Ctl::Next(a) => {
                self.evaluate(a)?;
                Ok(self.some_successor(&self.truth[&a]))
            }
            Ctl::Until(a, b) => {
                self.evaluate(a)?;
                self.evaluate(b)?;
                let (a, b) = (&self.truth[&a], &self.truth[&b]);
                Ok(fixpoint(b, |set| self.some_successor(set), |node, next| b[node] || (a[node] && next)))
            }
            // The greatest set of states in b that are in a or can stay in the set.
            Ctl::Release(a, b) => {
                self.evaluate(a)?;
                self.evaluate(b)?;
                let (a, b) = (&self.truth[&a], &self.truth[&b]);
                let all = vec![true; self.graph.nodes()];
                Ok(fixpoint(&all, |set| self.some_successor(set), |node, next| b[node] && (a[node] || next)))
            }
        }
    }

    /// `EX`: some real successor is in the set.
    fn some_successor(&self, set: &[bool]) -> Vec<bool> {
        (0..self.graph.nodes())
            .map(|node| self.graph.edges(node).any(|edge| set[self.graph.target[edge]]))
            .collect()
    }
}
