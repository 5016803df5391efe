//! The tap and the proxy, between programs of these tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod proxy;
mod stdio;
mod watcher;
