//! The sound automaton accepts exactly the models of its formula: run on random protocols it says what the reference
//! engine says.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod contradictions;
mod graph;
mod random;
mod scoped;
mod solve;
