//! Output formats and diagnostics.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod audits;
mod diagnostics;
mod formats;
mod reports;
