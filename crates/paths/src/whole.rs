//! A path formula as a finite automaton, for those who keep sets of states in a way of their own.
//!
//! [`PathAutomaton`] is an [`Automaton`] made as a whole: who looks for a path with it finds the same paths, of the same lengths, with
//! the same demands on their positions.

use rustc_hash::FxHashSet;
use servanda_engine::Halt;
use servanda_lower::{Arena, Path, PathFormula};

use crate::automaton::{Automaton, Edge, LabelLiteral, Literal, Obligations, Signed};

/// Automata with more states than this are not made as a whole.
const MOST_STATES: usize = 1 << 10;

/// A way to meet what is demanded at one position.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What must hold here.
    pub here: Vec<Literal>,
    /// What the step must match, or must not match: nodes of the kinds `Does` and `Acts`.
    pub label: Vec<(Path, bool)>,
    /// What is demanded of the next position.
    pub next: usize,
    /// One bit for every until that is put off.
    pub postponed: u64,
}

/// All that can be demanded of the rest of a path.
#[derive(Clone, Debug)]
pub struct PathAutomaton {
    transitions: Vec<Vec<Transition>>,
    satisfied: Vec<bool>,
}

impl PathAutomaton {
    /// What is demanded at the first position.
    pub const START: usize = 0;

    /// The automaton of a path formula that does not look back.
    pub fn new(arena: &Arena, psi: PathFormula) -> Result<Self, Halt> {
        if arena.looks_back(psi) {
            return Err(Halt::TooLarge("the formula looks back".to_owned()));
        }
        let mut automaton = Automaton::default();
        automaton.state(Obligations { formulas: obligations(arena, psi), memory: 0 });
        let mut transitions = Vec::new();
        while transitions.len() < automaton.states().len() {
            if transitions.len() == MOST_STATES {
                return Err(Halt::TooLarge("the automaton of a path formula is too large".to_owned()));
            }
            let state = transitions.len() as u32;
            automaton.make_edges(arena, state)?;
            let edges = automaton.made_edges(state).iter();
            transitions.push(edges.map(|edge| transition(&automaton, edge)).collect());
        }
        let satisfied = automaton.states().map(|state| automaton.is_satisfied(state)).collect();
        Ok(PathAutomaton { transitions, satisfied })
    }

    /// The different things that can be demanded of the rest of a path.
    pub fn demands(&self) -> std::ops::Range<usize> {
        0..self.transitions.len()
    }

    /// The ways to meet what is demanded.
    pub fn of(&self, demanded: usize) -> &[Transition] {
        &self.transitions[demanded]
    }

    /// Is nothing demanded?
    pub fn is_satisfied(&self, demanded: usize) -> bool {
        self.satisfied[demanded]
    }
}

fn transition(automaton: &Automaton, edge: &Edge) -> Transition {
    let condition = edge.label.map_or(&[][..], |number| automaton.condition(number));
    let label = condition.iter().map(|(literal, sign)| {
        let atom = match *literal {
            LabelLiteral::Does(set) => Path::Does(set),
            LabelLiteral::Acts(agent, action) => Path::Acts { agent, action },
        };
        (atom, *sign)
    });
    let label = label.collect();
    Transition { here: edge.here.to_vec(), label, next: edge.next as usize, postponed: edge.postponed }
}

/// A path formula as obligations in the form in which steps leave them behind, so that a path can come back to where it began.
pub fn obligations(arena: &Arena, psi: PathFormula) -> Vec<Signed> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![(psi, true)];
    while let Some((id, sign)) = todo.pop() {
        if !seen.insert((id, sign)) {
            continue;
        }
        match *arena.path(id) {
            Path::Not(a) => todo.push((a, !sign)),
            Path::And(a, b) if sign => todo.extend([(a, sign), (b, sign)]),
            Path::Or(a, b) if !sign => todo.extend([(a, sign), (b, sign)]),
            Path::State(_)
            | Path::Does(_)
            | Path::Acts { .. }
            | Path::And(..)
            | Path::Or(..)
            | Path::Next(_)
            | Path::Until(..)
            | Path::Previous(_)
            | Path::Since(..) => found.push((id, sign)),
        }
    }
    found
}
