//! What the tests of every engine share: protocols checked against the verdicts written in them, random models and
//! formulas, engine-against-engine runs, and Markdown files as tests.
//!
//! ```
//! servanda_testkit::assert_expectations(
//!     "roles A, B  var p : bool = false  start s  s -- A: say set p = true --> t
//!      property said expect true = AF p",
//! );
//! ```

mod expectations;

pub use expectations::{Outcome, assert_expectations, assert_expectations_with, load, outcomes};
