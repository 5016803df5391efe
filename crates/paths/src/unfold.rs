//! What a path formula comes to at one position, given what is said of the positions beside it.
//!
//! Here are the two laws of expansion: `a U b` is `b | a & X (a U b)`, and `a S b` is `b | a & Y (a S b)`.

use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::Halt;
use servanda_lower::{Action, Arena, Path, PathFormula, StateFormula};

/// What a formula at a position cannot be reduced to its parts for.
pub enum Leaf<'f, F> {
    /// A state formula.
    State(StateFormula),
    /// A condition on the step that is taken.
    Action(Action),
    /// `X a`, with the value of `a` at this position.
    Next(&'f F),
    /// Does this `a U b` hold in the next position?
    Later,
    /// What was this `Y a` or `a S b` a step ago?
    Before,
}

/// Values of path formulas at one position; `leaf` says what they rest on.
pub(crate) struct Unfolding<'a, A: Algebra, L> {
    pub(crate) arena: &'a Arena,
    pub(crate) algebra: &'a mut A,
    leaf: L,
    values: FxHashMap<PathFormula, A::Function>,
}

impl<'a, A: Algebra, L> Unfolding<'a, A, L>
where
    L: FnMut(&mut A, PathFormula, Leaf<'_, A::Function>) -> Result<A::Function, Halt>,
{
    pub(crate) fn new(arena: &'a Arena, algebra: &'a mut A, leaf: L) -> Self {
        Unfolding { arena, algebra, leaf, values: FxHashMap::default() }
    }

    pub(crate) fn value(&mut self, formula: PathFormula) -> Result<A::Function, Halt> {
        if let Some(value) = self.values.get(&formula) {
            return Ok(value.clone());
        }
        let value = match *self.arena.path(formula) {
            Path::State(state) => self.leaf(formula, Leaf::State(state))?,
            Path::Action(action) => self.leaf(formula, Leaf::Action(action))?,
            Path::Not(a) => {
                let a = self.value(a)?;
                self.algebra.not(&a)?
            }
            Path::And(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.algebra.and(&a, &b)?
            }
            Path::Or(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.algebra.or(&a, &b)?
            }
            Path::Next(a) => {
                let a = self.value(a)?;
                self.leaf(formula, Leaf::Next(&a))?
            }
            Path::Until(a, b) => self.expanded(formula, a, b, Leaf::Later)?,
            Path::Previous(_) => self.leaf(formula, Leaf::Before)?,
            Path::Since(a, b) => self.expanded(formula, a, b, Leaf::Before)?,
        };
        self.values.insert(formula, value.clone());
        Ok(value)
    }

    fn leaf(&mut self, formula: PathFormula, leaf: Leaf<'_, A::Function>) -> Result<A::Function, Halt> {
        (self.leaf)(self.algebra, formula, leaf)
    }

    /// `b | a & beside`
    fn expanded(
        &mut self,
        formula: PathFormula,
        a: PathFormula,
        b: PathFormula,
        beside: Leaf<'_, A::Function>,
    ) -> Result<A::Function, Halt> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let beside = self.leaf(formula, beside)?;
        let still = self.algebra.and(&a, &beside)?;
        self.algebra.or(&b, &still)
    }
}
