//! Verification of communicating agents: the façade over front ends and engines.
//!
//! Load a text with [`Loaded::read`], choose what to ask with
//! [`Loaded::questions`], and hand both to [`check`], or one of them to [`explain()`]; [`size`], [`conform`], [`equiv`], [`minimise`] and the conversions need no
//! questions. Nothing here prints, reads a file or reads a clock: time and limits come in with a
//! [`Watch`], results go out as the plain reports of the report crate. What programs need for that is in [`host`].
//!
//! ```
//! use servanda::{CheckOptions, Choices, Language, Loaded, Watch, check};
//!
//! let text = "protocol Switch\nroles Ann\nvar on : bool = false\nstart s\ns -- Ann: flip set on = !on --> s\n";
//! let loaded = Loaded::read(Language::Pact, "switch.pact", text, Choices::default()).unwrap();
//! let questions = loaded.questions(&[], &["AG EF on".to_owned()]).unwrap();
//! let report = check(&loaded, &questions, CheckOptions::default(), Watch::none());
//! assert_eq!(report.properties[0].verdict.word(), "true");
//! assert_eq!(report.model.unwrap().counts().unwrap().states.to_string(), "2");
//! ```

mod audit;
mod beside;
mod certify;
mod check;
mod conform;
mod conform_to;
mod convert;
mod course;
mod engine;
mod equiv;
mod explain;
mod halt;
pub mod host;
mod language;
mod load;
mod origins;
mod other_side;
mod present;
mod product;
mod rate;
mod reach;
mod scenario;
mod size;
mod slices;
mod states;
mod trace;
mod warnings;
mod watch;
pub mod workbench;

pub use audit::{Rules, entry, totals};
pub use beside::joined;
pub use certify::certify;
pub use check::{CheckOptions, EmptyModel, ReachedDeadlock, Traces, check};
pub use conform::conform;
pub use conform_to::{Terms, conform_to};
pub use convert::{Converted, convert};
pub use course::Course;
pub use engine::{BDD, CLUSTER, ENUMERATE, EngineChoice, EngineOptions, SAT, TABLEAU, engine_names};
pub use equiv::{Minimised, Named, equiv, minimise};
pub use explain::{Drawing, Explained, explain, explained};
pub use halt::Refusal;
pub use language::{ActsFile, Choices, FindText, FrontEnd, Language, Meaning, StandardForm};
pub use load::{Loaded, Question};
pub use present::{Known, Present, RunSoFar};
pub use product::{automaton_picture, product, product_picture};
pub use rate::Rate;
pub use reach::{Move, PackedStates, Reached, holding, reach};
pub use scenario::as_it_is;
pub use servanda_cluster::{Dismissed, Mesh, Patience, Place, Storage, Unmet};
pub use servanda_export::{TARGETS, Writer};
pub use servanda_sat::{Certified, Obligations};
pub use size::size;
pub use states::{StatesOptions, state_set, states};
pub use watch::{Clock, NoClock, Watch};
