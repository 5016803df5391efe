//! Pact: mistakes, meaning, standard form, arbitrary input.

mod assignments;
mod errors;
mod format;
mod meaning;
mod robust;
mod support;
