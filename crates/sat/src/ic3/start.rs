//! Initial states: mostly a cube, so that no solver is needed to know whether another one meets it.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph, Node};

use crate::cube::Cube;
use crate::machine::Machine;

/// What is known of initial states without asking.
pub(crate) struct Start {
    /// By position: the value that the bit has in all initial states.
    fixed: Vec<Option<bool>>,
    /// Are all states with these values initial?
    exact: bool,
}

impl Start {
    /// Of states that are not typed nothing is known, so only where initial states are typed whatever their free bits need nobody be asked.
    pub(crate) fn new(graph: &Graph, machine: &Machine, initial: Edge, typed: Edge) -> Self {
        let place: FxHashMap<usize, usize> =
            machine.state.iter().enumerate().map(|(at, bit)| (bit.node(), at)).collect();
        let mut fixed = vec![None; machine.state.len()];
        let (mut todo, mut rest) = (vec![initial], vec![typed]);
        while let Some(edge) = todo.pop() {
            match graph.node(edge.node()) {
                Node::And(a, b) if !edge.is_negated() => todo.extend([a, b]),
                Node::Input if place.contains_key(&edge.node()) => {
                    fixed[place[&edge.node()]] = Some(!edge.is_negated());
                }
                Node::False if edge == Edge::TRUE => {}
                _ => rest.push(edge),
            }
        }
        let known: FxHashMap<usize, bool> = machine
            .state
            .iter()
            .zip(&fixed)
            .filter_map(|(bit, value)| value.map(|value| (bit.node(), value)))
            .collect();
        let exact = graph.ternary(&rest, &known).into_iter().all(|value| value == Some(true));
        Start { fixed, exact }
    }

    /// By position: the value that the bit has in all initial states, if it has one there.
    pub(crate) fn fixed(&self) -> &[Option<bool>] {
        &self.fixed
    }

    /// No initial state is in the cube, as the bits alone show.
    pub(super) fn excludes(&self, cube: &Cube) -> bool {
        cube.iter().any(|bit| self.tells_apart(bit))
    }

    /// No initial state has this bit.
    pub(super) fn tells_apart(&self, (at, value): &(usize, bool)) -> bool {
        self.fixed[*at].is_some_and(|fixed| fixed != *value)
    }

    /// An initial state in a cube that is not excluded; `None` where that has to be asked.
    pub(super) fn state_in(&self, cube: &Cube) -> Option<Vec<bool>> {
        self.exact.then(|| {
            let mut state: Vec<bool> = self.fixed.iter().map(|value| value.unwrap_or(false)).collect();
            for (at, value) in cube {
                state[*at] = *value;
            }
            state
        })
    }
}
