//! Path formulas as automata, made by the tableau rules as far as somebody asks for their states.
//!
//! A state of an automaton is a set of obligations: path formulas, each with a sign, that the rest of the path must satisfy. The
//! rules ([`crate::rules`]) take the obligations apart until only state formulas, conditions on the next label and obligations for
//! the next position are left; every way to do so is an edge. All obligations take the step together. What `Y` and `S` demand is read
//! from the memory of the state: what held one position earlier.
//!
//! An infinite path is accepted when no until is postponed from some position on for ever: acceptance is generalised and stays so. A
//! state that remembers the past guesses, for every formula it remembers, whether it holds now; the guess is an obligation like any
//! other.
//!
//! The edges of a state are made for whatever may hold at a position ([`Automaton::make_edges`]), or for what is known of one
//! ([`Automaton::look`], in [`crate::position`]): the former are exponentially many where many obligations stand beside each other.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{Budget, Halt};
use servanda_lower::{Action, Arena, Path, PathFormula, StateFormula};

use crate::expand::{Expansion, Facts, MOST_UNTILS, Met, Stuck, Untils, too_large};
use crate::position::Positions;

/// A path formula that must hold, or must fail.
pub type Signed = (PathFormula, bool);

/// A state formula that must hold, or must fail.
pub type Literal = (StateFormula, bool);

/// A condition on a step that must hold, or must fail.
pub type StepLiteral = (Action, bool);

/// The most edges that one state may have for whatever holds at a position, and for what is known of one.
const MOST_EDGES: usize = 1 << 12;
const MOST_EDGES_AT: usize = 1 << 14;

/// The most states that an automaton may have.
const MOST_STATES: usize = 1 << 20;

/// Automata with more states than this, or for which more branches are tried, are not made as a whole.
const MOST_WHOLE: Extent = Extent { states: 1 << 10, branches: 1 << 14 };

/// A way to meet the obligations of a state for one position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What must hold here.
    pub here: Box<[Literal]>,
    /// The condition on the label, by number; `None`: there is none.
    pub label: Option<u32>,
    /// The state for the next position.
    pub next: u32,
    /// The untils that are put off.
    pub postponed: u64,
}

/// What the rest of the path must satisfy, and what is remembered: one bit for each remembered formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Obligations {
    /// What the rest of the path must satisfy.
    pub formulas: Vec<Signed>,
    /// What is remembered.
    pub memory: u64,
}

impl Obligations {
    /// In one form for the same obligations, so that a path can come back to where it began: conjunctions taken apart, and without what
    /// others demand anyway. What `G a` demands at the next position is `a`; so `G F a` is the same with and without `F a`.
    pub fn new(arena: &Arena, formulas: Vec<Signed>, memory: u64) -> Self {
        let mut formulas = conjuncts(arena, formulas);
        let released: Vec<Signed> = formulas.iter().filter_map(|signed| released(arena, *signed)).collect();
        if !released.is_empty() {
            let implied = conjuncts(arena, released);
            formulas.retain(|signed| !implied.contains(signed));
        }
        formulas.sort_unstable();
        formulas.dedup();
        Obligations { formulas, memory }
    }
}

/// `b` of `a R b`.
fn released(arena: &Arena, (id, sign): Signed) -> Option<Signed> {
    match *arena.path(id) {
        Path::Until(_, b) if !sign => Some((b, false)),
        _ => None,
    }
}

/// How much of an automaton may be made.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) states: u32,
    pub(crate) branches: usize,
}

/// An automaton whose states are made when they are first asked for.
#[derive(Default)]
pub struct Automaton {
    pub(crate) states: Vec<Obligations>,
    pub(crate) numbers: FxHashMap<Obligations, u32>,
    /// By state its edges for whatever holds, if they have been made.
    pub(crate) edges: Vec<Option<Box<[Edge]>>>,
    /// The edges for what is known of positions.
    pub(crate) positions: Positions,
    conditions: Vec<Vec<StepLiteral>>,
    condition_numbers: FxHashMap<Vec<StepLiteral>, u32>,
    untils: Untils,
    /// `Y` and `S` formulas; what is remembered of one is its operand, or itself.
    pub(crate) remembered: Vec<PathFormula>,
}

impl Automaton {
    /// An automaton that remembers these past formulas.
    pub fn remembering(remembered: Vec<PathFormula>) -> Result<Self, Halt> {
        if remembered.len() > 64 {
            return Err(Halt::TooLarge("more than 64 past operators in one formula".to_owned()));
        }
        Ok(Automaton { remembered, ..Automaton::default() })
    }

    /// The automaton of a path formula that does not look back, with all its states; it begins in the first.
    pub fn whole(arena: &Arena, psi: PathFormula, budget: &dyn Budget) -> Result<Self, Halt> {
        if arena.looks_back(psi) {
            return Err(Halt::TooLarge("the formula looks back".to_owned()));
        }
        let mut automaton = Automaton::default();
        automaton.state(arena, Obligations { formulas: vec![(psi, true)], memory: 0 });
        match automaton.make_all(arena, MOST_WHOLE, budget)? {
            true => Ok(automaton),
            false => Err(too_large()),
        }
    }

