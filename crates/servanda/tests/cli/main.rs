//! The program as users and scripts meet it.

mod check;
mod conform;
mod exit_status;
mod fmt;
mod help;
mod input;
mod program;
mod size;
mod stopping;
