//! Tests of mappings, of reading, of audits, and of what a judge says against the definitions.

mod arbitrary;
mod audits;
mod common;
mod judge;
mod fields;
mod formats;
mod interleavings;
mod logs;
mod mistakes;
