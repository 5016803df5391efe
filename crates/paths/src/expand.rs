//! The ways to meet obligations at one position of a path.
//!
//! What is known of the state there ([`Facts`]) settles what it can before anything is tried in several ways: without that, obligations
//! beside each other would be tried in all combinations. Of two ways of which one demands and puts off less than the other, the other is
//! left out: whoever can go on after it can go on after the one (obligations simulate those that they contain).

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_lower::{Arena, CoreFormula as _, Path, PathFormula, StateFormula};

use crate::automaton::{Literal, Obligations, Signed, StepLiteral};
use crate::rules::{Shape, Unfolded, Way};
use crate::settle::bare;

/// The most untils that are told apart; the bits above are for fairness.
pub(crate) const MOST_UNTILS: u32 = 48;

/// Between two questions to the budget so many branches are looked at.
const REPORT_EVERY: usize = 1 << 6;

/// What is known of the state at a position.
#[derive(Clone, Copy)]
pub(crate) enum Facts<'a> {
    /// Nothing: the ways say what they demand of it.
    None,
    /// The truth of these state formulas. That of others has to be asked for.
    Answers(&'a FxHashMap<StateFormula, bool>),
}

/// Why there are no ways yet.
pub(crate) enum Stuck {
    /// It must be known whether this state formula holds here.
    Ask(StateFormula),
    /// There will be none.
    Halt(Halt),
}

impl From<Halt> for Stuck {
    fn from(halt: Halt) -> Self {
        Stuck::Halt(halt)
    }
}

/// A way to meet the obligations of a state for one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub(crate) here: Vec<Literal>,
    pub(crate) label: Vec<StepLiteral>,
    pub(crate) next: Obligations,
    pub(crate) postponed: u64,
}

impl Met {
    /// Does this one demand and put off no more than the other?
    fn covers(&self, other: &Met) -> bool {
        self.next.memory == other.next.memory
            && self.postponed & !other.postponed == 0
            && (self.label.is_empty() || self.label == other.label)
            && contains(&other.next.formulas, &self.next.formulas)
            && contains(&other.here, &self.here)
    }
}

/// Does a sorted list contain all of another?
fn contains<T: Ord>(all: &[T], some: &[T]) -> bool {
    some.len() <= all.len() && some.iter().all(|one| all.binary_search(one).is_ok())
}

/// The bits of the untils of an automaton.
#[derive(Default)]
pub(crate) struct Untils {
    bits: FxHashMap<PathFormula, u32>,
    /// Bits that are used for something else.
    pub(crate) reserved: u32,
}

impl Untils {
    fn bit(&mut self, until: PathFormula) -> Result<u32, Halt> {
        let fresh = self.bits.len() as u32;
        let bit = *self.bits.entry(until).or_insert(fresh);
        let most = MOST_UNTILS - self.reserved;
        if bit >= most {
            return Err(Halt::TooLarge(format!("more than {most} untils in one path formula")));
        }
        Ok(bit)
    }
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

    /// Is this demanded anyway?
    fn demands(&self, signed: Signed) -> bool {
        self.done.contains(&signed) || self.todo.contains(&signed)
    }
}

/// The rules at work on one state of an automaton.
pub(crate) struct Expansion<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) facts: Facts<'a>,
    /// What is remembered at this position, and of which formulas.
    pub(crate) memory: u64,
    pub(crate) remembered: &'a [PathFormula],
    pub(crate) untils: &'a mut Untils,
    pub(crate) budget: &'a dyn Budget,
    /// The most ways, and branches on the way to them.
    pub(crate) most: usize,
    /// What formulas are worth here, as far as that is settled.
    pub(crate) values: FxHashMap<PathFormula, Option<bool>>,
}

pub(crate) fn too_large() -> Halt {
    Halt::TooLarge("the automaton of a path formula is too large".to_owned())
}

