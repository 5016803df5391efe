//! `EY` and `EP`: predecessors of states.
//!
//! What stands inside them does not depend on how a state was reached (the lowering step sees to that), so they are computed on
//! states, not on the nodes into which remembered past may have split them.

use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// The states of which the set holds. All nodes of one state agree.
    pub(crate) fn by_state(&self, set: &[bool]) -> Vec<bool> {
        let mut states = vec![false; self.space.len()];
        for (node, state) in self.graph.state.iter().enumerate() {
            states[*state as usize] |= set[node];
        }
        states
    }

    /// The edges between states, implicit loops included.
    fn state_edges(&self) -> Vec<(usize, usize)> {
        let state = |node: usize| self.graph.state[node] as usize;
        let ends = self.graph.source.iter().zip(&self.graph.target);
        let mut edges: Vec<_> = ends.map(|(source, target)| (state(*source), state(*target))).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Some predecessor is in the set.
    pub(crate) fn some_previous(&self, set: &[bool]) -> Vec<bool> {
        let inside = self.by_state(set);
        let mut result = vec![false; self.space.len()];
        for (source, target) in self.state_edges() {
            result[target] |= inside[source];
        }
        self.by_node(&result)
    }

    /// Some state from which this one can be reached, itself included, is in the set.
    pub(crate) fn some_past(&self, set: &[bool]) -> Vec<bool> {
        let mut result = self.by_state(set);
        let edges = self.state_edges();
        loop {
            let mut changed = false;
            for (source, target) in &edges {
                if result[*source] && !result[*target] {
                    result[*target] = true;
                    changed = true;
                }
            }
            if !changed {
                return self.by_node(&result);
            }
        }
    }
}
