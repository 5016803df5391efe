//! Which path formulas do not notice steps that nobody watches.
//!
//! A step is *watched* by a formula when its label is in a set that the formula asks for, or when it may change a condition of the
//! formula. Steps that are not watched divide a path into blocks: some of them, and then one that is watched. Reductions keep the watched
//! steps of a path and their order, but add, leave out and move the others. So the verdict is safe when the formula has the same value at
//! all positions of a block, however many they are: it is *even* there.
//!
//! A formula that is not even may be a part of one that is. What is kept of each part is how its value at the positions before
//! unwatched steps (`i`) relates to that before the watched one (`v`); both must be the same for all paths with the same blocks.
//! `does(a)` is false before every unwatched step; a condition has one value in the whole block; `X a` of an even `a`
//! has a value of `i` and one of `v`, but no relation between them. A condition of `U` to be even: `b` at an unwatched step must imply
//! `b` at the watched one, and where `a U b` holds there, either `b` or `a` must hold before. Hence the table:
//!
//! | formula | falls: `v -> i` | rises: `i -> v` | `i` false | `i` true |
//! |---|---|---|---|---|
//! | condition | yes | yes | | |
//! | `does(a)` | | yes | yes | |
//! | `!a` | where `a` rises | where `a` falls | where `a` has it true | where `a` has it false |
//! | `a & b` | both | both | one | both |
//! | `a \| b` | both | both | both | one |
//! | `X a`, `a` even | | | | |
//! | `a U b`, `b` rises, `a` falls, and `b` falls or `a` has `i` true | yes | yes | | |
//!
//! Everything else is not even. A formula without `X` and `does` is always even (Lamport, "What good is temporal logic?").

use rustc_hash::FxHashMap;

use crate::{Action, Arena, CoreFormula as _, Path, PathFormula, StateFormula};

/// How the values of a formula in a block relate; see the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    falls: bool,
    rises: bool,
    never_before: bool,
    always_before: bool,
}

impl Shape {
    const EVEN: Shape = Shape { falls: true, rises: true, never_before: false, always_before: false };

    /// Whoever is false before all unwatched steps rises, and the other way round.
    fn new(falls: bool, rises: bool, never_before: bool, always_before: bool) -> Self {
        Shape { falls: falls || always_before, rises: rises || never_before, never_before, always_before }
    }

    fn is_even(self) -> bool {
        self.falls && self.rises
    }

    fn negated(self) -> Self {
        Shape::new(self.rises, self.falls, self.always_before, self.never_before)
    }

    fn and(self, other: Shape) -> Self {
        Shape::new(
            self.falls && other.falls,
            self.rises && other.rises,
            self.never_before || other.never_before,
            self.always_before && other.always_before,
        )
    }

    fn until(self, other: Shape) -> Option<Self> {
        let even = other.rises && self.falls && (other.falls || self.always_before);
        even.then_some(Shape::EVEN)
    }
}

/// Is a path formula even: may steps that it does not watch be added, left out and moved without changing what it is worth? Only where it
/// refers to labels and to state formulas that `is_constant` says are worth the same before and after such steps: no other state formula,
/// no past, no joint action.
pub fn is_even(arena: &Arena, psi: PathFormula, is_constant: &dyn Fn(StateFormula) -> bool) -> bool {
    let mut known = FxHashMap::default();
    shape(arena, psi, is_constant, &mut known).is_some_and(Shape::is_even)
}

fn shape(
    arena: &Arena,
    psi: PathFormula,
    is_constant: &dyn Fn(StateFormula) -> bool,
    known: &mut FxHashMap<PathFormula, Option<Shape>>,
) -> Option<Shape> {
    if let Some(shape) = known.get(&psi) {
        return *shape;
    }
    let mut part = |part: PathFormula| shape(arena, part, is_constant, known);
    let found = match *arena.path(psi) {
        Path::State(StateFormula::TRUE) => Some(Shape::new(true, true, false, true)),
        Path::State(StateFormula::FALSE) => Some(Shape::new(true, true, true, false)),
        Path::State(state) => is_constant(state).then_some(Shape::EVEN),
        Path::Action(Action::Does(_)) => Some(Shape::new(false, true, true, false)),
        Path::Action(Action::Acts { .. }) | Path::Previous(_) | Path::Since(..) => None,
        Path::Not(a) => part(a).map(Shape::negated),
        Path::And(a, b) => part(a).zip(part(b)).map(|(a, b)| a.and(b)),
        Path::Or(a, b) => part(a).zip(part(b)).map(|(a, b)| a.negated().and(b.negated()).negated()),
        Path::Next(a) => part(a).filter(|a| a.is_even()).map(|_| Shape::new(false, false, false, false)),
        Path::Until(a, b) => part(a).zip(part(b)).and_then(|(a, b)| a.until(b)),
    };
    known.insert(psi, found);
    found
}

/// Is a path formula shown by a finite part of a path, whatever comes after it? What is until under a negation is not.
pub fn is_shown_by_a_part(arena: &Arena, psi: PathFormula) -> bool {
    let mut todo = vec![(psi, true)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((psi, affirmed)) = todo.pop() {
        if !seen.insert((psi, affirmed)) {
            continue;
        }
        match *arena.path(psi) {
            Path::State(_) | Path::Action(_) => {}
            Path::Not(a) => todo.push((a, !affirmed)),
            Path::Next(a) => todo.push((a, affirmed)),
            Path::And(a, b) | Path::Or(a, b) => todo.extend([(a, affirmed), (b, affirmed)]),
            Path::Until(a, b) if affirmed => todo.extend([(a, affirmed), (b, affirmed)]),
            Path::Until(..) | Path::Previous(_) | Path::Since(..) => return false,
        }
    }
    true
}
