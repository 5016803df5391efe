//! Tests of mappings, of reading, of audits, and of what a judge says against the definitions.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod admissions;
mod arbitrary;
mod audits;
mod cites;
mod common;
mod comparisons;
mod editing;
mod fields;
mod formats;
mod fuzz;
mod guide;
mod interleavings;
mod judge;
mod library;
mod logs;
mod mistakes;
mod orders;
mod promises;
mod proposals;
mod readings;
