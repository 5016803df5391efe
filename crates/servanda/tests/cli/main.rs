//! The program as users and scripts meet it.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod abta;
mod check;
mod conform;
mod convert;
mod engines;
mod exit_status;
mod explain;
mod fmt;
mod help;
mod input;
mod ispl;
mod program;
mod readme;
mod size;
mod stopping;
