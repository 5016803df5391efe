//! Path formulas as automata, made by the tableau rules as far as somebody asks for their states.
//!
//! A state of an automaton is a set of obligations: path formulas, each with a sign, that the rest of the path must satisfy. The
//! rules ([`crate::rules`]) take the obligations apart until only state formulas, conditions on the next label and obligations for
//! the next position are left; every way to do so is an edge. All obligations take the step together. What `Y` and `S` demand is read
//! from the memory of the state: what held one position earlier.
//!
//! An infinite path is accepted when no until is postponed from some position on for ever. A state that remembers the past
//! guesses, for every formula it remembers, whether it holds now; the guess is an obligation like any other.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::Halt;
use servanda_lower::{Action, Arena, CoreFormula, Path, PathFormula, State, StateFormula};

use crate::rules::{Shape, Unfolded, Way};

/// A path formula that must hold, or must fail.
pub type Signed = (PathFormula, bool);

/// A state formula that must hold, or must fail.
pub type Literal = (StateFormula, bool);

/// A condition on a step that must hold, or must fail.
pub type StepLiteral = (Action, bool);

/// The most edges that one state may have, and the most states that an automaton may have.
const MOST_EDGES: usize = 1 << 14;
const MOST_STATES: usize = 1 << 16;

/// Automata with more states than this are not made as a whole.
const MOST_WHOLE: u32 = 1 << 10;

/// The most untils that are told apart; the bits above are for fairness.
const MOST_UNTILS: usize = 48;

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

/// An automaton whose states are made when they are first asked for.
#[derive(Default)]
pub struct Automaton {
    pub(crate) states: Vec<Obligations>,
    pub(crate) numbers: FxHashMap<Obligations, u32>,
    pub(crate) edges: Vec<Option<Box<[Edge]>>>,
    conditions: Vec<Vec<StepLiteral>>,
    condition_numbers: FxHashMap<Vec<StepLiteral>, u32>,
    untils: FxHashMap<PathFormula, u32>,
    /// `Y` and `S` formulas; what is remembered of one is its operand, or itself.
    remembered: Vec<PathFormula>,
}

fn too_large() -> Halt {
    Halt::TooLarge("the automaton of a path formula is too large".to_owned())
}

/// One way through the rules, not yet at its end.
#[derive(Clone, Default)]
struct Branch {
    todo: Vec<Signed>,
    done: Vec<Signed>,
    here: Vec<Literal>,
    label: Vec<StepLiteral>,
    next: Vec<Signed>,
    postponed: u64,
    memory: u64,
    guessed: usize,
}

/// What one obligation comes to at a position.
enum Demand {
    /// Something of the state.
    State(Literal),
    /// Something of the step.
    Step(StepLiteral),
    /// Something of the next position.
    Next(Signed),
    /// This instead.
    Same(Signed),
    /// It is settled by what is remembered.
    Settled(bool),
    /// What the rules leave of it.
    Unfold(Shape<Signed>),
}

/// A literal of a formula that is no negation.
fn bare(arena: &Arena, (id, sign): Literal) -> Literal {
    match *arena.state(id) {
        State::Not(inner) => (inner, !sign),
        _ => (id, sign),
    }
}

impl Branch {
    /// Demands something of the present state; says whether that can be.
    fn demand(&mut self, arena: &Arena, literal: Literal) -> bool {
        let (inner, holds) = bare(arena, literal);
        if inner == StateFormula::TRUE {
            return holds;
        }
        if !self.here.contains(&literal) {
            self.here.push(literal);
        }
        !self.here.iter().any(|other| bare(arena, *other) == (inner, !holds))
    }

    /// Does something that is demanded already contradict this?
    fn contradicts(&self, arena: &Arena, (id, sign): Signed) -> bool {
        match *arena.path(id) {
            Path::Not(inner) => self.contradicts(arena, (inner, !sign)),
            Path::State(state) => {
                let (inner, holds) = bare(arena, (state, sign));
                let opposite = (inner, !holds);
                (inner == StateFormula::TRUE && !holds)
                    || self.here.iter().any(|other| bare(arena, *other) == opposite)
            }
            _ => self.done.contains(&(id, !sign)) || self.todo.contains(&(id, !sign)),
        }
    }
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
    pub fn whole(arena: &Arena, psi: PathFormula) -> Result<Self, Halt> {
        if arena.looks_back(psi) {
            return Err(Halt::TooLarge("the formula looks back".to_owned()));
        }
        let mut automaton = Automaton::default();
        automaton.state(Obligations { formulas: obligations(arena, psi), memory: 0 });
        match automaton.make_all(arena, MOST_WHOLE)? {
            true => Ok(automaton),
            false => Err(too_large()),
        }
    }

