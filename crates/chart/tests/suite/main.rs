//! Charts: by hand, arbitrary ones, and from evidence.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod by_hand;
mod evidence;
mod random;
mod support;
