//! Tests of mappings, of reading, of audits, and of what a judge says against the definitions.

mod common;
mod judge;
mod logs;
