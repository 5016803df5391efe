//! Path formulas made states and steps, in two ways.
//!
//! On the fly: [`rules`] has the tableau rules, the one place where `U` and `R` are taken apart as far as somebody asks. [`Automaton`]
//! applies them to the formulas of a model, and can be made smaller.
//!
//! As bits: [`Elementary`] is the construction with one bit per elementary formula, over any boolean algebra: with diagrams it is the
//! tableau of `symbolic`, with gates that of `sat` and of the circuits that are exported. [`remembered`] keeps the linear past as bits
//! of the state. Both rest on `unfold.rs`, the one place where `U` and `S` are expanded into bits.

mod automaton;
mod elementary;
mod memory;
pub mod rules;
mod signs;
mod simplify;
mod unfold;

pub use automaton::{Automaton, Edge, Literal, Obligations, Signed, StepLiteral, obligations};
pub use elementary::{Elementary, Guess, Kind};
pub use memory::{Memory, looks_far_ahead, remembered, to_remember};
pub use signs::Signs;
pub use unfold::Leaf;
