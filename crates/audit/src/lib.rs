//! Recorded conversations judged against protocols.
//!
//! A mapping cuts a log into slices and turns its lines into labels of models; each slice follows its model, and what the model's runs
//! that agree with the slice say of properties and commitments is the verdict. Nothing here reads a file or a clock.

mod finding;
pub mod judge;

pub use finding::{
    Certainty, Change, Explanation, Finding, Kind, Line, Outcome, Possible, Rule, Sink, Step, Verdict,
};
