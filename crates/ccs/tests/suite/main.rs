//! CCS: rules, mistakes, examples, arbitrary and random processes.

mod actions;
mod errors;
mod examples;
mod random;
mod robust;
mod rules;
mod support;
