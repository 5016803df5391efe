//! A transition system over inputs of a graph: the model's own, or one with further bits.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph, System};

/// States, choices, and where a choice leads.
#[derive(Clone)]
pub struct Machine {
    /// The bits of a state: inputs.
    pub state: Vec<Edge>,
    /// What is chosen in a step: inputs.
    pub choices: Vec<Edge>,
    /// The next state; over state and choices.
    pub next: Vec<Edge>,
    /// The choices are a step.
    pub valid: Edge,
}

impl Machine {
    pub(crate) fn of(system: &System<'_>) -> Self {
        Machine {
            state: system.encoding.state.clone(),
            choices: system.choices.clone(),
            next: system.next.clone(),
            valid: system.valid,
        }
    }

    /// A set of states, said of the next state.
    pub(crate) fn at_next(&self, graph: &mut Graph, set: Edge) -> Edge {
        let map: FxHashMap<usize, Edge> =
            self.state.iter().map(|bit| bit.node()).zip(self.next.iter().copied()).collect();
        graph.substitute(&[set], &map)[0]
    }

    /// The state that a step leads to, if it is one.
    pub(crate) fn step(&self, graph: &Graph, state: &[bool], choices: &[bool]) -> Option<Vec<bool>> {
        let bits = self.state.iter().zip(state).chain(self.choices.iter().zip(choices));
        let inputs = bits.map(|(edge, value)| (edge.node(), *value)).collect();
        let mut roots = self.next.clone();
        roots.push(self.valid);
        let mut values = graph.values(&roots, &inputs);
        values.pop().filter(|valid| *valid).map(|_| values)
    }

    /// Does a state belong to a set?
    pub(crate) fn contains(&self, graph: &Graph, set: Edge, state: &[bool]) -> bool {
        let inputs = self.state.iter().map(|bit| bit.node()).zip(state.iter().copied()).collect();
        graph.values(&[set], &inputs)[0]
    }
}