impl Expansion<'_> {
    /// All ways to meet these obligations, and how many branches were looked at.
    pub(crate) fn ways(mut self, formulas: Vec<Signed>) -> Result<(Vec<Met>, usize), Stuck> {
        let mut branches = vec![Branch { todo: formulas, ..Branch::default() }];
        let mut found: Vec<Met> = Vec::new();
        let mut seen = 0;
        while let Some(mut branch) = branches.pop() {
            seen += 1;
            Progress::nodes(seen, REPORT_EVERY, self.budget)?;
            if !self.propagate(&mut branch)? {
                continue;
            }
            match branch.todo.pop() {
                Some(signed) => self.apply(signed, branch, &mut branches)?,
                None if branch.guessed < self.remembered.len() => {
                    // Whether a remembered formula holds now is guessed, and the guess is an obligation.
                    let bit = branch.guessed;
                    let formula = self.arena.remembered_of(self.remembered[bit]);
                    branch.guessed += 1;
                    let mut other = branch.clone();
                    other.todo.push((formula, false));
                    branch.todo.push((formula, true));
                    branch.memory |= 1 << bit;
                    branches.push(other);
                    branches.push(branch);
                }
                None => {
                    let met = self.met(branch);
                    if !found.iter().any(|other| other.covers(&met)) {
                        found.retain(|other| !met.covers(other));
                        found.push(met);
                    }
                }
            }
            if branches.len() + found.len() > self.most {
                return Err(too_large().into());
            }
        }
        // The search takes the last first; what was written first is tried first.
        found.reverse();
        Ok((found, seen))
    }

    /// A branch at its end.
    fn met(&self, mut branch: Branch) -> Met {
        branch.here.sort_unstable();
        branch.here.dedup();
        branch.label.sort_unstable();
        branch.label.dedup();
        let next = Obligations::new(self.arena, branch.next, branch.memory);
        Met { here: branch.here, label: branch.label, next, postponed: branch.postponed }
    }

    pub(crate) fn remembers(&self, id: PathFormula) -> bool {
        let bit = self.remembered.iter().position(|other| *other == id);
        bit.is_some_and(|bit| self.memory >> bit & 1 == 1)
    }

    /// What an obligation comes to.
    fn read(&self, (id, sign): Signed) -> Demand {
        let both = |a, b, join: fn(Signed, Signed) -> Shape<Signed>| {
            let shape = join((a, sign), (b, sign));
            Demand::Unfold(if sign { shape } else { shape.dual() })
        };
        match *self.arena.path(id) {
            Path::State(state) => Demand::State((state, sign)),
            Path::Action(action) => Demand::Step((action, sign)),
            Path::Not(a) => Demand::Same((a, !sign)),
            Path::And(a, b) => both(a, b, Shape::And),
            Path::Or(a, b) => both(a, b, Shape::Or),
            Path::Until(a, b) => both(a, b, Shape::Until),
            Path::Next(a) => Demand::Next((a, sign)),
            Path::Previous(_) => Demand::Settled(self.remembers(id) == sign),
            Path::Since(a, b) if self.remembers(id) => both(b, a, Shape::Or),
            Path::Since(_, b) => Demand::Same((b, sign)),
        }
    }

    /// Settles what leaves no choice: what is demanded of the state, and disjunctions of which one side is excluded or demanded anyway.
    /// Without this equivalences inside each other would be tried in all combinations. Says whether the branch is still possible.
    fn propagate(&mut self, branch: &mut Branch) -> Result<bool, Stuck> {
        let mut at = 0;
        // How many obligations have been looked at since something changed.
        let mut unchanged = 0;
        while unchanged < branch.todo.len() {
            at = if at < branch.todo.len() { at } else { 0 };
            let signed = branch.todo[at];
            match self.settled(signed) {
                Some(false) => return Ok(false),
                Some(true) => {
                    branch.todo.swap_remove(at);
                    self.support(signed, &mut branch.here);
                    unchanged = 0;
                    continue;
                }
                None => {}
            }
            match self.read(signed) {
                Demand::State(literal) => {
                    if let Some(asked) = self.unanswered(signed) {
                        return Err(Stuck::Ask(asked));
                    }
                    branch.todo.remove(at);
                    if !branch.demand(self.arena, literal) {
                        return Ok(false);
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
                    let impossible = |this: &mut Self, side| {
                        this.settled(side) == Some(false) || branch.contradicts(this.arena, side)
                    };
                    let forced = match (impossible(self, a), impossible(self, b)) {
                        (true, true) => return Ok(false),
                        (true, false) => Some(b),
                        (false, true) => Some(a),
                        (false, false) => None,
                    };
                    let is_met = branch.demands(a) || branch.demands(b);
                    if forced.is_some() || is_met {
                        // Parts that are shared come again, with this sign or with the other.
                        branch.done.push(signed);
                        match forced {
                            Some(forced) => branch.todo[at] = forced,
                            None => {
                                branch.todo.remove(at);
                            }
                        }
                        unchanged = 0;
                        continue;
                    }
                }
                Demand::Step(_) | Demand::Next(_) | Demand::Settled(_) | Demand::Unfold(_) => {}
            }
            at += 1;
            unchanged += 1;
        }
        Ok(true)
    }

    /// Takes one obligation apart.
    fn apply(&mut self, signed: Signed, mut branch: Branch, branches: &mut Vec<Branch>) -> Result<(), Stuck> {
        let (id, sign) = signed;
        if branch.done.contains(&(id, !sign)) {
            return Ok(());
        }
        if branch.done.contains(&signed) {
            branches.push(branch);
            return Ok(());
        }
        match self.read(signed) {
            Demand::Settled(false) => return Ok(()),
            Demand::Settled(true) => {}
            Demand::State(literal) => {
                if !branch.demand(self.arena, literal) {
                    return Ok(());
                }
            }
            Demand::Step(condition) => branch.label.push(condition),
            Demand::Next(next) => branch.next.push(next),
            Demand::Same(instead) => branch.todo.push(instead),
            Demand::Unfold(shape) => match shape.unfold() {
                Unfolded::Both(parts) => branch.todo.extend(parts),
                Unfolded::Either(ways) => {
                    if let Some(asked) = self.unanswered(signed) {
                        return Err(Stuck::Ask(asked));
                    }
                    return Ok(self.split(signed, (shape, ways), branch, branches)?);
                }
            },
        }
        branch.done.push(signed);
        branches.push(branch);
        Ok(())
    }

    /// Tries the ways to meet an obligation.
    fn split(
        &mut self,
        signed: Signed,
        (shape, ways): (Shape<Signed>, [Way<Signed>; 2]),
        mut branch: Branch,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Halt> {
        // Who is met by what is demanded anyway demands nothing else.
        let met = |way: &Way<Signed>| !way.again && way.now.iter().all(|part| branch.demands(*part));
        let is_met = ways.iter().any(met);
        branch.done.push(signed);
        if is_met {
            branches.push(branch);
            return Ok(());
        }
        // The last one is taken first; what was written first is tried first.
        for Way { now, again } in ways.into_iter().rev() {
            if now.iter().any(|part| self.settled(*part) == Some(false)) {
                continue;
            }
            let mut branch = branch.clone();
            branch.todo.extend(now);
            if again {
                branch.next.push(signed);
                if shape.is_eventuality() {
                    branch.postponed |= 1 << self.untils.bit(signed.0)?;
                }
            }
            branches.push(branch);
        }
        Ok(())
    }
}
