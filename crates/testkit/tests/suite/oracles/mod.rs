//! The language Pact, and the modalities of sections 4 to 7 of the semantics, read word by word on explicit graphs
//! and compared with the reference engine state by state.

mod ability;
mod branching_past;
mod effects;
mod fairness;
mod knowledge;
mod recall;
mod steps;
mod support;