    /// Makes the edges of all states; says whether they are at most so many.
    pub(crate) fn make_all(&mut self, arena: &Arena, most: u32) -> Result<bool, Halt> {
        let mut made = 0;
        while self.states().contains(&made) {
            if made == most {
                return Ok(false);
            }
            self.make_edges(arena, made)?;
            made += 1;
        }
        Ok(true)
    }

    /// The number of a state, which is added if it is new.
    pub fn state(&mut self, mut obligations: Obligations) -> u32 {
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

    /// The edges of a state, if they have been made.
    pub fn made_edges(&self, state: u32) -> &[Edge] {
        self.edges[state as usize].as_deref().unwrap_or(&[])
    }

    /// Makes the edges of a state unless they are there.
    pub fn make_edges(&mut self, arena: &Arena, state: u32) -> Result<(), Halt> {
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
            if !self.propagate(arena, memory, &mut branch) {
                continue;
            }
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
                return Err(too_large());
            }
        }
        // The search takes the last first; what was written first is tried first.
        edges.reverse();
        Ok(edges)
    }

    /// What an obligation comes to.
    fn read(&self, arena: &Arena, (id, sign): Signed, memory: u64) -> Demand {
        let both = |a, b, join: fn(Signed, Signed) -> Shape<Signed>| {
            let shape = join((a, sign), (b, sign));
            Demand::Unfold(if sign { shape } else { shape.dual() })
        };
        let remembers = || {
            let bit = self.remembered.iter().position(|other| *other == id);
            bit.is_some_and(|bit| memory >> bit & 1 == 1)
        };
        match *arena.path(id) {
            Path::State(state) => Demand::State((state, sign)),
            Path::Action(action) => Demand::Step((action, sign)),
            Path::Not(a) => Demand::Same((a, !sign)),
            Path::And(a, b) => both(a, b, Shape::And),
            Path::Or(a, b) => both(a, b, Shape::Or),
            Path::Until(a, b) => both(a, b, Shape::Until),
            Path::Next(a) => Demand::Next((a, sign)),
            Path::Previous(_) => Demand::Settled(remembers() == sign),
            Path::Since(a, b) if remembers() => both(b, a, Shape::Or),
            Path::Since(_, b) => Demand::Same((b, sign)),
        }
    }

    /// Settles what leaves no choice: what is demanded of the state, and disjunctions of which one side is excluded. Without this
    /// equivalences inside each other would be tried in all combinations. Says whether the branch is still possible.
    fn propagate(&self, arena: &Arena, memory: u64, branch: &mut Branch) -> bool {
        let mut at = 0;
        // How many obligations have been looked at since something changed.
        let mut unchanged = 0;
        while unchanged < branch.todo.len() {
            at = if at < branch.todo.len() { at } else { 0 };
            match self.read(arena, branch.todo[at], memory) {
                Demand::State(literal) => {
                    branch.todo.remove(at);
                    if !branch.demand(arena, literal) {
                        return false;
                    }
                    unchanged = 0;
                    continue;
                }
                Demand::Same(signed) => {
                    branch.todo[at] = signed;
                    unchanged = 0;
                    continue;
                }
                Demand::Unfold(Shape::Or(a, b)) => {
                    let forced = match (branch.contradicts(arena, a), branch.contradicts(arena, b)) {
                        (true, true) => return false,
                        (true, false) => Some(b),
                        (false, true) => Some(a),
                        (false, false) => None,
                    };
                    if let Some(forced) = forced {
                        branch.todo[at] = forced;
                        unchanged = 0;
                        continue;
                    }
                }
                Demand::Step(_) | Demand::Next(_) | Demand::Settled(_) | Demand::Unfold(_) => {}
            }
            at += 1;
            unchanged += 1;
        }
        true
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
        match self.read(arena, signed, memory) {
            Demand::Settled(false) => return Ok(()),
            Demand::Settled(true) => {}
            Demand::State(literal) => {
                if !branch.demand(arena, literal) {
                    return Ok(());
                }
            }
            Demand::Step(condition) => branch.label.push(condition),
            Demand::Next(next) => branch.next.push(next),
            Demand::Same(instead) => branch.todo.push(instead),
            Demand::Unfold(shape) => match shape.unfold() {
                Unfolded::Both(parts) => branch.todo.extend(parts),
                Unfolded::Either(ways) => {
                    // The last one is taken first; what was written first is tried first.
                    for Way { now, again } in ways.into_iter().rev() {
                        let mut branch = branch.clone();
                        branch.todo.extend(now);
                        if again {
                            branch.next.push(signed);
                            if shape.is_eventuality() {
                                branch.postponed |= 1 << self.until_bit(id)?;
                            }
                        }
                        branches.push(branch);
                    }
                    return Ok(());
                }
            },
        }
        branches.push(branch);
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
