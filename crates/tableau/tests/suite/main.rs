//! The on-the-fly engine against the reference and known verdicts; its explorer.

mod corpus;
mod differential;
mod explorer;
mod random_ispl;
mod regressions;
