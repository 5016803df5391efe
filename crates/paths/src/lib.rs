//! Path formulas made states and steps.
//!
//! [`rules`] has the tableau rules, the one place where `U` and `R` are taken apart on the fly. [`Automaton`] applies them to the
//! formulas of a model as far as somebody asks, [`Simplified`] and [`PathAutomaton`] as a whole.

mod automaton;
pub mod rules;
mod simplify;
mod whole;

pub use automaton::{Automaton, Edge, LabelCondition, LabelLiteral, Literal, Obligations, Signed};
pub use simplify::Simplified;
pub use whole::{PathAutomaton, Transition, obligations};
