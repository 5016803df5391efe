//! Evidence for verdicts: counterexamples and witnesses (docs/evidence.md).
//!
//! Whichever engine gave a verdict, [`generate`] looks for what shows it: it asks the on-the-fly engine which ways there are to satisfy
//! the formula, takes the shortest, and goes on with the parts of the formula that matter on it. [`generate_from_sets`] does the same
//! with decision diagrams, for models whose states are too many to be visited. The result is one data structure,
//! [`Evidence`]. [`Checker::check`] knows nothing of that search. It replays every step with nothing but the model, evaluates path formulas
//! straight from the semantics, and has state formulas decided by the reference engine. [`Checker::show`] does both.
//!
//! ```
//! use servanda_engine::{NoLimits, Options};
//! use servanda_syntax::SourceFile;
//! use servanda_witness::{Checker, Decided, Shown};
//!
//! let text = "protocol Lamp\nroles User\nvar on : bool = false\nstart off\n\
//!             off -- User: press set on = true --> lit\nlit -- User: press set on = false --> off\n\
//!             property stays_lit = AG (on -> X on)\n";
//! let protocol = servanda_pact::load(&SourceFile::new("lamp.pact", text), &[]).protocol.unwrap();
//! let property = &protocol.properties[0];
//! let decided = Decided { formula: &property.formula, text: &property.text, verdict: false };
//! let shown = Checker::new(&protocol.model, Options::default()).show(decided, &NoLimits);
//! let Ok(Shown::Evidence(evidence)) = shown else { panic!("{shown:?}") };
//! let path = evidence.line().path;
//! assert_eq!(path.steps.iter().map(|step| &*step.label).collect::<Vec<_>>(), ["User: press", "User: press"]);
//! ```

mod before;
mod build;
mod check;
mod cycle;
mod diagrams;
mod explain;
mod game;
mod generate;
mod lasso;
mod lift;
mod on_the_fly;
mod path_truth;
mod points;
mod product;
mod reach;
mod recheck;
mod replay;
mod scout;
mod search;
mod strategy;
mod wording;

pub use build::step;
pub use check::Checker;
pub use generate::{Decided, Failure, Shown, can_be_shown, generate, generate_from_sets};
pub use lift::Slicing;
pub use servanda_evidence::*;
