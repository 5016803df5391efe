//! Editors, assistants and browsers: `lsp`, `mcp`, `serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser as _;

use super::super::values;
use super::LimitArguments;

/// `lsp`
#[derive(Args, Debug)]
pub(crate) struct LspArguments {
    /// Communicate over standard input and output, which is also the default: some editors pass this option
    #[arg(long)]
    pub(crate) stdio: bool,
    /// Read nothing outside of this directory: `file:///a/b.pact` is a/b.pact in it
    #[arg(long, value_name = "DIR")]
    pub(crate) within: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// `mcp`
#[derive(Args, Debug)]
pub(crate) struct McpArguments {
    /// The directory whose files can be named in calls; nothing else is read, and nothing is written
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) within: PathBuf,
    /// Speak over HTTP on this address instead of standard input and output; port 0 stands for any that is free
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:8421")]
    pub(crate) http: Option<String>,
    /// Work on at most this many calls at a time; others wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256).map(usize::from))]
    pub(crate) jobs: usize,
    #[command(flatten)]
    pub(crate) limits: JobLimitArguments,
}

/// `serve`
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    /// The directory whose models are shown
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// The address to listen on; port 0 stands for any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420")]
    pub(crate) listen: String,
    /// Open the address in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Run at most this many checks, simulations and similar jobs at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256).map(usize::from))]
    pub(crate) jobs: usize,
    #[command(flatten)]
    pub(crate) limits: JobLimitArguments,
}

/// What a job of the workbench may use.
#[derive(Args, Debug)]
pub(crate) struct JobLimitArguments {
    /// End a job after this time: 500ms, 60s, 2m, 1h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = values::duration)]
    pub(crate) timeout: Duration,
    /// End a job that holds more memory than this: 512M, 8G
    #[arg(long, value_name = "AMOUNT", default_value = "2G", value_parser = values::bytes)]
    pub(crate) memory: u64,
}
