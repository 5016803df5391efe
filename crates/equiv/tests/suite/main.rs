//! Equivalences and preorders: the classical examples, and everything against definitions written down naively.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod checked;
mod classical;
mod large;
mod naive;
mod preorders;
mod random;
mod stopping;
mod systems;
mod textbook;
