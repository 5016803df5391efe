//! The symbolic engine against the reference and known verdicts.

mod corpus;
mod differential;
mod ispl_corpus;
mod random_ispl;
mod unreachable;
