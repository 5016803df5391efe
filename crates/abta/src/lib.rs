//! Formulas as alternating Büchi tableau automata (ABTA).
//!
//! An ABTA encodes how a formula is shown: a state is a formula or a set of formulas, and the rule applied to it says
//! what is left to be shown. [`translate`] makes it by the papers' rules ([`Rules::Paper`]), to reproduce their worked
//! examples, or by rules with which it accepts exactly the models of the formula ([`Rules::Sound`]). The notes of a
//! [`Translation`] say where the two differ for the formula at hand.
//!
//! ```
//! use servanda_abta::{Options, Rules, translate};
//! use servanda_logic::parse_formula;
//!
//! let formula = parse_formula("E G F p").unwrap();
//! let paper = translate(&formula, Options { rules: Rules::Paper, ..Options::default() }).unwrap();
//! assert_eq!(paper.tableau.states.len(), 7);
//! let sound = translate(&formula, Options::default()).unwrap();
//! assert!(sound.automaton.states.len() < sound.tableau.states.len());
//! ```

mod acts;
mod automaton;
pub mod decompose;
mod facts;
mod goal;
mod limits;
mod measures;
mod notes;
mod options;
mod paper;
pub mod product;
mod simplify;
mod sound;
mod tableau;
mod translation;
mod write;

pub use automaton::{
    Abta, AcceptanceSet, ActionLiteral, Component, Quantifier, Rule, Scope, State, StateId, StateKind,
};
pub use measures::{Bound, Measures, Ordered, measures};
pub use notes::Note;
pub use options::{Logic, Options, Rules, Simplify};
pub use servanda_model::ActReading;
pub use translation::{Translation, translate};
pub use write::{dot, hoa, json, product_json, product_text, text};
