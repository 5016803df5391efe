//! Which model is meant, when to give up on it and how results are told: what many commands share.

use std::time::Duration;

use clap::{Args, ValueEnum};
use servanda::Loaded;
use servanda_report::Finding;

use super::super::input;
use super::super::setting::{self, Setting};
use super::super::values::{self, InputKind};

/// The language of the input.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InputArguments {
    /// The language of the input, whatever the file is called
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input: Option<InputKind>,
}

/// Which model is meant.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ModelArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    /// Set a parameter of the protocol (may be repeated); check and size also go through ranges and lists of values: N=2..8,
    /// N=2,4,8
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting::parameter)]
    pub(crate) param: Vec<Setting>,
    /// The process of a CCS file; FILE:NAME says the same
    #[arg(long, value_name = "NAME")]
    pub(crate) process: Vec<String>,
    /// The file that says which actions of a CCS or ISPL file are which acts on which commitments; usually the one beside it that is
    /// called as it, with the ending .acts
    #[arg(long, value_name = "FILE")]
    pub(crate) acts_file: Option<String>,
}

/// One file with a model, whatever the language, and when to give up on it.
#[derive(Args, Debug)]
pub(crate) struct SubjectArguments {
    #[arg(value_name = "FILE", help = values::any_file("File with the model"))]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

impl SubjectArguments {
    /// Reads and loads the model.
    pub(crate) fn load(&self) -> Result<Loaded, Vec<Finding>> {
        input::load(&self.file, &self.model)
    }

    /// The name that messages and reports use for it.
    pub(crate) fn name(&self) -> &str {
        input::shown_name(&self.file)
    }
}

/// When to give up.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArguments {
    /// Stop after this time: 500ms, 60s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the program holds more memory than this: 512M, 8G
    #[arg(long, value_name = "AMOUNT", value_parser = values::bytes)]
    pub(crate) memory: Option<u64>,
}

impl LimitArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        LimitArguments { timeout: self.timeout.or(other.timeout), memory: self.memory.or(other.memory) }
    }
}

/// The form of results.
#[derive(Args, Debug)]
pub(crate) struct OutputArguments {
    /// The form of the results; json is one object on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}
