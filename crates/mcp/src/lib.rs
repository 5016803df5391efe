//! The server for coding assistants: checks, explanations, simulations, formatting and audits as tools of the Model Context Protocol, the
//! documentation, the library and the examples as its resources.
//!
//! The protocol itself is spoken by the official SDK (`rmcp`). What a tool decides is decided by a job (`servanda_serve::job`), a process
//! that ends with the call it was started for; the program that uses this says what a job is started with ([`Settings`]). Nothing is
//! written, and nothing is read but what is below one directory.

mod answer;
mod arguments;
mod desk;
mod handler;
mod http;
mod pipe;
mod prompts;
mod resources;
mod subject;
mod tools;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use servanda_serve::{Folder, Limits, Program};

use crate::desk::Desk;
use crate::handler::Handler;
use crate::pipe::Pipe;

pub use crate::http::Http;

/// How long what is left to be done may take when the server ends.
const LAST: Duration = Duration::from_millis(200);

/// What a server is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directory whose files are read.
    pub directory: PathBuf,
    /// What a job is started with ([`servanda_serve::Settings::job`]).
    pub job: Program,
    /// What may be used.
    pub limits: Limits,
    /// The version of the program.
    pub version: &'static str,
}

/// A server.
pub struct Server {
    handler: Handler,
    limits: Limits,
}

impl Server {
    /// Opens the directory.
    ///
    /// # Errors
    ///
    /// It cannot be opened; the error says so.
    pub fn new(settings: Settings) -> io::Result<Server> {
        let Settings { directory, job, limits, version } = settings;
        let folder = Folder::open(&directory, limits.file)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", directory.display())))?;
        let desk = Arc::new(Desk::new(folder, job, limits));
        Ok(Server { handler: Handler { desk, version }, limits })
    }

    /// Listens on an address, as in `127.0.0.1:0`, and lets those in who know the token.
    ///
    /// # Errors
    ///
    /// Nobody can listen there.
    pub fn http(self, listen: &str, token: String) -> io::Result<Http> {
        Http::new(self.handler, self.limits, (listen, token))
    }

    /// Speaks over standard input and output until the other side ends it, or it is told to end; then all jobs end too.
    ///
    /// # Errors
    ///
    /// The system does not let it work.
    pub fn stdio(self, until: impl Future<Output = ()>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let over = self.handler.desk.over.clone();
            let streams = (tokio::io::stdin(), tokio::io::stdout());
            let pipe = Pipe::new(streams, self.limits.message, over.clone());
            let conversation = async {
                // Who leaves before anything was agreed on has just left.
                if let Ok(running) = self.handler.serve(pipe).await {
                    let _ = running.waiting().await;
                }
            };
            tokio::select! {
                () = conversation => {}
                () = until => {}
            }
            over.cancel();
        });
        // Tasks are dropped here, and with each job its process is ended. Whoever still waits for standard input would wait for ever.
        runtime.shutdown_timeout(LAST);
        Ok(())
    }
}
