//! Path formulas as automata, by tableau rules.
//!
//! A state of an automaton is a set of obligations: path formulas, each with a sign, that the rest of the path must satisfy. The
//! rules take the obligations apart until only state formulas, conditions on the next label and obligations for the next
//! position are left; every way to do so is an edge. All obligations take the step together.
//!
//! | obligation | edges |
//! |---|---|
//! | `a & b`, `!(a \| b)` | both |
//! | `a \| b`, `!(a & b)` | one for each |
//! | `X a`, `!X a` | `a`, `!a` of the next position |
//! | `a U b` | `b` now; or `a` now and `a U b` next, which postpones it |
//! | `!(a U b)` | `!b` and `!a` now; or `!b` now and `!(a U b)` next |
//! | `Y a`, `a S b` | read from the memory of the state: what held one position earlier |
//!
//! An infinite path is accepted when no until is postponed from some position on for ever. A state that remembers the past
//! guesses, for every formula it remembers, whether it holds now; the guess is an obligation like any other.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::{Arena, CoreFormula, LabelSetId, Path, PathFormula, State, StateFormula};
use servanda_model::AgentId;

/// A path formula that must hold, or must fail.
pub(crate) type Signed = (PathFormula, bool);

/// A state formula that must hold, or must fail.
pub type Literal = (StateFormula, bool);

/// The most edges that one state may have, and the most states that an automaton may have.
const MOST_EDGES: usize = 1 << 14;
const MOST_STATES: usize = 1 << 16;

/// The most untils that are told apart; the bits above are for fairness.
const MOST_UNTILS: usize = 48;

/// A condition on the label of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum LabelLiteral {
    /// It is one of these.
    Does(LabelSetId),
    /// In this round the agent takes this action.
    Acts(AgentId, usize),
}

/// A way to meet the obligations of a state for one position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    /// What must hold here.
    pub(crate) here: Box<[Literal]>,
    /// The condition on the label, by number; `None`: there is none.
    pub(crate) label: Option<u32>,
    /// The state for the next position.
    pub(crate) next: u32,
    /// The untils that are put off.
    pub(crate) postponed: u64,
}

/// What the rest of the path must satisfy, and what is remembered: one bit for each remembered formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Obligations {
    pub(crate) formulas: Vec<Signed>,
    pub(crate) memory: u64,
}

/// An automaton whose states are made when they are first asked for.
#[derive(Default)]
pub(crate) struct Automaton {
    states: Vec<Obligations>,
    numbers: FxHashMap<Obligations, u32>,
    edges: Vec<Option<Box<[Edge]>>>,
    conditions: Vec<Vec<(LabelLiteral, bool)>>,
    condition_numbers: FxHashMap<Vec<(LabelLiteral, bool)>, u32>,
    untils: FxHashMap<PathFormula, u32>,
    /// `Y` and `S` formulas; what is remembered of one is its operand, or itself.
    remembered: Vec<PathFormula>,
}

/// One way through the rules, not yet at its end.
#[derive(Clone, Default)]
struct Branch {
    todo: Vec<Signed>,
    done: Vec<Signed>,
    here: Vec<Literal>,
    label: Vec<(LabelLiteral, bool)>,
    next: Vec<Signed>,
    postponed: u64,
    memory: u64,
    guessed: usize,
}

impl Branch {
    /// Demands something of the present state; says whether that can be.
    fn demand(&mut self, arena: &Arena, (state, sign): Literal) -> bool {
        let bare = |(id, sign): Literal| match *arena.state(id) {
            State::Not(inner) => (inner, !sign),
            _ => (id, sign),
        };
        let (inner, holds) = bare((state, sign));
        if inner == StateFormula::TRUE {
            return holds;
        }
        self.here.push((state, sign));
        !self.here.iter().any(|other| bare(*other) == (inner, !holds))
    }
}

impl Automaton {
    /// An automaton that remembers these past formulas.
    pub(crate) fn remembering(remembered: Vec<PathFormula>) -> Result<Self, Halt> {
        if remembered.len() > 64 {
            return Err(Halt::TooLarge("more than 64 past operators in one formula".to_owned()));
        }
        Ok(Automaton { remembered, ..Automaton::default() })
    }

    /// The number of a state, which is added if it is new.
    pub(crate) fn state(&mut self, mut obligations: Obligations) -> u32 {
        obligations.formulas.sort_unstable();
        obligations.formulas.dedup();
        if let Some(&number) = self.numbers.get(&obligations) {
            return number;
        }
        let number = self.states.len() as u32;
        self.states.push(obligations.clone());
        self.numbers.insert(obligations, number);
        self.edges.push(None);
        number
    }

    /// The obligations of a state.
    pub(crate) fn obligations(&self, state: u32) -> &Obligations {
        &self.states[state as usize]
    }

    /// Is nothing demanded of the rest of the path?
    pub(crate) fn is_satisfied(&self, state: u32) -> bool {
        self.states[state as usize].formulas.is_empty()
    }

    /// The number of states so far.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// A condition on labels.
    pub(crate) fn condition(&self, number: u32) -> &[(LabelLiteral, bool)] {
        &self.conditions[number as usize]
    }

    /// The edges of a state, if they have been made.
    pub(crate) fn made_edges(&self, state: u32) -> &[Edge] {
        self.edges[state as usize].as_deref().unwrap_or(&[])
    }

    /// Makes the edges of a state unless they are there.
    pub(crate) fn make_edges(&mut self, arena: &Arena, state: u32) -> Result<(), Halt> {
        if self.edges[state as usize].is_none() {
            let edges = self.expand(arena, state)?;
            self.edges[state as usize] = Some(edges.into_boxed_slice());
        }
        Ok(())
    }

