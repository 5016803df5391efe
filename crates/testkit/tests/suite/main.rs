//! The semantics, laws and oracles; examples, documentation and corpora.

mod assignments;
mod comparison;
mod contradictions;
mod corpus;
mod docs;
mod examples;
mod expressions;
mod in_force;
mod lassos;
mod laws;
mod oracles;
mod random;
mod semantics;
mod talks;
