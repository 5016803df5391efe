//! Stepping through a model: `sim`.

use std::path::PathBuf;

use clap::Args;
use servanda::Language;

use super::{Format, LimitArguments, ModelArguments, ReadingArguments};

/// `sim`
#[derive(Args, Debug)]
pub(crate) struct SimArguments {
    #[arg(value_name = "FILE", help = format!("File to step through: {}", Language::endings("or")))]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Take this many steps at random, say how often what happened, and end
    #[arg(long, value_name = "STEPS")]
    pub(crate) random: Option<usize>,
    /// Make this many walks of that many steps, and show only how often what happened
    #[arg(long, value_name = "N")]
    pub(crate) walks: Option<u64>,
    /// The form of what --random says; json is one object on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Where chance begins; the same number makes the same walk
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Watch this condition or expression from the beginning (may be repeated)
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) watch: Vec<String>,
    /// The results of a check as JSON, with a trace: the command `n` follows it
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// The property whose trace is followed [default: the first that has one]
    #[arg(long, value_name = "NAME", requires = "trace")]
    pub(crate) property: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}
