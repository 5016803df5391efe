//! The on-the-fly engine: path formulas become automata by tableau rules, and the product of automaton and model is built only
//! as far as the answer needs.
//!
//! [`Tableau`] decides properties one after the other; states, transitions and what was found out about subformulas are
//! kept from one to the next. `AG`, `EF` and their kin are searched nearest states first, so a counterexample near the
//! start is found however large the model is.
//!
//! ```
//! use servanda_engine::{NoLimits, Options, Verdict};
//! use servanda_syntax::SourceFile;
//! use servanda_tableau::Tableau;
//!
//! let text = "protocol Shop\nrole Cus, Mer\nvar paid : bool = false\n\
//!             from idle by Cus message pay : idle where paid' = true\n\
//!             property pays = EF paid\n";
//! let loaded = servanda_pact::load(&SourceFile::new("shop.pact", text), &[]);
//! # let Some(protocol) = loaded.protocol else { return };
//! let mut engine = Tableau::new(&protocol.model, Options::default(), 1, &NoLimits).unwrap();
//! let verdict = engine.decide(&protocol.properties[0].formula, &NoLimits).unwrap();
//! assert_eq!(verdict, Verdict::True);
//! ```

mod ability;
#[cfg(test)]
mod automata_tests;
mod branching_past;
mod chance;
mod commitments;
mod evaluate;
mod explorer;
mod fairness;
mod first_sight;
mod found;
mod frontier;
mod knowledge;
mod labelling;
mod labels;
mod layers;
mod recurring;
mod reduction;
mod search;
mod symmetry;
mod tableau;
mod unkeepable;
mod ways;

pub use evaluate::Evaluation;
pub use explorer::Explorer;
pub use layers::Node;
pub use search::Pair;
pub use symmetry::{Corridor, Quotient};
pub use tableau::Tableau;
pub use ways::{Paths, Way, Ways};
