//! The edges of an automaton at a position of which it is known what holds there.
//!
//! Whoever searches is asked about the position, one state formula after the other, and then told the edges. Conditions on the state are
//! asked first and all; what takes more to find out, or may have no value, only where the rules get no further without it. What was
//! answered before leads to the same edges without the rules: the answers are a path through a tree, of which each state of the automaton
//! has one for each combination of conditions that was met.

use std::ops::Range;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Arena, CoreFormula, Path, State, StateFormula};

use crate::automaton::{Automaton, Edge};
use crate::expand::Stuck;

/// What has been asked about one position.
#[derive(Default)]
pub struct Position {
    /// How many conditions have been answered, and the answers as bits.
    conditions: usize,
    bits: Vec<u64>,
    /// The place in the tree, and what was answered on the way to it.
    place: Option<u32>,
    answers: Vec<(StateFormula, bool)>,
    /// What is asked.
    asked: Option<StateFormula>,
}

/// What comes next at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// It has to be known whether this holds: see [`Position::answer`].
    Ask(StateFormula),
    /// These are the edges, by their numbers.
    Edges(Range<usize>),
}

impl Position {
    /// Forgets the position, for another one.
    pub fn leave(&mut self) {
        (self.conditions, self.place, self.asked) = (0, None, None);
        self.bits.clear();
        self.answers.clear();
    }

    /// The answer to what was asked last.
    pub fn answer(&mut self, holds: bool) {
        let Some(asked) = self.asked.take() else { return };
        if self.place.is_some() {
            self.answers.push((asked, holds));
            return;
        }
        if self.conditions.is_multiple_of(64) {
            self.bits.push(0);
        }
        if let Some(last) = self.bits.last_mut() {
            *last |= u64::from(holds) << (self.conditions % 64);
        }
        self.conditions += 1;
    }
}

/// A place in a tree of questions.
enum Place {
    /// Nobody has been here.
    Fresh,
    /// Here this is asked, and the answers lead to these places.
    Ask(StateFormula, [u32; 2]),
    /// Everything is known.
    Edges(u32, u32),
}

/// What is asked at a state of the automaton.
struct Questions {
    conditions: Box<[StateFormula]>,
    /// By the answers to these, where the tree begins.
    roots: FxHashMap<Box<[u64]>, u32>,
}

/// All edges for what is known of positions.
#[derive(Default)]
pub(crate) struct Positions {
    states: Vec<Option<Questions>>,
    places: Vec<Place>,
    edges: Vec<Edge>,
}

impl Positions {
    fn fresh(&mut self) -> u32 {
        self.places.push(Place::Fresh);
        self.places.len() as u32 - 1
    }
}

impl Automaton {
    /// An edge that [`Automaton::look`] spoke of.
    pub fn edge_at(&self, number: usize) -> &Edge {
        &self.positions.edges[number]
    }

    /// What comes next for a state at a position. What the edges demand of the position holds there.
    pub fn look(
        &mut self,
        arena: &Arena,
        state: u32,
        position: &mut Position,
        budget: &dyn Budget,
    ) -> Result<Look, Halt> {
        let index = state as usize;
        if self.positions.states.len() <= index {
            self.positions.states.resize_with(index + 1, || None);
        }
        if self.positions.states[index].is_none() {
            let (conditions, roots) = (self.conditions_of(arena, state), FxHashMap::default());
            self.positions.states[index] = Some(Questions { conditions, roots });
        }
        let mut place = match (position.place, &self.positions.states[index]) {
            (Some(place), _) => place,
            (None, Some(questions)) => {
                if let Some(condition) = questions.conditions.get(position.conditions) {
                    position.asked = Some(*condition);
                    return Ok(Look::Ask(*condition));
                }
                match questions.roots.get(&position.bits[..]) {
                    Some(root) => *root,
                    None => self.begin(index, &position.bits),
                }
            }
            (None, None) => return Err(crate::expand::too_large()),
        };
        loop {
            match &mut self.positions.places[place as usize] {
                Place::Edges(start, end) => return Ok(Look::Edges(*start as usize..*end as usize)),
                Place::Ask(asked, after) => {
                    let asked = *asked;
                    let known = position.answers.iter().find(|(id, _)| *id == asked).map(|(_, holds)| *holds);
                    let Some(holds) = known else {
                        (position.asked, position.place) = (Some(asked), Some(place));
                        return Ok(Look::Ask(asked));
                    };
                    let next = after[usize::from(holds)];
                    if next != 0 {
                        place = next;
                        continue;
                    }
                    let next = self.positions.fresh();
                    if let Place::Ask(_, after) = &mut self.positions.places[place as usize] {
                        after[usize::from(holds)] = next;
                    }
                    place = next;
                }
                Place::Fresh => {
                    let made = self.make_place(arena, state, position, budget)?;
                    self.positions.places[place as usize] = made;
                }
            }
        }
    }

    /// A tree for a combination of conditions that has not been met. The place with the number 0 is in no tree.
    fn begin(&mut self, state: usize, bits: &[u64]) -> u32 {
        if self.positions.places.is_empty() {
            self.positions.fresh();
        }
        let root = self.positions.fresh();
        if let Some(questions) = &mut self.positions.states[state] {
            questions.roots.insert(bits.into(), root);
        }
        root
    }

    fn make_place(
        &mut self,
        arena: &Arena,
        state: u32,
        position: &Position,
        budget: &dyn Budget,
    ) -> Result<Place, Halt> {
        let mut answers: FxHashMap<StateFormula, bool> = position.answers.iter().copied().collect();
        if let Some(questions) = &self.positions.states[state as usize] {
            let conditions = questions.conditions.iter().enumerate();
            answers.extend(conditions.map(|(at, id)| (*id, position.bits[at / 64] >> (at % 64) & 1 == 1)));
        }
        match self.edges_where(arena, state, &answers, budget) {
            Err(Stuck::Halt(halt)) => Err(halt),
            Err(Stuck::Ask(asked)) => Ok(Place::Ask(asked, [0; 2])),
            Ok(edges) => {
                let start = self.positions.edges.len() as u32;
                self.positions.edges.extend(edges);
                Ok(Place::Edges(start, self.positions.edges.len() as u32))
            }
        }
    }

    /// The conditions that obligations and what is remembered may ask of a position. What may have no value is not among them.
    fn conditions_of(&self, arena: &Arena, state: u32) -> Box<[StateFormula]> {
        let remembered = self.remembered.iter().map(|operator| arena.remembered_of(*operator));
        let roots = self.states[state as usize].formulas.iter().map(|(id, _)| *id).chain(remembered);
        let (mut seen, mut found) = (rustc_hash::FxHashSet::default(), Vec::new());
        let mut todo: Vec<_> = roots.collect();
        todo.reverse();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match *arena.path(id) {
                Path::State(state) => {
                    let inner = match *arena.state(state) {
                        State::Not(inner) => inner,
                        _ => state,
                    };
                    let is_asked = inner != StateFormula::TRUE
                        && arena.is_condition(inner)
                        && !arena.propositions_in(inner).any(|expr| expr.can_fault());
                    if is_asked && !found.contains(&inner) {
                        found.push(inner);
                    }
                }
                // What comes after the step is not asked here.
                Path::Next(_) | Path::Action(_) | Path::Previous(_) => {}
                Path::Not(a) => todo.push(a),
                Path::And(a, b) | Path::Or(a, b) | Path::Until(a, b) | Path::Since(a, b) => {
                    todo.extend([b, a])
                }
            }
        }
        found.into()
    }
}
