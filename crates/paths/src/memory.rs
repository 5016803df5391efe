//! The remembered past as bits of the state.
//!
//! A `Y` or `S` whose operands look no further than the next state needs one bit: what it was a step ago. The bit is false at the start
//! and follows the run. Operands that look further ahead would need a set of possible pasts, which the reference engine keeps.

use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::{Halt, Past};
use servanda_lower::{Arena, PathFormula, StateFormula};

use crate::{Position, Unfolding};

/// Why a formula that remembers what lies ahead is not decided.
pub fn looks_far_ahead() -> Halt {
    let reason = "a past operator over a formula that looks further ahead than the next state; the reference engine decides it";
    Halt::TooLarge(reason.to_owned())
}

/// For each past operator its bit.
#[derive(Clone, Debug)]
pub struct Memory<B> {
    bits: FxHashMap<PathFormula, B>,
}

impl<B> Default for Memory<B> {
    fn default() -> Self {
        Memory { bits: FxHashMap::default() }
    }
}

impl<B: Clone> Memory<B> {
    /// Is nothing remembered?
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// All bits.
    pub fn bits(&self) -> impl Iterator<Item = &B> {
        self.bits.values()
    }

    /// The bit of a past operator.
    pub fn bit(&self, operator: PathFormula) -> Option<&B> {
        self.bits.get(&operator)
    }

    /// Gives a past operator its bit.
    pub fn add(&mut self, operator: PathFormula, bit: B) {
        self.bits.insert(operator, bit);
    }

    /// The past operators of a path formula that have no bit yet, operands first.
    ///
    /// # Errors
    /// Where the past is that of all states, not of runs: they have no beginning.
    pub fn missing(&self, arena: &Arena, formula: PathFormula, past: Past) -> Result<Vec<PathFormula>, Halt> {
        let mut operators = arena.past_operators(formula);
        operators.retain(|operator| !self.bits.contains_key(operator));
        if past == Past::All && !operators.is_empty() {
            return Err(Halt::TooLarge("linear past together with `--past all`".to_owned()));
        }
        Ok(operators)
    }
}

/// A position of which the present and the past are known, and the step that is taken from it.
pub struct Step<'a, A: Algebra> {
    /// Where state formulas hold.
    pub truth: &'a FxHashMap<StateFormula, A::Function>,
    /// What past operators were a step ago.
    pub recalled: &'a dyn Fn(PathFormula) -> Option<A::Function>,
    /// Does the step match an action atom?
    pub matches: &'a dyn Fn(&mut A, PathFormula) -> Result<A::Function, Halt>,
    /// A set of states, said of the state that the step leads to.
    pub at_next: &'a dyn Fn(&mut A, &A::Function) -> Result<A::Function, Halt>,
}

impl<A: Algebra> Step<'_, A> {
    /// What the bits of some past operators become with the step.
    ///
    /// # Errors
    /// When the algebra stops, or an operator looks far ahead.
    pub fn remembered(
        self,
        arena: &Arena,
        operators: &[PathFormula],
        algebra: &mut A,
    ) -> Result<Vec<A::Function>, Halt> {
        let mut unfolding = Unfolding::new(arena, algebra, self);
        operators.iter().map(|operator| unfolding.value(arena.remembered_of(*operator))).collect()
    }
}

impl<A: Algebra> Position<A> for Step<'_, A> {
    fn state(&mut self, _: &mut A, _: PathFormula, state: StateFormula) -> Result<A::Function, Halt> {
        Ok(self.truth[&state].clone())
    }

    fn action(&mut self, algebra: &mut A, atom: PathFormula) -> Result<A::Function, Halt> {
        (self.matches)(algebra, atom)
    }

    fn next(&mut self, algebra: &mut A, _: PathFormula, a: &A::Function) -> Result<A::Function, Halt> {
        (self.at_next)(algebra, a)
    }

    fn later(&mut self, _: &mut A, _: PathFormula) -> Result<A::Function, Halt> {
        Err(looks_far_ahead())
    }

    fn recalled(&self, operator: PathFormula) -> Option<A::Function> {
        (self.recalled)(operator)
    }

    fn before(&mut self, _: &mut A, _: PathFormula) -> Result<A::Function, Halt> {
        Err(looks_far_ahead())
    }
}
