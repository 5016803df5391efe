//! Evidence for verdicts.

mod data;

pub use data::*;
