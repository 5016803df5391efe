//! Recorded conversations judged against protocols.
//!
//! A mapping cuts a log into slices and turns its lines into labels of models; each slice follows its model, and what the model's runs
//! that agree with the slice say of properties and commitments is the verdict. Nothing here reads a file or a clock.

mod auditor;
mod evaluate;
mod finding;
mod follow;
pub mod judge;
pub mod mapping;
mod options;
mod order;
mod plan;
pub mod propose;
pub mod read;
mod slices;
mod store;
mod tables;

pub use auditor::Auditor;
pub use finding::{
    Certainty, Change, Ended, Explanation, Finding, Kind, Line, Outcome, Possible, Rule, Said, Sink, Step,
    Verdict,
};
pub use follow::Asked;
pub use options::{After, Options, Stats};