    /// Makes the edges of all states; says whether this is within bounds.
    pub(crate) fn make_all(
        &mut self,
        arena: &Arena,
        most: Extent,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let (mut made, mut branches) = (0, 0);
        while self.states().contains(&made) {
            if made == most.states || branches >= most.branches {
                return Ok(false);
            }
            match self.expand(arena, made, Facts::None, most.branches.min(MOST_EDGES), budget) {
                Ok((edges, more)) => {
                    self.edges[made as usize] = Some(edges.into_boxed_slice());
                    branches += more;
                }
                Err(Stuck::Halt(Halt::TooLarge(_)) | Stuck::Ask(_)) => return Ok(false),
                Err(Stuck::Halt(halt)) => return Err(halt),
            }
            made += 1;
        }
        Ok(true)
    }

    /// So many of the highest bits for untils are used by whoever searches the automaton; the bits are those from the answer on.
    pub fn reserve(&mut self, bits: u32) -> u32 {
        self.untils.reserved = bits;
        MOST_UNTILS - bits
    }

    /// The number of a state, which is added if it is new.
    pub fn state(&mut self, arena: &Arena, obligations: Obligations) -> u32 {
        self.intern(Obligations::new(arena, obligations.formulas, obligations.memory))
    }

    fn intern(&mut self, obligations: Obligations) -> u32 {
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
    pub fn obligations(&self, state: u32) -> &Obligations {
        &self.states[state as usize]
    }

    /// Is nothing demanded of the rest of the path?
    pub fn is_satisfied(&self, state: u32) -> bool {
        self.states[state as usize].formulas.is_empty()
    }

    /// The states so far.
    pub fn states(&self) -> std::ops::Range<u32> {
        0..self.states.len() as u32
    }

    /// A condition on labels.
    pub fn condition(&self, number: u32) -> &[StepLiteral] {
        &self.conditions[number as usize]
    }

    /// The edges of a state for whatever holds at a position, if they have been made.
    pub fn made_edges(&self, state: u32) -> &[Edge] {
        self.edges[state as usize].as_deref().unwrap_or(&[])
    }

    /// Makes the edges of a state for whatever holds at a position, unless they are there.
    pub fn make_edges(&mut self, arena: &Arena, state: u32, budget: &dyn Budget) -> Result<(), Halt> {
        if self.edges[state as usize].is_some() {
            return Ok(());
        }
        match self.expand(arena, state, Facts::None, MOST_EDGES, budget) {
            Ok((edges, _)) => self.edges[state as usize] = Some(edges.into_boxed_slice()),
            Err(Stuck::Halt(halt)) => return Err(halt),
            Err(Stuck::Ask(_)) => return Err(too_large()),
        }
        Ok(())
    }

    /// The edges of a state where this is known of the position.
    pub(crate) fn edges_where(
        &mut self,
        arena: &Arena,
        state: u32,
        answers: &FxHashMap<StateFormula, bool>,
        budget: &dyn Budget,
    ) -> Result<Vec<Edge>, Stuck> {
        Ok(self.expand(arena, state, Facts::Answers(answers), MOST_EDGES_AT, budget)?.0)
    }

    fn expand(
        &mut self,
        arena: &Arena,
        state: u32,
        facts: Facts<'_>,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<(Vec<Edge>, usize), Stuck> {
        let Obligations { formulas, memory } = self.states[state as usize].clone();
        let (untils, remembered) = (&mut self.untils, &self.remembered[..]);
        let values = FxHashMap::default();
        let expansion = Expansion { arena, facts, memory, remembered, untils, budget, most, values };
        let (found, branches) = expansion.ways(formulas)?;
        let edges = found.into_iter().map(|met| self.edge(met)).collect();
        if self.states.len() > MOST_STATES {
            return Err(too_large().into());
        }
        Ok((edges, branches))
    }

    fn edge(&mut self, met: Met) -> Edge {
        let label = (!met.label.is_empty()).then(|| {
            let fresh = self.conditions.len() as u32;
            *self.condition_numbers.entry(met.label).or_insert_with_key(|condition| {
                self.conditions.push(condition.clone());
                fresh
            })
        });
        Edge { here: met.here.into(), label, next: self.intern(met.next), postponed: met.postponed }
    }
}

/// Obligations with conjunctions taken apart and negations as signs.
fn conjuncts(arena: &Arena, formulas: Vec<Signed>) -> Vec<Signed> {
    let is_flat = |&(id, sign): &Signed| match arena.path(id) {
        Path::Not(_) => false,
        Path::And(..) => !sign,
        Path::Or(..) => sign,
        _ => true,
    };
    if formulas.iter().all(is_flat) {
        return formulas;
    }
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = formulas;
    while let Some((id, sign)) = todo.pop() {
        if !seen.insert((id, sign)) {
            continue;
        }
        match *arena.path(id) {
            Path::Not(a) => todo.push((a, !sign)),
            Path::And(a, b) if sign => todo.extend([a, b].map(|part| (part, sign))),
            Path::Or(a, b) if !sign => todo.extend([a, b].map(|part| (part, sign))),
            Path::State(_)
            | Path::Action(_)
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

/// A path formula as obligations.
pub fn obligations(arena: &Arena, psi: PathFormula) -> Vec<Signed> {
    conjuncts(arena, vec![(psi, true)])
}
