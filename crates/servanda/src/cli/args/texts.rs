//! Texts: `fmt`, `convert`.

use clap::Args;

use super::super::values::ConversionTarget;
use super::{InputArguments, SubjectArguments};

/// `fmt`
#[derive(Args, Debug)]
pub(crate) struct FmtArguments {
    /// Files to format: .pact, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Write nothing but the names of files that are not in standard form; exit status 1 if there are any
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Rewrite the files
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) input: InputArguments,
}

/// `convert`
#[derive(Args, Debug)]
pub(crate) struct ConvertArguments {
    /// The language to write
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) to: ConversionTarget,
    /// Where to write the acts of a Pact protocol that becomes CCS or ISPL
    #[arg(long, value_name = "FILE")]
    pub(crate) write_acts: Option<String>,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
}
