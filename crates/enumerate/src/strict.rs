//! CTL operators in the strict reading of deadlocks: fixpoints over the transition relation as it is.

use servanda_lower::{Core, CoreId};

use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// `E ψ` where ψ is one CTL operator over state formulas; `None` where it is not.
    pub(crate) fn strict_ctl(&self, psi: CoreId) -> Option<Vec<bool>> {
        let arena = &self.lowering.arena;
        let set = |id: &CoreId| arena.is_state(*id).then(|| &self.truth[id]);
        match arena.node(psi) {
            Core::Next(a) => Some(self.some_successor(set(a)?)),
            Core::Until(a, b) => {
                let (a, b) = (set(a)?, set(b)?);
                Some(self.fixpoint(b.clone(), |node, next| b[node] || (a[node] && next)))
            }
            Core::Not(inner) => match arena.node(*inner) {
                // E !X a
                Core::Next(a) => {
                    let not_a: Vec<bool> = set(a)?.iter().map(|value| !value).collect();
                    Some(self.some_successor(&not_a))
                }
                // E !(a U b): the greatest set of states outside of b that are outside of a or can stay in the set
                Core::Until(a, b) => {
                    let (a, b) = (set(a)?, set(b)?);
                    let all = vec![true; self.graph.nodes()];
                    Some(self.fixpoint(all, |node, next| !b[node] && (!a[node] || next)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `EX`: some real successor is in the set.
    pub(crate) fn some_successor(&self, set: &[bool]) -> Vec<bool> {
        (0..self.graph.nodes())
            .map(|node| self.graph.edges(node).any(|edge| set[self.graph.target[edge]]))
            .collect()
    }

    /// Repeats `Z := rule(node, EX Z)` until nothing changes.
    fn fixpoint(&self, start: Vec<bool>, rule: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut set = start;
        loop {
            let next = self.some_successor(&set);
            let again: Vec<bool> = (0..set.len()).map(|node| rule(node, next[node])).collect();
            if again == set {
                return set;
            }
            set = again;
        }
    }
}
