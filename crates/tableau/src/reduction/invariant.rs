//! Which path formulas do not notice steps that nobody watches.
//!
//! A step is *watched* by a formula when its label is in a set that the formula asks for, or when it may change a condition of the
//! formula. Steps that are not watched divide a path into blocks: some of them, and then one that is watched. Reductions
//! keep the watched steps of a path and their order, but add, leave out and move the others. So the verdict is safe when the formula has the same
//! value at all positions of a block, however many they are: it is *even* there.
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
//! Everything else is not reduced. A formula without `X` and `does` is always even (Lamport, "What good is temporal logic?").

use rustc_hash::FxHashMap;
use servanda_lower::{Action, Arena, CoreFormula, Over, Path, PathFormula, State, StateFormula};

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
/// speaks of conditions on states and of labels: no other state formula, no past, no joint action.
pub(super) fn is_even(arena: &Arena, psi: PathFormula) -> bool {
    let mut known = FxHashMap::default();
    shape(arena, psi, &mut known).is_some_and(Shape::is_even)
}

fn shape(
    arena: &Arena,
    psi: PathFormula,
    known: &mut FxHashMap<PathFormula, Option<Shape>>,
) -> Option<Shape> {
    if let Some(shape) = known.get(&psi) {
        return *shape;
    }
    let mut part = |part: PathFormula| shape(arena, part, known);
    let found = match *arena.path(psi) {
        Path::State(StateFormula::TRUE) => Some(Shape::new(true, true, false, true)),
        Path::State(StateFormula::FALSE) => Some(Shape::new(true, true, true, false)),
        Path::State(state) => arena.is_condition(state).then_some(Shape::EVEN),
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

/// The path formula with quantifiers in it that can be left out left out: `E ψ` means the same with it. A path that comes to where
/// another begins goes on as that one, so the last thing that is demanded of a path can be demanded of the path itself: `EF (p & EG q)` is
/// `E F (p & G q)`. With `A` it is the same: `AG (p -> AF q)` is `A G (p -> F q)`.
pub(super) fn linear(arena: &mut Arena, psi: PathFormula) -> PathFormula {
    match *arena.path(psi) {
        Path::State(state) => linear_state(arena, state),
        // What is demanded before must not look beyond where the other path begins.
        Path::Until(a, b) if arena.is_one_step(a) => {
            let last = linear(arena, b);
            arena.until(a, last)
        }
        Path::Next(a) => {
            let last = linear(arena, a);
            arena.next(last)
        }
        Path::Or(a, b) => {
            let (a, b) = (linear(arena, a), linear(arena, b));
            arena.or(a, b)
        }
        Path::And(a, b) if is_state_condition(arena, a) || goes_before(arena, a, b) => {
            let last = linear(arena, b);
            arena.and(a, last)
        }
        Path::And(a, b) if is_state_condition(arena, b) || goes_before(arena, b, a) => {
            let last = linear(arena, a);
            arena.and(last, b)
        }
        Path::And(..)
        | Path::Until(..)
        | Path::Action(_)
        | Path::Not(_)
        | Path::Previous(_)
        | Path::Since(..) => psi,
    }
}

fn linear_state(arena: &mut Arena, id: StateFormula) -> PathFormula {
    match *arena.state(id) {
        State::Exists { path, over: Over::AllPaths } => linear(arena, path),
        State::Or(a, b) => {
            let (a, b) = (linear_state(arena, a), linear_state(arena, b));
            arena.or(a, b)
        }
        State::And(a, b) if arena.is_condition(a) => {
            let last = linear_state(arena, b);
            let first = a.on_path(arena);
            arena.and(first, last)
        }
        State::And(a, b) if arena.is_condition(b) => {
            let last = linear_state(arena, a);
            let first = b.on_path(arena);
            arena.and(last, first)
        }
        _ => id.on_path(arena),
    }
}

fn is_state_condition(arena: &Arena, psi: PathFormula) -> bool {
    arena.as_state(psi).is_some_and(|state| arena.is_condition(state))
}

/// Is the one about the next step alone, and the other about what comes after it?
fn goes_before(arena: &Arena, one: PathFormula, other: PathFormula) -> bool {
    arena.is_one_step(one) && matches!(arena.path(other), Path::Next(_))
}
