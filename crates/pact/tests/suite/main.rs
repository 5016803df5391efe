//! Pact: mistakes, meaning, standard form, the documented grammar, arbitrary input.

mod assignments;
mod errors;
mod format;
mod grammar;
mod meaning;
mod robust;
mod support;
