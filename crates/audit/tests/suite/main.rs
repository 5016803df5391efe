//! Tests of mappings, of reading, of audits, and of what a judge says against the definitions.

mod arbitrary;
mod audits;
mod cites;
mod common;
mod fields;
mod formats;
mod guide;
mod interleavings;
mod judge;
mod library;
mod logs;
mod mistakes;
mod readings;
