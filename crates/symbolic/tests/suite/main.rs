//! The symbolic engine against the reference and known verdicts.

mod differential;
mod nets;
mod random_nets;
mod satisfying;
mod saturation;
mod stopping;
mod unreachable;
