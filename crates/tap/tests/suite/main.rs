//! The tap and the proxy, between programs of these tests.

mod proxy;
mod stdio;
mod watcher;
