//! Quantifiers that can be left out, so that a property refers to single paths. Which path formulas do not notice steps that nobody
//! watches is known to [`servanda_lower::is_even`].

use servanda_lower::CoreFormula as _;
use servanda_lower::{Arena, Over, Path, PathFormula, State, StateFormula};

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
