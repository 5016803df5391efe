//! Recorded conversations: `audit`, `library`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::super::audit::protocol::ProtocolArguments;
use super::super::values::{AfterValue, LevelValue};
use super::LimitArguments;

/// `audit`
#[derive(Args, Debug)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,
    /// The logs; `-` is standard input
    #[arg(required = true, value_name = "LOG")]
    pub(crate) logs: Vec<String>,
    #[command(flatten)]
    pub(crate) by: ProtocolArguments,
    /// The log is whole: what is open is judged on runs that go no further
    #[arg(long)]
    pub(crate) complete: bool,
    /// Keep reading as files grow, also when they are truncated or replaced
    #[arg(long, conflicts_with = "complete")]
    pub(crate) follow: bool,
    /// What has to be kept for exit status 0 [default: should]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelValue>,
    /// Follow only this view of the mapping
    #[arg(long, value_name = "NAME")]
    pub(crate) view: Option<String>,
    /// Tell only of the slice with this key, its parts with / between them
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// After a line that is not possible: give the slice up, ignore the line, or go on from the cheapest explanation
    #[arg(long, value_enum, default_value = "resync")]
    pub(crate) after: AfterValue,
    /// Judge by what this role could see of the conversation
    #[arg(long, value_name = "ROLE")]
    pub(crate) seen_by: Option<String>,
    /// The form of the results; text, jsonl and github are written as lines are read
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub(crate) format: AuditFormat,
    /// The most sets of states that are kept apart in a view; beyond that, verdicts stay open
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    pub(crate) limit: usize,
    /// The most slices of a view, and entries of a table, that are kept; those not used for longest are dropped
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_keys: usize,
    /// Lines that cannot be read: fail, or are counted
    #[arg(long, value_enum, default_value_t = BadLines::Fail)]
    pub(crate) bad_lines: BadLines,
    /// Report lines, slices, sets, rate and memory
    #[arg(long)]
    pub(crate) stats: bool,
    /// Draw the slice of each finding
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// The forms of what an audit finds.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditFormat {
    Text,
    Json,
    Jsonl,
    Junit,
    Sarif,
    Github,
}

/// What becomes of lines that cannot be read.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLines {
    Fail,
    Skip,
}

/// What else `audit` does.
#[derive(Subcommand, Debug)]
pub(crate) enum AuditCommand {
    /// Propose a mapping for a log: its fields, keys that may cut it into slices, labels
    Init(AuditInitArguments),
}

/// `audit init`
#[derive(Args, Debug)]
pub(crate) struct AuditInitArguments {
    /// The log; `-` is standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: String,
    /// Write the model that goes with the mapping instead of the mapping
    #[arg(long)]
    pub(crate) model: bool,
    /// What the mapping calls the model
    #[arg(long, value_name = "FILE", default_value = "conversation.pact")]
    pub(crate) model_name: String,
    /// Look at this many lines
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) lines: u64,
}

/// What `library` does.
#[derive(Subcommand, Debug)]
pub(crate) enum LibraryCommand {
    /// What there is
    List,
    /// The page of an entry: every rule with its level and where it stands
    Show {
        /// The entry
        name: String,
    },
    /// Write the models, mappings and recordings of an entry to a directory
    Copy {
        /// The entry
        name: String,
        /// The directory, which is made where there is none
        directory: PathBuf,
    },
}