    fn expand(&mut self, arena: &Arena, state: u32) -> Result<Vec<Edge>, Halt> {
        let Obligations { formulas, memory } = self.states[state as usize].clone();
        let mut branches = vec![Branch { todo: formulas, ..Branch::default() }];
        let mut edges: Vec<Edge> = Vec::new();
        while let Some(mut branch) = branches.pop() {
            match branch.todo.pop() {
                Some(signed) => self.apply(arena, signed, memory, branch, &mut branches)?,
                None if branch.guessed < self.remembered.len() => {
                    // Whether a remembered formula holds now is guessed, and the guess is an obligation.
                    let bit = branch.guessed;
                    let formula = arena.remembered_of(self.remembered[bit]);
                    branch.guessed += 1;
                    let mut other = branch.clone();
                    other.todo.push((formula, false));
                    branch.todo.push((formula, true));
                    branch.memory |= 1 << bit;
                    branches.push(other);
                    branches.push(branch);
                }
                None => {
                    let edge = self.edge(branch);
                    if !edges.iter().any(|other| other.covers(&edge)) {
                        edges.retain(|other| !edge.covers(other));
                        edges.push(edge);
                    }
                }
            }
            if branches.len() + edges.len() > MOST_EDGES || self.states.len() > MOST_STATES {
                return Err(Halt::TooLarge("the automaton of a path formula is too large".to_owned()));
            }
        }
        // The search takes the last first; what was written first is tried first.
        edges.reverse();
        Ok(edges)
    }

    /// Takes one obligation apart.
    fn apply(
        &mut self,
        arena: &Arena,
        signed: Signed,
        memory: u64,
        mut branch: Branch,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Halt> {
        let (id, sign) = signed;
        if branch.done.contains(&(id, !sign)) {
            return Ok(());
        }
        if branch.done.contains(&signed) {
            branches.push(branch);
            return Ok(());
        }
        branch.done.push(signed);
        let remembers = |this: &Self, id| {
            let bit = this.remembered.iter().position(|other| *other == id);
            bit.is_some_and(|bit| memory >> bit & 1 == 1)
        };
        // Both obligations, on the same way.
        let both = |mut branch: Branch, more: [Signed; 2], branches: &mut Vec<Branch>| {
            branch.todo.extend(more);
            branches.push(branch);
        };
        // One way for each obligation; the first one is tried first.
        let either = |branch: Branch, ways: [Signed; 2], branches: &mut Vec<Branch>| {
            for way in ways.into_iter().rev() {
                let mut branch = branch.clone();
                branch.todo.push(way);
                branches.push(branch);
            }
        };
        match *arena.path(id) {
            Path::State(state) => {
                if branch.demand(arena, (state, sign)) {
                    branches.push(branch);
                }
            }
            Path::Not(a) => {
                branch.todo.push((a, !sign));
                branches.push(branch);
            }
            Path::And(a, b) if sign => both(branch, [(a, true), (b, true)], branches),
            Path::Or(a, b) if !sign => both(branch, [(a, false), (b, false)], branches),
            Path::And(a, b) | Path::Or(a, b) => either(branch, [(a, sign), (b, sign)], branches),
            Path::Does(set) => {
                branch.label.push((LabelLiteral::Does(set), sign));
                branches.push(branch);
            }
            Path::Acts { agent, action } => {
                branch.label.push((LabelLiteral::Acts(agent, action), sign));
                branches.push(branch);
            }
            Path::Next(a) => {
                branch.next.push((a, sign));
                branches.push(branch);
            }
            Path::Until(a, b) if sign => {
                let mut now = branch.clone();
                now.todo.push((b, true));
                branch.todo.push((a, true));
                branch.next.push(signed);
                branch.postponed |= 1 << self.until_bit(id)?;
                branches.push(branch);
                branches.push(now);
            }
            Path::Until(a, b) => {
                branch.todo.push((b, false));
                let mut later = branch.clone();
                later.next.push(signed);
                branch.todo.push((a, false));
                branches.push(later);
                branches.push(branch);
            }
            Path::Previous(_) => {
                if remembers(self, id) == sign {
                    branches.push(branch);
                }
            }
            Path::Since(a, b) => match (sign, remembers(self, id)) {
                (true, true) => either(branch, [(b, true), (a, true)], branches),
                (false, true) => both(branch, [(b, false), (a, false)], branches),
                (_, false) => {
                    branch.todo.push((b, sign));
                    branches.push(branch);
                }
            },
        }
        Ok(())
    }

    fn until_bit(&mut self, until: PathFormula) -> Result<u32, Halt> {
        let fresh = self.untils.len() as u32;
        let bit = *self.untils.entry(until).or_insert(fresh);
        if bit as usize >= MOST_UNTILS {
            return Err(Halt::TooLarge(format!("more than {MOST_UNTILS} untils in one path formula")));
        }
        Ok(bit)
    }

    fn edge(&mut self, mut branch: Branch) -> Edge {
        branch.here.sort_unstable();
        branch.label.sort_unstable();
        branch.label.dedup();
        let label = (!branch.label.is_empty()).then(|| {
            let fresh = self.conditions.len() as u32;
            *self.condition_numbers.entry(branch.label).or_insert_with_key(|condition| {
                self.conditions.push(condition.clone());
                fresh
            })
        });
        let next = self.state(Obligations { formulas: branch.next, memory: branch.memory });
        Edge { here: branch.here.into(), label, next, postponed: branch.postponed }
    }
}

impl Edge {
    /// Is every path through the other edge also one through this one, with no more put off?
    fn covers(&self, other: &Edge) -> bool {
        self.next == other.next
            && (self.label.is_none() || self.label == other.label)
            && self.postponed & !other.postponed == 0
            && self.here.iter().all(|literal| other.here.binary_search(literal).is_ok())
    }
}
