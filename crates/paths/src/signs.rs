//! How the parts of a formula occur in it, and what that asks of a guess about them.

use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::Halt;
use servanda_lower::{Arena, Path, PathFormula};

/// How a formula occurs in another.
///
/// A guess about a formula that occurs under no negation may be false without need: then less is promised than could be. So only what
/// is promised must be kept, and dually under a negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Under an even number of negations.
    pub positive: bool,
    /// Under an odd number.
    pub negative: bool,
}

impl Signs {
    /// What is claimed is kept; what is not may hold all the same.
    pub const POSITIVE: Signs = Signs { positive: true, negative: false };
    /// Guesses are right or they are no guesses.
    pub const BOTH: Signs = Signs { positive: true, negative: true };

    fn negated(self) -> Signs {
        Signs { positive: self.negative, negative: self.positive }
    }

    /// Where a guess claims nothing.
    pub(crate) fn idle<A: Algebra>(self, algebra: &mut A, guess: &A::Function) -> Result<A::Function, Halt> {
        match self {
            Signs::BOTH => Ok(algebra.falsity()),
            Signs { positive: false, negative: true } => Ok(guess.clone()),
            _ => algebra.not(guess),
        }
    }

    /// What relates a guess to what is guessed.
    pub fn right<A: Algebra>(
        self,
        algebra: &mut A,
        guess: &A::Function,
        value: &A::Function,
    ) -> Result<A::Function, Halt> {
        let wrong = match self {
            Signs::POSITIVE => algebra.without(guess, value)?,
            Signs { positive: false, negative: true } => algebra.without(value, guess)?,
            _ => return algebra.same(guess, value),
        };
        algebra.not(&wrong)
    }

    /// How the parts of a path formula occur in it, which itself occurs so.
    pub(crate) fn of_parts(self, arena: &Arena, formula: PathFormula) -> FxHashMap<PathFormula, Signs> {
        let mut found: FxHashMap<PathFormula, Signs> = FxHashMap::default();
        let mut todo = vec![(formula, self)];
        while let Some((formula, signs)) = todo.pop() {
            let known = found.entry(formula).or_default();
            let all = Signs {
                positive: known.positive || signs.positive,
                negative: known.negative || signs.negative,
            };
            if *known == all {
                continue;
            }
            *known = all;
            let node = arena.path(formula);
            let inside = if matches!(node, Path::Not(_)) { all.negated() } else { all };
            todo.extend(node.operands().map(|operand| (operand, inside)));
        }
        found
    }
}
