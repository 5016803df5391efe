//! Path formulas made states and steps, in two ways.
//!
//! On the fly: [`rules`] has the tableau rules, the one place where `U` and `R` are taken apart as far as somebody asks. [`Automaton`]
//! applies them to the formulas of a model, and can be made smaller. What speaks only of what comes again and again need not be in it
//! ([`take_recurring`]).
//!
//! As bits: [`Elementary`] is the construction with one bit per elementary formula, over any boolean algebra: with diagrams it is the
//! tableau of `symbolic`, with gates that of `sat` and of the circuits that are exported. [`remembered`] keeps the linear past as bits
//! of the state. Both rest on `unfold.rs`, the one place where `U` and `S` are expanded into bits.

mod automaton;
mod elementary;
mod expand;
mod memory;
mod position;
mod recurrence;
pub mod rules;
mod settle;
mod signs;
mod simplify;
mod unfold;

pub use automaton::{Automaton, Edge, Literal, Obligations, Signed, StepLiteral, obligations};
pub use elementary::{Elementary, Guess, Kind};
pub use memory::{Memory, looks_far_ahead, remembered, to_remember};
pub use position::{Look, Position};
pub use recurrence::{Recurring, take_recurring};
pub use signs::Signs;
pub use unfold::Leaf;
