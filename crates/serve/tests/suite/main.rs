//! The server, attacked and used over real sockets.

mod bench;
mod files;
mod flood;
mod jobs;
mod language;
mod outsiders;
mod pages;
mod paths;
