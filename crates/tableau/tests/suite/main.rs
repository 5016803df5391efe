//! The on-the-fly engine against the reference and known verdicts; its explorer.

mod differential;
mod explorer;
mod regressions;
