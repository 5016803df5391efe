//! Evidence for verdicts.

mod before;
mod build;
mod check;
mod cycle;
mod data;
mod explain;
mod game;
mod generate;
mod path_truth;
mod points;
mod reach;
mod recheck;
mod replay;
mod search;
mod strategy;
mod translate;
mod wording;

pub use check::Checker;
pub use data::*;
pub use generate::{Decided, Failure, Shown, generate};
