//! What the tests of every engine share: protocols checked against the verdicts written in them, random models and
//! formulas, engine-against-engine runs, and Markdown files as tests.
//!
//! ```
//! servanda_testkit::assert_expectations(
//!     "roles A, B  var p : bool = false  start s  s -- A: say set p = true --> t
//!      property said expect true = AF p",
//! );
//! ```

mod compare;
mod decider;
mod expectations;
pub mod lasso;
pub mod markdown;
pub mod random;
mod trials;
mod walks;

pub use compare::{compare, compare_within, options};
pub use decider::{Decider, Limits, Reference};
pub use expectations::{Outcome, assert_expectations, assert_expectations_with, load, outcomes};
pub use trials::{Trials, Tried};
pub use walks::Walks;
