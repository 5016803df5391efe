//! A path formula as a finite automaton, for those who keep sets of states in a way of their own.
//!
//! [`Rules`] is the automaton of [`crate::Paths`] without the states of a model: who looks for a path with it finds the same paths,
//! of the same lengths, with the same demands on their positions.

use servanda_engine::Halt;
use servanda_lower::{Arena, Path, PathFormula};

use crate::automaton::{Automaton, Edge, LabelLiteral, Literal, Obligations};
use crate::guide::obligations;

/// Automata with more states than this are not made as a whole.
const MOST_STATES: usize = 1 << 10;

/// A way to meet what is demanded at one position.
#[derive(Clone, Debug)]
pub struct Rule {
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
pub struct Rules {
    rules: Vec<Vec<Rule>>,
    satisfied: Vec<bool>,
}

impl Rules {
    /// What is demanded at the first position.
    pub const START: usize = 0;

    /// The automaton of a path formula that does not look back.
    pub fn new(arena: &Arena, psi: PathFormula) -> Result<Self, Halt> {
        if arena.looks_back(psi) {
            return Err(Halt::TooLarge("the formula looks back".to_owned()));
        }
        let mut automaton = Automaton::default();
        automaton.state(Obligations { formulas: obligations(arena, psi), memory: 0 });
        let mut rules = Vec::new();
        while rules.len() < automaton.len() {
            if rules.len() == MOST_STATES {
                return Err(Halt::TooLarge("the automaton of a path formula is too large".to_owned()));
            }
            let state = rules.len() as u32;
            automaton.make_edges(arena, state)?;
            let edges = automaton.made_edges(state).iter();
            rules.push(edges.map(|edge| rule(&automaton, edge)).collect());
        }
        let satisfied = (0..rules.len()).map(|state| automaton.is_satisfied(state as u32)).collect();
        Ok(Rules { rules, satisfied })
    }

    /// How many different things can be demanded of the rest of a path.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Never: there is always what is demanded at the first position.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The ways to meet what is demanded.
    pub fn of(&self, demanded: usize) -> &[Rule] {
        &self.rules[demanded]
    }

    /// Is nothing demanded?
    pub fn is_satisfied(&self, demanded: usize) -> bool {
        self.satisfied[demanded]
    }
}

fn rule(automaton: &Automaton, edge: &Edge) -> Rule {
    let condition = edge.label.map_or(&[][..], |number| automaton.condition(number));
    let label = condition.iter().map(|(literal, sign)| {
        let atom = match *literal {
            LabelLiteral::Does(set) => Path::Does(set),
            LabelLiteral::Acts(agent, action) => Path::Acts { agent, action },
        };
        (atom, *sign)
    });
    let label = label.collect();
    Rule { here: edge.here.to_vec(), label, next: edge.next as usize, postponed: edge.postponed }
}
