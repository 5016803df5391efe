//! A model as boolean functions, whatever they are made of.
//!
//! The engines `symbolic` and `sat` and the writers of circuits see a state as a row of bits, and everything a model says as
//! functions of them: diagrams for the one, gates for the others. [`Algebra`] is what the two have in common; all the rest is written
//! once over it: integers ([`Number`]), which bits stand for what and what expressions are worth ([`Encoding`]), what commands,
//! protocols and evolutions do ([`Guarded`], [`Protocol`]).

mod algebra;
mod encoding;
mod expression;
mod flows;
mod linear;
mod moves;
mod number;

pub use algebra::{Algebra, AlgebraOf, balanced};
pub use encoding::{Encoding, width};
pub use expression::Defined;
pub use flows::{conserved, flows};
pub use moves::{Guarded, Protocol};
pub use number::Number;
