//! The sound automaton accepts exactly the models of its formula: run on random protocols it says what the reference
//! engine says.

mod contradictions;
mod graph;
mod random;
mod scoped;
mod solve;
