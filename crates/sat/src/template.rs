//! The part of a machine that some edges depend on, numbered from 0 on: quick to evaluate, and to build again elsewhere.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph, Node};

use crate::machine::Machine;

/// A node, its inputs by their places.
#[derive(Clone, Copy)]
pub(crate) enum Gate {
    False,
    /// A bit of the state, by its position.
    State(usize),
    /// A choice, by its position.
    Choice(usize),
    And(Pin, Pin),
}

/// A place, and whether it is negated.
#[derive(Clone, Copy)]
pub(crate) struct Pin {
    pub(crate) at: usize,
    pub(crate) negated: bool,
}

/// Gates, inputs before outputs, and where the edges asked for lead.
pub(crate) struct Template {
    pub(crate) gates: Vec<Gate>,
    pub(crate) roots: Vec<Pin>,
}

impl Template {
    pub(crate) fn new(graph: &Graph, machine: &Machine, roots: &[Edge]) -> Self {
        let mut leaves: FxHashMap<usize, Gate> = FxHashMap::default();
        leaves.extend(machine.state.iter().enumerate().map(|(at, bit)| (bit.node(), Gate::State(at))));
        leaves.extend(machine.choices.iter().enumerate().map(|(at, bit)| (bit.node(), Gate::Choice(at))));
        let cone = graph.cone(roots);
        // Nodes are in order, so that their places need no table.
        let pin = |edge: Edge| Pin {
            at: cone.binary_search(&edge.node()).unwrap_or_default(),
            negated: edge.is_negated(),
        };
        let gate = |node: &usize| match graph.node(*node) {
            Node::And(a, b) => Gate::And(pin(a), pin(b)),
            // An input that is neither is never set.
            Node::False | Node::Input => leaves.get(node).copied().unwrap_or(Gate::False),
        };
        let gates = cone.iter().map(gate).collect();
        let roots = roots.iter().map(|root| pin(*root)).collect();
        Template { gates, roots }
    }

    /// The edges asked for, built in another graph over this state and these choices.
    pub(crate) fn build(&self, graph: &mut Graph, state: &[Edge], choices: &[Edge]) -> Vec<Edge> {
        let mut built: Vec<Edge> = Vec::with_capacity(self.gates.len());
        let of = |built: &[Edge], pin: Pin| if pin.negated { !built[pin.at] } else { built[pin.at] };
        for gate in &self.gates {
            built.push(match *gate {
                Gate::False => Edge::FALSE,
                Gate::State(at) => state[at],
                Gate::Choice(at) => choices[at],
                Gate::And(a, b) => graph.and(of(&built, a), of(&built, b)),
            });
        }
        self.roots.iter().map(|root| of(&built, *root)).collect()
    }
}
