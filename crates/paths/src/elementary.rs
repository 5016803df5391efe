//! One bit per elementary formula: the paths that satisfy a path formula as paths of a larger transition system.
//!
//! A position is a state with a guess: one bit for every `X` and `U`, saying what is claimed of the next position, and one bit for every
//! action atom, saying whether the step that is taken matches it. A path satisfies the formula iff it can be given guesses such that the
//! formula's value at the first position is true, every step fits its guesses, and no until is put off for ever. See Clarke, Grumberg
//! and Hamaguchi, "Another look at LTL model checking".

use std::cell::RefCell;

use servanda_algebra::Algebra;
use servanda_engine::Halt;
use servanda_lower::{Action, Arena, Path, PathFormula};

use crate::Signs;
use crate::unfold::{Leaf, Unfolding};

/// What a bit of a position says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is claimed of the next position: `X a` or `a U b`.
    Claim,
    /// Which step is taken.
    Action(Action),
    /// What holds of the state: a state formula whose value is not known.
    State,
    /// What was so a step ago: a past operator that is not remembered by the state.
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
    /// Guesses about the step that is taken, and what each of them says of it.
    pub actions: Vec<(Action, Guess<F>)>,
    /// Guesses about the state.
    pub states: Vec<Guess<F>>,
    /// Bits for what was so a step ago, and what they become. At first they are false.
    pub past: Vec<(F, F)>,
    /// The acceptance sets: where an until is not put off. A path meets each of them again and again.
    pub accepting: Vec<F>,
    /// Where nothing is claimed of what comes: any path may follow.
    pub ends: F,
}

impl<F: Clone + Eq> Elementary<F> {
    /// The bits for a path formula. The signs say how exact guesses must be, `known` gives state formulas and past operators that need
    /// no guess, and `add` makes bits.
    ///
    /// # Errors
    /// When the algebra stops, or a bit cannot be made.
    pub fn new<A: Algebra<Function = F>>(
        arena: &Arena,
        formula: PathFormula,
        signs: Signs,
        algebra: &mut A,
        known: impl Fn(PathFormula) -> Option<F>,
        mut add: impl FnMut(&mut A, Kind) -> Result<F, Halt>,
    ) -> Result<Self, Halt> {
        let signs = signs.of_parts(arena, formula);
        let guesses = RefCell::new(Vec::new());
        let mut unfolding = Unfolding::new(arena, algebra, |algebra, of, leaf| {
            let kind = match leaf {
                Leaf::State(_) => Kind::State,
                Leaf::Action(action) => Kind::Action(action),
                Leaf::Next(_) | Leaf::Later => Kind::Claim,
                Leaf::Before => Kind::Past,
            };
            if let Some(known) = known(of) {
                return Ok(known);
            }
            let bit = add(algebra, kind)?;
            guesses.borrow_mut().push((kind, Guess { of, signs: signs[&of], bit: bit.clone() }));
            Ok(bit)
        });
        let goal = unfolding.value(formula)?;
        let falsity = unfolding.algebra.falsity();
        let (claims, actions, states, past, accepting) = (vec![], vec![], vec![], vec![], vec![]);
        let mut all = Elementary { goal, claims, actions, states, past, accepting, ends: falsity };
        let mut idle = Vec::new();
        // What is below a past operator may need further guesses.
        for number in 0.. {
            let Some((kind, guess)) = guesses.borrow().get(number).cloned() else { break };
            if matches!(kind, Kind::Claim | Kind::Action(_)) {
                idle.push(guess.signs.idle(unfolding.algebra, &guess.bit)?);
            }
            match kind {
                Kind::Action(action) => all.actions.push((action, guess)),
                Kind::State => all.states.push(guess),
                Kind::Past => {
                    let becomes = unfolding.value(arena.remembered_of(guess.of))?;
                    all.past.push((guess.bit, becomes));
                }
                Kind::Claim => {
                    let (claimed, right) = match *arena.path(guess.of) {
                        Path::Next(operand) => (operand, None),
                        Path::Until(_, right) => (guess.of, Some(right).filter(|_| guess.signs.positive)),
                        _ => (guess.of, None),
                    };
                    let claimed = unfolding.value(claimed)?;
                    if let Some(right) = right {
                        let (right, fails) = (unfolding.value(right)?, unfolding.algebra.not(&claimed)?);
                        all.accepting.push(unfolding.algebra.or(&right, &fails)?);
                    }
                    all.claims.push((guess, claimed));
                }
            }
        }
        all.ends = algebra.all(&idle)?;
        Ok(all)
    }
}
