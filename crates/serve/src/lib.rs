//! The server of the workbench: pages, the files of one directory, jobs in processes of their own, the language server over a socket.
//!
//! The program that uses it says which directory it is, what a job and the language server are started with, and what they may use
//! ([`Settings`]). What is asked and answered is in `web/src/protocol.ts`.
//!
//! Who may ask is decided in `gate.rs`, for every request: the name that the server was called by, the page that the request comes from, and
//! the token. What may be opened is decided in `folder.rs`. A job is a child process (`child.rs`) that ends with the socket it was asked for on.

mod child;
mod connections;
mod error;
mod files;
mod folder;
mod gate;
pub mod job;
mod jobs;
mod language;
mod lines;
mod markdown;
mod pages;
mod resources;
mod server;
mod socket;
mod texts;
mod version;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub use connections::accept;
pub use error::Refused;
pub use folder::{Contents, Folder};
pub use gate::{Names, dress, is_same, one, origin};
pub use server::{Server, interrupted, listen, token};

/// What a server is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directory whose files are shown and written.
    pub directory: PathBuf,
    /// The address to listen on, as in `127.0.0.1:0`.
    pub listen: String,
    /// What a job is started with. It reads what it is asked as a line of JSON, then what is said to it, and writes events, a line each;
    /// it ends when its standard input ends. Exit status 0: it has done what was asked; 2: that makes no sense; 3: it reached its limit of time; 4: of memory; anything
    /// else: it crashed.
    pub job: Program,
    /// What the language server is started with.
    pub language: Program,
    /// The protocols that logs can be judged by.
    pub library: Vec<LibraryEntry>,
    /// What may be used.
    pub limits: Limits,
}

/// A program with its arguments.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A protocol of the library.
#[derive(Clone, Debug, serde::Serialize)]
pub struct LibraryEntry {
    /// What it is called in requests.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// The kinds of logs it comes with a reader for.
    pub sources: Vec<String>,
}

/// What may be used at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time of a job; of a conversation, what it may work on one answer.
    pub time: Duration,
    /// The memory of a job, in bytes.
    pub memory: u64,
    /// Jobs at a time.
    pub jobs: usize,
    /// Language servers at a time.
    pub languages: usize,
    /// Connections at a time.
    pub connections: usize,
    /// The size of a file, in bytes.
    pub file: usize,
    /// The size of a message on a socket, and of a line of a job, in bytes.
    pub message: usize,
    /// How long a client may take to send a request.
    pub request: Duration,
    /// A connection is closed between two requests when it is so old, so that one whose other side does not read is not kept for ever.
    pub life: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(300),
            memory: 2 << 30,
            jobs: 8,
            languages: 16,
            connections: 200,
            file: 8 << 20,
            message: 32 << 20,
            request: Duration::from_secs(15),
            life: Duration::from_secs(300),
        }
    }
}
