//! What is settled at a position, whatever comes after it.

use rustc_hash::FxHashSet;
use servanda_lower::{Arena, CoreFormula as _, Path, PathFormula, State, StateFormula};

use crate::automaton::{Literal, Signed};
use crate::expand::{Expansion, Facts};

/// A literal of a formula that is no negation.
pub(crate) fn bare(arena: &Arena, (id, sign): Literal) -> Literal {
    match *arena.state(id) {
        State::Not(inner) => (inner, !sign),
        _ => (id, sign),
    }
}

impl Expansion<'_> {
    /// Is a state formula known to hold here, or to fail?
    fn fact(&self, id: StateFormula) -> Option<bool> {
        let (inner, sign) = bare(self.arena, (id, true));
        if inner == StateFormula::TRUE {
            return Some(sign);
        }
        match self.facts {
            Facts::None => None,
            Facts::Answers(answers) => answers.get(&inner).map(|holds| *holds == sign),
        }
    }

    /// Whether a formula is met here, or cannot be, whatever comes after.
    fn value(&mut self, id: PathFormula) -> Option<bool> {
        if let Some(known) = self.values.get(&id) {
            return *known;
        }
        let value = match *self.arena.path(id) {
            Path::State(state) => self.fact(state),
            Path::Action(_) | Path::Next(_) => None,
            Path::Not(a) => self.value(a).map(|value| !value),
            Path::And(a, b) => match self.value(a) {
                Some(true) => self.value(b),
                Some(false) => Some(false),
                None => self.value(b).filter(|value| !value),
            },
            Path::Or(a, b) => self.either(a, b),
            Path::Until(a, b) => match self.value(b) {
                Some(true) => Some(true),
                Some(false) => self.value(a).filter(|value| !value),
                None => None,
            },
            Path::Previous(_) => Some(self.remembers(id)),
            Path::Since(a, b) if self.remembers(id) => self.either(b, a),
            Path::Since(_, b) => self.value(b),
        };
        self.values.insert(id, value);
        value
    }

    fn either(&mut self, a: PathFormula, b: PathFormula) -> Option<bool> {
        match self.value(a) {
            Some(false) => self.value(b),
            Some(true) => Some(true),
            None => self.value(b).filter(|value| *value),
        }
    }

    /// Whether an obligation is met here, or cannot be.
    pub(crate) fn settled(&mut self, (id, sign): Signed) -> Option<bool> {
        self.value(id).map(|value| value == sign)
    }

    /// Notes what of the state meets an obligation that is met here.
    pub(crate) fn support(&mut self, signed: Signed, here: &mut Vec<Literal>) {
        // Equivalences inside each other share their parts: each is looked at once.
        let (mut todo, mut seen) = (vec![signed], FxHashSet::default());
        while let Some((id, sign)) = todo.pop() {
            if !seen.insert((id, sign)) {
                continue;
            }
            match *self.arena.path(id) {
                Path::State(state) => {
                    if bare(self.arena, (state, sign)).0 != StateFormula::TRUE
                        && !here.contains(&(state, sign))
                    {
                        here.push((state, sign));
                    }
                }
                Path::Not(a) => todo.push((a, !sign)),
                Path::And(a, b) | Path::Or(a, b) => {
                    let both = matches!(self.arena.path(id), Path::And(..)) == sign;
                    match self.settled((a, sign)) {
                        _ if both => todo.extend([(b, sign), (a, sign)]),
                        Some(true) => todo.push((a, sign)),
                        _ => todo.push((b, sign)),
                    }
                }
                Path::Until(_, b) if sign => todo.push((b, true)),
                Path::Until(a, b) => todo.extend([(b, false), (a, false)]),
                Path::Since(a, b) if self.remembers(id) => match self.settled((b, sign)) {
                    _ if !sign => todo.extend([(a, false), (b, false)]),
                    Some(true) => todo.push((b, true)),
                    _ => todo.push((a, true)),
                },
                Path::Since(_, b) => todo.push((b, sign)),
                Path::Previous(_) | Path::Action(_) | Path::Next(_) => {}
            }
        }
    }

    /// A state formula of which it must be known whether it holds before an obligation is tried in several ways.
    pub(crate) fn unanswered(&mut self, signed: Signed) -> Option<StateFormula> {
        let Facts::Answers(answers) = self.facts else { return None };
        let (mut todo, mut seen) = (vec![signed.0], FxHashSet::default());
        while let Some(id) = todo.pop() {
            if !seen.insert(id) || self.value(id).is_some() {
                continue;
            }
            match *self.arena.path(id) {
                Path::State(state) => {
                    let (inner, _) = bare(self.arena, (state, true));
                    if !answers.contains_key(&inner) {
                        return Some(inner);
                    }
                }
                Path::Not(a) => todo.push(a),
                Path::And(a, b) | Path::Or(a, b) | Path::Until(a, b) | Path::Since(a, b) => {
                    todo.extend([a, b])
                }
                Path::Previous(_) | Path::Action(_) | Path::Next(_) => {}
            }
        }
        None
    }
}
