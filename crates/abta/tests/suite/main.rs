//! Automata: the papers' worked examples, words, formats, arbitrary formulas, and soundness against `enumerate`.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod arbitrary;
mod formats;
mod measures;
mod soundness;
mod words;
mod worked_examples;
