//! Path formulas on one path, straight from the semantics (docs/formulas.md sections 3 and 6).
//!
//! A path here may be finite, and not everything about its states need be known: the value of a formula is true, false or
//! open. On a finite path a value that is not open is the same on every continuation.
//!
//! Past operators look back to the beginning of the run, so their values at a place of the loop may differ from one time round to
//! the next. They settle after as many rounds as there are past operators inside each other; whoever makes a [`Track`] unrolls the
//! loop that often.

use rustc_hash::FxHashMap;
use servanda_lower::{Action, Arena, Path, PathFormula, StateFormula};

use servanda_model::StepKind;

/// True, false, or open.
pub(crate) type Value = Option<bool>;

/// The positions of a path from the beginning of its run.
#[derive(Clone, Default)]
pub(crate) struct Track<'a> {
    /// How each position is left; none for the last one of a finite path.
    pub(crate) kinds: Vec<Option<&'a StepKind>>,
    /// The position after the last one.
    pub(crate) back: Option<usize>,
}

/// Values of path formulas on a track. `leaf` gives the value of a state formula at a position.
pub(crate) struct PathTruth<'a, F> {
    pub(crate) arena: &'a Arena,
    pub(crate) track: &'a Track<'a>,
    pub(crate) leaf: F,
    known: FxHashMap<PathFormula, Vec<Value>>,
}

pub(crate) fn and(a: Value, b: Value) -> Value {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(crate) fn not(a: Value) -> Value {
    a.map(|value| !value)
}

pub(crate) fn or(a: Value, b: Value) -> Value {
    not(and(not(a), not(b)))
}

impl<'a, F: FnMut(StateFormula, usize) -> Value> PathTruth<'a, F> {
    pub(crate) fn new(arena: &'a Arena, track: &'a Track<'a>, leaf: F) -> Self {
        PathTruth { arena, track, leaf, known: FxHashMap::default() }
    }

    fn len(&self) -> usize {
        self.track.kinds.len()
    }

    /// The position after this one, if it is on the track.
    fn next(&self, at: usize) -> Option<usize> {
        if at + 1 < self.len() { Some(at + 1) } else { self.track.back }
    }

    /// The value of a path formula at a position.
    pub(crate) fn value(&mut self, id: PathFormula, at: usize) -> Value {
        self.values(id)[at]
    }

    fn values(&mut self, id: PathFormula) -> Vec<Value> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let all = 0..self.len();
        let values: Vec<Value> = match *self.arena.path(id) {
            Path::State(state) => all.map(|at| (self.leaf)(state, at)).collect(),
            Path::Not(a) => self.values(a).into_iter().map(not).collect(),
            Path::And(a, b) => self.pairs(a, b).into_iter().map(|(a, b)| and(a, b)).collect(),
            Path::Or(a, b) => self.pairs(a, b).into_iter().map(|(a, b)| or(a, b)).collect(),
            Path::Action(Action::Does(set)) => {
                let labels = self.arena.labels(set);
                let does =
                    |kind: &StepKind| matches!(kind, StepKind::Labelled(label) if labels.contains(label));
                self.track.kinds.iter().map(|kind| kind.map(does)).collect()
            }
            Path::Action(Action::Acts { agent, action }) => {
                let acts = |kind: &StepKind| matches!(kind, StepKind::Joint(joint) if joint.get(agent.index()) == Some(&action));
                self.track.kinds.iter().map(|kind| kind.map(acts)).collect()
            }
            Path::Next(a) => {
                let a = self.values(a);
                all.map(|at| self.next(at).and_then(|next| a[next])).collect()
            }
            Path::Until(a, b) => self.until(a, b),
            Path::Previous(a) => {
                let a = self.values(a);
                all.map(|at| at.checked_sub(1).map_or(Some(false), |before| a[before])).collect()
            }
            Path::Since(a, b) => {
                let mut values: Vec<Value> = Vec::new();
                for (a, b) in self.pairs(a, b) {
                    let before = values.last().copied().unwrap_or(Some(false));
                    values.push(or(b, and(a, before)));
                }
                values
            }
        };
        self.known.insert(id, values.clone());
        values
    }

    fn pairs(&mut self, a: PathFormula, b: PathFormula) -> Vec<(Value, Value)> {
        let (a, b) = (self.values(a), self.values(b));
        a.into_iter().zip(b).collect()
    }

    /// `a U b`: true where that is certain, false where it is not even possible.
    fn until(&mut self, a: PathFormula, b: PathFormula) -> Vec<Value> {
        let pairs = self.pairs(a, b);
        let certain =
            self.least(false, |at, later| pairs[at].1 == Some(true) || (pairs[at].0 == Some(true) && later));
        let possible =
            self.least(true, |at, later| pairs[at].1 != Some(false) || (pairs[at].0 != Some(false) && later));
        let value = |(certain, possible): (bool, bool)| match (certain, possible) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        };
        certain.into_iter().zip(possible).map(value).collect()
    }

    /// The least solution of `v(at) = rule(at, v(next))`; `beyond` is what comes after a finite path.
    fn least(&self, beyond: bool, rule: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![false; self.len()];
        loop {
            let mut changed = false;
            for at in (0..self.len()).rev() {
                let later = self.next(at).map_or(beyond, |next| values[next]);
                let value = rule(at, later);
                changed |= value != values[at];
                values[at] = value;
            }
            if !changed {
                return values;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use servanda_lower::State;

    use super::*;

    /// The value of a formula at the first position of a path: `p`, `.` (not p) and `?` (open), the loop after `(`.
    fn value(path: &str, make: impl Fn(&mut Arena, StateFormula) -> PathFormula) -> Value {
        let mut arena = Arena::new();
        let p = arena.proposition(servanda_model::Expr::Variable(servanda_model::VariableId(0)));
        let formula = make(&mut arena, p);
        let letters: Vec<char> = path.chars().filter(|c| *c != '(').collect();
        let waiting = StepKind::Stutter;
        let back = path.find('(');
        let kinds =
            (0..letters.len()).map(|at| (back.is_some() || at + 1 < letters.len()).then_some(&waiting));
        let track = Track { kinds: kinds.collect(), back };
        let letter = |at: usize| match letters[at] {
            'p' => Some(true),
            '.' => Some(false),
            _ => None,
        };
        let leaf = |id: StateFormula, at: usize| match *arena.state(id) {
            State::True => Some(true),
            State::Not(a) if a == p => not(letter(at)),
            _ => letter(at),
        };
        PathTruth::new(&arena, &track, leaf).value(formula, 0)
    }

    #[test]
    fn a_finite_path_decides_what_no_continuation_can_change() {
        assert_eq!(value("..p", |arena, p| arena.finally(p)), Some(true));
        assert_eq!(value("...", |arena, p| arena.finally(p)), None);
        assert_eq!(value("pp.", |arena, p| arena.globally(p)), Some(false));
        assert_eq!(value("ppp", |arena, p| arena.globally(p)), None);
        assert_eq!(value(".", |arena, p| arena.next(p)), None);
    }

    #[test]
    fn a_loop_decides_everything_that_is_known() {
        assert_eq!(value("(.", |arena, p| arena.finally(p)), Some(false));
        assert_eq!(
            value(".(p", |arena, p| {
                let always = arena.globally(p);
                arena.finally(always)
            }),
            Some(true)
        );
        assert_eq!(value("p(?", |arena, p| arena.globally(p)), None);
        assert_eq!(value("?(p", |arena, p| arena.finally(p)), Some(true));
    }
}
