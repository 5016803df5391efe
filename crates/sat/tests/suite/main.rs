//! The satisfiability engine against the reference and known verdicts; its certificates and files.

mod bounded;
mod certificates;
mod differential;
mod guesses;
mod satisfying;
mod stopping;
mod sums;
