//! Laws of the logic on random protocols: formulas that must be valid, and questions that must get the same answer.
//!
//! No expected verdicts are needed: a law relates verdicts to each other. Each law is tried on a few hundred
//! protocols (`SERVANDA_TIMES` multiplies that number, `SERVANDA_SEED` other protocols).

mod ability;
mod commitments;
mod conformance;
mod fairness;
mod forms;
mod knowledge;
mod past;
mod support;
mod time;
