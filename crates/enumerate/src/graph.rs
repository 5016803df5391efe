//! Points of runs as a graph.
//!
//! At first a node is a state. Where a formula remembers the past, nodes are split until a node's history decides
//! what was remembered (see [`crate::history`]); a node then still stands for one state, and a state for several nodes.

use servanda_engine::Deadlock;

use servanda_space::Space;

/// The label of an implicit loop: it matches no action.
pub(crate) const NO_LABEL: u32 = u32::MAX;

/// Nodes and edges; the edges of node `n` are `first[n]..first[n + 1]`.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    /// The state a node stands for.
    pub(crate) state: Vec<u32>,
    /// Is it a point of a run? (With `--past all` there are nodes that are not.)
    pub(crate) on_run: Vec<bool>,
    pub(crate) initial: Vec<usize>,
    pub(crate) first: Vec<usize>,
    pub(crate) source: Vec<usize>,
    pub(crate) target: Vec<usize>,
    pub(crate) label: Vec<u32>,
}

impl Graph {
    /// One node per state; deadlocks get their implicit loop unless the reading is strict.
    pub(crate) fn new(space: &Space<'_>, deadlock: Deadlock) -> Self {
        let mut graph = Graph { first: vec![0], ..Graph::default() };
        for index in 0..space.len() {
            let state = index as u32;
            let steps = space.steps(state);
            let mut edges: Vec<(u32, usize)> =
                steps.iter().map(|step| (space.label(step.via), step.target as usize)).collect();
            if edges.is_empty() && deadlock == Deadlock::Loop {
                edges.push((NO_LABEL, index));
            }
            graph.push(state, space.is_reachable(state), edges);
        }
        graph.initial = space.initial().map(|state| state as usize).collect();
        graph
    }

    /// Adds a node with its edges.
    pub(crate) fn push(&mut self, state: u32, on_run: bool, edges: Vec<(u32, usize)>) {
        let node = self.state.len();
        self.state.push(state);
        self.on_run.push(on_run);
        for (label, target) in edges {
            self.source.push(node);
            self.label.push(label);
            self.target.push(target);
        }
        self.first.push(self.target.len());
    }

    pub(crate) fn nodes(&self) -> usize {
        self.state.len()
    }

    /// The edges that leave a node.
    pub(crate) fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node]..self.first[node + 1]
    }

    /// The nodes that a path can start in: initial ones, and those that no run visits.
    pub(crate) fn roots(&self) -> Vec<usize> {
        let strangers = (0..self.nodes()).filter(|node| !self.on_run[*node]);
        self.initial.iter().copied().chain(strangers).collect()
    }

    /// The graph of the nodes for which `keep` holds, and for each of them its old number.
    pub(crate) fn restricted(&self, keep: &[bool]) -> (Graph, Vec<usize>) {
        let old: Vec<usize> = (0..self.nodes()).filter(|node| keep[*node]).collect();
        let mut new = vec![usize::MAX; self.nodes()];
        for (index, node) in old.iter().enumerate() {
            new[*node] = index;
        }
        let mut graph = Graph { first: vec![0], ..Graph::default() };
        for &node in &old {
            let kept = self.edges(node).filter(|edge| keep[self.target[*edge]]);
            let edges = kept.map(|edge| (self.label[edge], new[self.target[edge]])).collect();
            graph.push(self.state[node], self.on_run[node], edges);
        }
        graph.initial = self.initial.iter().filter(|node| keep[**node]).map(|node| new[*node]).collect();
        (graph, old)
    }
}
