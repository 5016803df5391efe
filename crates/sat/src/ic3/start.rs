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
                    let value = fixed[place[&edge.node()]].get_or_insert(!edge.is_negated());
                    if *value == edge.is_negated() {
                        // Both values at once: nothing is initial, and no cube is all of it.
                        rest.push(edge);
                    }
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

    /// Is every state with the fixed values initial?
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Four bits that stay what they are.
    fn machine(graph: &mut Graph) -> Machine {
        let state: Vec<Edge> = (0..4).map(|_| graph.input()).collect();
        Machine { next: state.clone(), state, choices: Vec::new(), valid: Edge::TRUE }
    }

    #[test]
    fn a_cube_is_known_without_asking() {
        let mut graph = Graph::new();
        let machine = machine(&mut graph);
        let start = Start::new(&graph, &machine, !machine.state[0], Edge::TRUE);
        assert!(start.excludes(&vec![(0, true)]));
        assert_eq!(start.state_in(&vec![(1, true)]), Some(vec![false, true, false, false]));
    }

    #[test]
    fn a_bit_that_would_have_both_values_is_no_initial_state() {
        let mut graph = Graph::new();
        let machine = machine(&mut graph);
        // So far apart that the graph does not see it.
        let all = graph.all(&machine.state);
        let initial = graph.and(all, !machine.state[0]);
        assert_ne!(initial, Edge::FALSE);
        let start = Start::new(&graph, &machine, initial, Edge::TRUE);
        assert_eq!(start.state_in(&vec![(1, true)]), None, "this has to be asked");
    }
}
