//! What a path formula comes to at one position, given what is said of the positions beside it.
//!
//! Here are the two laws of expansion: `a U b` is `b | a & X (a U b)`, and `a S b` is `b | a & Y (a S b)`.

use rustc_hash::FxHashMap;
use servanda_algebra::Algebra;
use servanda_engine::Halt;
use servanda_lower::{Arena, Path, PathFormula, StateFormula};

/// What a position says of itself, of the step that is taken from it, and of the positions beside it.
pub trait Position<A: Algebra> {
    /// Does a state formula hold? Given as a path formula, too.
    fn state(
        &mut self,
        algebra: &mut A,
        formula: PathFormula,
        state: StateFormula,
    ) -> Result<A::Function, Halt>;

    /// Does the step that is taken match an action atom?
    fn action(&mut self, algebra: &mut A, atom: PathFormula) -> Result<A::Function, Halt>;

    /// `X a`; given with the value of `a` at this position.
    fn next(&mut self, algebra: &mut A, next: PathFormula, a: &A::Function) -> Result<A::Function, Halt>;

    /// Does this until hold in the next position?
    fn later(&mut self, algebra: &mut A, until: PathFormula) -> Result<A::Function, Halt>;

    /// What `Y a` or `a S b` was a step ago, where that is known without looking at its operands.
    fn recalled(&self, operator: PathFormula) -> Option<A::Function>;

    /// The same where it is not known.
    fn before(&mut self, algebra: &mut A, operator: PathFormula) -> Result<A::Function, Halt>;
}

/// Values of path formulas at one position.
pub struct Unfolding<'a, A: Algebra, P> {
    /// The formulas.
    pub arena: &'a Arena,
    /// What functions are made of.
    pub algebra: &'a mut A,
    /// The position.
    pub position: P,
    values: FxHashMap<PathFormula, A::Function>,
}

impl<'a, A: Algebra, P: Position<A>> Unfolding<'a, A, P> {
    /// Nothing yet.
    pub fn new(arena: &'a Arena, algebra: &'a mut A, position: P) -> Self {
        Unfolding { arena, algebra, position, values: FxHashMap::default() }
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// When the algebra stops, or the position does not know something.
    pub fn value(&mut self, formula: PathFormula) -> Result<A::Function, Halt> {
        if let Some(value) = self.values.get(&formula) {
            return Ok(value.clone());
        }
        let value = match *self.arena.path(formula) {
            Path::State(state) => self.position.state(self.algebra, formula, state)?,
            Path::Does(_) | Path::Acts { .. } => self.position.action(self.algebra, formula)?,
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
                self.position.next(self.algebra, formula, &a)?
            }
            Path::Until(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let later = self.position.later(self.algebra, formula)?;
                self.still(&a, &b, &later)?
            }
            Path::Previous(a) => match self.position.recalled(formula) {
                Some(recalled) => recalled,
                None => {
                    self.value(a)?;
                    self.position.before(self.algebra, formula)?
                }
            },
            Path::Since(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let before = match self.position.recalled(formula) {
                    Some(recalled) => recalled,
                    None => self.position.before(self.algebra, formula)?,
                };
                self.still(&a, &b, &before)?
            }
        };
        self.values.insert(formula, value.clone());
        Ok(value)
    }

    /// `b | a & beside`
    fn still(
        &mut self,
        a: &A::Function,
        b: &A::Function,
        beside: &A::Function,
    ) -> Result<A::Function, Halt> {
        let still = self.algebra.and(a, beside)?;
        self.algebra.or(b, &still)
    }
}
