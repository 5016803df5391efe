//! The commands, and what they share.

pub(crate) mod abta;
pub(crate) mod args;
mod certificates;
pub(crate) mod check;
pub(crate) mod conform;
pub(crate) mod convert;
pub(crate) mod equiv;
pub(crate) mod exit;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod minimise;
mod plot;
pub(crate) mod progress;
pub(crate) mod project;
mod results;
mod setting;
pub(crate) mod shell;
pub(crate) mod sim;
pub(crate) mod size;
pub(crate) mod states;
pub(crate) mod stopwatch;
pub(crate) mod terminal;
pub(crate) mod values;
mod watcher;
