//! Results for people and machines.
//!
//! A command fills in one of the plain reports ([`CheckReport`], [`ConformReport`], [`EquivReport`]); each module here
//! renders them in one output format and returns a string. Nothing in this crate prints, reads a clock or knows an
//! engine.
//!
//! ```
//! use servanda_report::{CheckReport, PropertyReport, Style, Trace, text};
//! use servanda_engine::Verdict;
//!
//! let mut report = CheckReport::new("shop.pact", "enumerate");
//! report.properties.push(PropertyReport {
//!     name: "paid".to_owned(),
//!     formula: "AF paid".to_owned(),
//!     verdict: Verdict::False,
//!     expected: Some(true),
//!     engine: "enumerate",
//!     seconds: 0.01,
//!     trace: Trace::NotAsked,
//!     level: Default::default(),
//!     cite: None,
//!     scenario: None,
//!     location: None,
//! });
//! let shown = text::check(&report, Style::plain());
//! assert!(shown.contains("✗ paid  false, expected true"));
//! ```

pub mod audit;
pub mod csv;
mod data;
pub mod diagnostics;
mod excerpt;
pub mod github;
pub mod itf;
pub mod json;
pub mod junit;
mod location;
mod parcel;
mod path_words;
pub mod plot;
pub mod sarif;
mod style;
pub mod text;
mod verdicts;
mod visible;
pub mod words;
mod xml;

pub use data::{
    ActReport, CheckReport, ClaimReport, Compared, ConformReport, DecompositionReport, DifferenceKind,
    DifferenceReport, DutiesReport, DutyReport, EquivReport, Finding, Input, ModelReport, Origin, Outcome,
    Phase, PropertyReport, Reached, Run, ScenarioReport, SliceReport, Space, StatesReport, Status,
    SystemReport, Trace, WalksReport, Way, Written, setting,
};
pub use location::Location;
pub use parcel::Parcel;
pub use servanda_engine::{
    ActConformance, Certainty, Counts, Diagrams, Satisfying, Savings, Share, Solving, Spread,
    SymmetrySavings, TurnBreak,
};
pub use servanda_model::Level;
pub use style::{Colour, Detail, Statistics, Style};
pub use visible::{harmless, visible};
