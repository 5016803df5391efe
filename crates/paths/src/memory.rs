//! The remembered past as bits of the state.
//!
//! A `Y` or `S` whose operands look no further than the next state needs one bit: what it was a step ago. The bit is false at the start
//! and follows the run. Operands that look further ahead would need a set of possible pasts, which the reference engine keeps.

use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::{Halt, Past};
use servanda_lower::{Arena, PathFormula};

use crate::unfold::{Leaf, Unfolding};

/// For each past operator its bit.
pub type Memory<B> = FxHashMap<PathFormula, B>;

/// Why a formula that remembers what lies ahead is not decided.
pub fn looks_far_ahead() -> Halt {
    let reason = "a past operator over a formula that looks further ahead than the next state; the reference engine decides it";
    Halt::TooLarge(reason.to_owned())
}

/// The past operators of a path formula that have no bit yet, operands first.
///
/// # Errors
/// Where the past is that of all states, not of runs: it has no beginning.
pub fn to_remember<B>(
    arena: &Arena,
    formula: PathFormula,
    memory: &Memory<B>,
    past: Past,
) -> Result<Vec<PathFormula>, Halt> {
    let mut operators = arena.past_operators(formula);
    operators.retain(|operator| !memory.contains_key(operator));
    if past == Past::All && !operators.is_empty() {
        return Err(Halt::TooLarge("linear past together with `--past all`".to_owned()));
    }
    Ok(operators)
}

/// What the bits of some past operators become with a step, of which `leaf` says everything.
///
/// # Errors
/// When the algebra stops, or `leaf` does not know something.
pub fn remembered<A: Algebra>(
    arena: &Arena,
    operators: &[PathFormula],
    algebra: &mut A,
    leaf: impl FnMut(&mut A, PathFormula, Leaf<'_, A::Function>) -> Result<A::Function, Halt>,
) -> Result<Vec<A::Function>, Halt> {
    let mut unfolding = Unfolding::new(arena, algebra, leaf);
    operators.iter().map(|operator| unfolding.value(arena.remembered_of(*operator))).collect()
}
