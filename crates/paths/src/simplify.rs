//! Smaller automata for the same paths.

use servanda_engine::{Budget, Halt};
use servanda_lower::Arena;

use crate::automaton::{Automaton, Edge, Extent, Obligations};

/// Larger automata are made as they are needed, and stay as they are.
const MOST_SIMPLIFIED: Extent = Extent { states: 513, branches: 1 << 11 };

impl Automaton {
    /// Makes all states that can be reached from those there are, and equivalent ones one. Gives what each state became; `None` where
    /// there are too many, which stay as they are.
    pub fn simplify(&mut self, arena: &Arena, budget: &dyn Budget) -> Result<Option<Vec<u32>>, Halt> {
        if !self.make_all(arena, MOST_SIMPLIFIED, budget)? {
            return Ok(None);
        }
        let class = bisimulation(self);
        let (mut states, mut edges): (Vec<Obligations>, Vec<Box<[Edge]>>) = (Vec::new(), Vec::new());
        for (state, &class_of_state) in self.states().zip(&class) {
            // Classes are numbered in the order of their first states.
            if class_of_state as usize == states.len() {
                let mut kept: Vec<Edge> = Vec::new();
                for edge in self.made_edges(state) {
                    let edge = Edge { next: class[edge.next as usize], ..edge.clone() };
                    if !kept.contains(&edge) {
                        kept.push(edge);
                    }
                }
                edges.push(kept.into());
                states.push(self.obligations(state).clone());
            } else if self.is_satisfied(state) {
                // What demands nothing stands for what comes to the same.
                states[class_of_state as usize] = self.obligations(state).clone();
            }
        }
        drop_dead_ends(&mut edges);
        self.numbers.clear();
        self.states = states;
        self.edges = edges.into_iter().map(Some).collect();
        Ok(Some(class))
    }

    /// Is a path accepted exactly when the automaton, of which all states are made, comes to where nothing more is demanded? Then every
    /// cycle elsewhere puts off some until all the way round.
    pub fn is_terminal(&self) -> bool {
        let next = |state: usize, at: usize| Some(self.made_edges(state as u32).get(at)?.next as usize);
        let component = servanda_graph::components(self.states.len(), next).of;
        // By component what every step inside it puts off; all where there is none.
        let mut put_off = vec![u64::MAX; self.states.len()];
        for state in self.states() {
            let own = component[state as usize];
            for edge in self.made_edges(state).iter().filter(|edge| component[edge.next as usize] == own) {
                put_off[own] &= edge.postponed;
            }
        }
        self.states().all(|state| self.is_satisfied(state) || put_off[component[state as usize]] != 0)
    }
}

/// The coarsest partition in which states of one class have edges to the same classes under the same conditions.
fn bisimulation(automaton: &Automaton) -> Vec<u32> {
    let classes = servanda_graph::indistinguishable(automaton.states().len(), |state, classes| {
        let edges = automaton.made_edges(state as u32).iter();
        let mut signature: Vec<Edge> =
            edges.map(|edge| Edge { next: classes[edge.next as usize] as u32, ..edge.clone() }).collect();
        signature.sort_by(|a, b| {
            (a.next, a.label, a.postponed, &a.here).cmp(&(b.next, b.label, b.postponed, &b.here))
        });
        signature.dedup();
        signature
    });
    classes.into_iter().map(|class| class as u32).collect()
}

/// Leaves out edges into states without edges: no infinite path goes there.
fn drop_dead_ends(edges: &mut [Box<[Edge]>]) {
    loop {
        let dead: Vec<bool> = edges.iter().map(|own| own.is_empty()).collect();
        let mut changed = false;
        for own in edges.iter_mut() {
            if own.iter().any(|edge| dead[edge.next as usize]) {
                *own = own.iter().filter(|edge| !dead[edge.next as usize]).cloned().collect();
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
