//! The server, attacked and used over real sockets.

#![allow(clippy::unwrap_used)]

mod bench;
mod files;
mod flood;
mod jobs;
mod language;
mod outsiders;
mod pages;
mod paths;
