//! Evidence: for random models, for the examples and corpora, and for what was known before.

mod alike;
mod common;
mod diagrams;
mod examples;
mod known;
mod random;
mod steps;
