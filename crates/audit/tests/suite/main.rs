//! Tests of mappings, of reading, and of audits.

mod common;
mod logs;
