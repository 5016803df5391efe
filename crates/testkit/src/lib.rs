//! What the tests of every engine share: protocols checked against the verdicts written in them, random models and
//! formulas, engine-against-engine runs, and Markdown files as tests.
//!
//! ```
//! servanda_testkit::assert_expectations(
//!     "roles A, B  var p : bool = false  start s  s -- A: say set p = true --> t
//!      property said expect true = AF p",
//! );
//! ```
//!
//! An engine is compared with the reference engine by making it a [`Decider`]:
//!
//! ```
//! use servanda_testkit::{Reference, Trials, compare};
//!
//! compare(Trials { cases: 20, seed: 1 }, &Reference, &Reference);
//! ```
//!
//! What such a comparison rests on is itself tested without an engine: [`lasso`] reads path formulas on single paths,
//! [`Walks`] finds states and transitions by itself, and [`random::Meaning`] says what a random protocol does without
//! looking at its text.

mod compare;
pub mod corpus;
mod damage;
mod decider;
mod engines;
mod expectations;
pub mod lasso;
pub mod markdown;
mod patience;
pub mod random;
mod ticks;
mod trials;
mod walks;

pub use compare::{
    RandomModel, agreement, compare, compare_ends, compare_on_ispl, compare_recalling, compare_ticking,
    compare_with_fair_steps,
};
pub use damage::{PIECES, damage};
pub use decider::{Counted, Decider, Limits, Reference, verdicts_of};
pub use engines::{Room, verdicts_of_all};
pub use expectations::{
    assert_expectations, assert_expectations_of_file, assert_expectations_with, load, load_file,
};
pub use patience::Patience;
pub use ticks::{make_a_label_tick, with_bounds};
pub use trials::{Trials, Tried};
pub use walks::Walks;
