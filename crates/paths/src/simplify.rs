//! Smaller automata for the same paths.

use servanda_engine::Halt;
use servanda_lower::Arena;

use crate::automaton::{Automaton, Edge};

/// Automata with more states than this are made as they are needed, and stay as they are.
const MOST_SIMPLIFIED: u32 = 512;

/// An automaton with all its states made, of which equivalent ones were made one.
pub struct Simplified {
    /// The state that a state became.
    class: Vec<u32>,
    edges: Vec<Box<[Edge]>>,
    /// Is nothing demanded there?
    satisfied: Vec<bool>,
    terminal: bool,
}

impl Simplified {
    /// Makes all states that can be reached from those there are; `None` where there are too many.
    pub fn new(automaton: &mut Automaton, arena: &Arena) -> Result<Option<Self>, Halt> {
        if !automaton.make_all(arena, MOST_SIMPLIFIED + 1)? {
            return Ok(None);
        }
        let class = bisimulation(automaton);
        let mut edges: Vec<Box<[Edge]>> =
            vec![Box::default(); class.iter().max().map_or(0, |m| *m as usize + 1)];
        for state in automaton.states() {
            let own = &mut edges[class[state as usize] as usize];
            if own.is_empty() {
                let mut kept: Vec<Edge> = Vec::new();
                for edge in automaton.made_edges(state) {
                    let edge = Edge { next: class[edge.next as usize], ..edge.clone() };
                    if !kept.contains(&edge) {
                        kept.push(edge);
                    }
                }
                *own = kept.into();
            }
        }
        drop_dead_ends(&mut edges);
        let mut satisfied = vec![false; edges.len()];
        for state in automaton.states() {
            satisfied[class[state as usize] as usize] |= automaton.is_satisfied(state);
        }
        let terminal = is_terminal(&edges, &satisfied);
        Ok(Some(Simplified { class, edges, satisfied, terminal }))
    }

    /// What a state became.
    pub fn class(&self, state: u32) -> u32 {
        self.class[state as usize]
    }

    /// The edges of a state of this automaton.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// Is nothing demanded in this state?
    pub fn is_satisfied(&self, state: u32) -> bool {
        self.satisfied[state as usize]
    }

    /// Is a path accepted exactly when its automaton comes to where nothing more is demanded?
    pub fn is_terminal(&self) -> bool {
        self.terminal
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

/// Does every cycle outside of the satisfied states put off some until all the way round?
fn is_terminal(edges: &[Box<[Edge]>], satisfied: &[bool]) -> bool {
    let next = |state: usize, at: usize| edges[state].get(at).map(|edge| edge.next as usize);
    let component = servanda_graph::components(edges.len(), next).of;
    // By component what every step inside it puts off; all where there is none.
    let mut put_off = vec![u64::MAX; edges.len()];
    for (state, edges) in edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| component[edge.next as usize] == component[state]) {
            put_off[component[state]] &= edge.postponed;
        }
    }
    (0..edges.len()).all(|state| satisfied[state] || put_off[component[state]] != 0)
}
