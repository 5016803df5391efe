//! Evidence for verdicts.

mod before;
mod build;
mod cycle;
mod data;
mod explain;
mod generate;
mod points;
mod reach;
mod search;
mod strategy;
mod wording;

pub use data::*;
pub use generate::{Decided, Failure, Shown, generate};
