//! Between programs that talk: `tap`, `proxy`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::audit::protocol::OptionalProtocolArguments;
use super::super::values::{self, LevelValue};

/// What a `tap` and a `proxy` do with what passes.
#[derive(Args, Debug)]
pub(crate) struct PassingArguments {
    #[command(flatten)]
    pub(crate) by: OptionalProtocolArguments,
    /// Record what passes, at the end of this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Answer requests that break the protocol with an error instead of passing them on
    #[arg(long, requires = "judged")]
    pub(crate) enforce: bool,
    /// What has to be kept for exit status 0 [default: should]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelValue>,
    /// The form of findings on standard error
    #[arg(long, value_enum, default_value_t = PassingFormat::Text)]
    pub(crate) format: PassingFormat,
    /// Longer messages are passed on without being kept, longer requests to a proxy are refused: 512K, 16M
    #[arg(long, value_name = "AMOUNT", value_parser = values::bytes, default_value = "16M")]
    pub(crate) longest: u64,
}

/// The forms of findings that are told beside a conversation.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassingFormat {
    Text,
    Jsonl,
}

/// `tap`
#[derive(Args, Debug)]
pub(crate) struct TapArguments {
    #[command(flatten)]
    pub(crate) passing: PassingArguments,
    /// What the conversation is called in records [default: the number of the process]
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// The server and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// `proxy`
#[derive(Args, Debug)]
pub(crate) struct ProxyArguments {
    /// Where to listen; on loopback unless stated otherwise
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Where everything goes: http://127.0.0.1:8000, https://agent.example/base
    #[arg(long, value_name = "URL")]
    pub(crate) target: String,
    /// A name by which clients may address the proxy besides its address (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// The most connections at a time
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub(crate) connections: usize,
    #[command(flatten)]
    pub(crate) passing: PassingArguments,
}
