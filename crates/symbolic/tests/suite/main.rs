//! The symbolic engine against the reference and known verdicts.

mod differential;
mod satisfying;
mod unreachable;
