//! One bit per elementary formula: the paths that satisfy a path formula as paths of a larger transition system.
//!
//! A position is a state with a guess: one bit for every `X` and `U`, saying what is claimed of the next position, and one bit for every
//! action atom, saying whether the step that is taken matches it. A path satisfies the formula iff it can be given guesses such that the
//! formula's value at the first position is true, every step fits its guesses, and no until is put off for ever. See Clarke, Grumberg
//! and Hamaguchi, "Another look at LTL model checking".

use servanda_algebra::Algebra;
use servanda_engine::Halt;
use servanda_lower::{Arena, Path, PathFormula, StateFormula};

use crate::{Position, Signs, Unfolding};

/// What bits are made of, and what is known without them.
pub trait Bits<A: Algebra> {
    /// Where a state formula holds; `None` if it is guessed like the future.
    fn state(&mut self, formula: StateFormula) -> Option<A::Function>;

    /// What a past operator was a step ago, if that is a bit of the state.
    fn recalled(&self, operator: PathFormula) -> Option<A::Function>;

    /// A new bit.
    fn add(&mut self, algebra: &mut A, kind: Kind) -> Result<A::Function, Halt>;
}

/// What a bit of a position says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is claimed of the next position.
    Claim,
    /// Which step is taken.
    Action,
    /// What holds of the state.
    State,
    /// What was so a step ago.
    Past,
}

/// A guess about a formula.
#[derive(Clone, Debug)]
pub struct Guess<F> {
    /// What is guessed.
    pub of: PathFormula,
    /// How it occurs.
    pub signs: Signs,
    /// The bit.
    pub bit: F,
}

/// The bits of a position, and what they mean.
#[derive(Clone, Debug)]
pub struct Elementary<F> {
    /// The value of the formula.
    pub goal: F,
    /// Guesses about the next position, and what each of them claims of it.
    pub claims: Vec<(Guess<F>, F)>,
    /// Guesses about the step that is taken: action atoms.
    pub actions: Vec<Guess<F>>,
    /// Guesses about the state: formulas whose value was not known.
    pub states: Vec<(Guess<F>, StateFormula)>,
    /// Bits for what was so a step ago, and what they become. At first they are false.
    pub past: Vec<(F, F)>,
    /// The acceptance sets: where an until is not put off. A path meets each of them again and again.
    pub accepting: Vec<F>,
    /// Where nothing is claimed of what comes: any path may follow.
    pub ends: F,
}

impl<F: Clone + Eq> Elementary<F> {
    /// The bits for a path formula. The signs say how exact guesses must be.
    ///
    /// # Errors
    /// When the algebra stops.
    pub fn new<A: Algebra<Function = F>>(
        arena: &Arena,
        formula: PathFormula,
        signs: Signs,
        algebra: &mut A,
        bits: &mut impl Bits<A>,
    ) -> Result<Self, Halt> {
        let signs = signs.of_parts(arena, formula);
        let guess = |of: PathFormula, bit: F| Guess { of, signs: signs[&of], bit };
        let mut unfolding = Unfolding::new(arena, algebra, Guessing::new(bits));
        let goal = unfolding.value(formula)?;
        let (mut claims, mut accepting, mut past) = (Vec::new(), Vec::new(), Vec::new());
        for (of, bit) in std::mem::take(&mut unfolding.position.claims) {
            let claim = guess(of, bit);
            let claimed = match *arena.path(of) {
                Path::Next(operand) => unfolding.value(operand)?,
                _ => unfolding.value(of)?,
            };
            if let Path::Until(_, right) = *arena.path(of)
                && claim.signs.positive
            {
                let (right, fails) = (unfolding.value(right)?, unfolding.algebra.not(&claimed)?);
                accepting.push(unfolding.algebra.or(&right, &fails)?);
            }
            claims.push((claim, claimed));
        }
        for (operator, bit) in std::mem::take(&mut unfolding.position.past) {
            past.push((bit, unfolding.value(arena.remembered_of(operator))?));
        }
        let Guessing { actions, states, .. } = unfolding.position;
        let actions: Vec<Guess<F>> = actions.into_iter().map(|(of, bit)| guess(of, bit)).collect();
        let states = states.into_iter().map(|(of, state, bit)| (guess(of, bit), state)).collect();
        let ahead = actions.iter().chain(claims.iter().map(|(claim, _)| claim));
        let idle = ahead.map(|guess| guess.signs.idle(algebra, &guess.bit)).collect::<Result<Vec<_>, _>>()?;
        let ends = algebra.all(&idle)?;
        Ok(Elementary { goal, claims, actions, states, past, accepting, ends })
    }
}

/// A position at which whatever is not known is guessed.
struct Guessing<'b, B, F> {
    bits: &'b mut B,
    claims: Vec<(PathFormula, F)>,
    actions: Vec<(PathFormula, F)>,
    states: Vec<(PathFormula, StateFormula, F)>,
    past: Vec<(PathFormula, F)>,
}

impl<'b, B, F> Guessing<'b, B, F> {
    fn new(bits: &'b mut B) -> Self {
        Guessing { bits, claims: vec![], actions: vec![], states: vec![], past: vec![] }
    }
}

impl<A: Algebra, B: Bits<A>> Position<A> for Guessing<'_, B, A::Function> {
    fn state(
        &mut self,
        algebra: &mut A,
        formula: PathFormula,
        state: StateFormula,
    ) -> Result<A::Function, Halt> {
        if let Some(known) = self.bits.state(state) {
            return Ok(known);
        }
        let bit = self.bits.add(algebra, Kind::State)?;
        self.states.push((formula, state, bit.clone()));
        Ok(bit)
    }

    fn action(&mut self, algebra: &mut A, atom: PathFormula) -> Result<A::Function, Halt> {
        let bit = self.bits.add(algebra, Kind::Action)?;
        self.actions.push((atom, bit.clone()));
        Ok(bit)
    }

    fn next(&mut self, algebra: &mut A, next: PathFormula, _: &A::Function) -> Result<A::Function, Halt> {
        self.later(algebra, next)
    }

    fn later(&mut self, algebra: &mut A, operator: PathFormula) -> Result<A::Function, Halt> {
        let bit = self.bits.add(algebra, Kind::Claim)?;
        self.claims.push((operator, bit.clone()));
        Ok(bit)
    }

    fn recalled(&self, operator: PathFormula) -> Option<A::Function> {
        self.bits.recalled(operator)
    }

    fn before(&mut self, algebra: &mut A, operator: PathFormula) -> Result<A::Function, Halt> {
        let bit = self.bits.add(algebra, Kind::Past)?;
        self.past.push((operator, bit.clone()));
        Ok(bit)
    }
}
