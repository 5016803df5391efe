//! Questions about one model: `check`, `size`, `states`, `explain`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use servanda::Drawing;

use super::super::values::{self, DrawingKind, LevelValue};
use super::{
    ClusterArguments, EngineArguments, LimitArguments, MOST_THREADS, ModelArguments, ReadingArguments,
    StorageArguments, SubjectArguments,
};

/// `check`
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[arg(value_name = "FILE", help = values::any_file("Files to check") + "; without any, the project")]
    pub(crate) files: Vec<String>,
    /// The project to check: its servanda.toml, or the directory that holds it
    #[arg(long, value_name = "PATH", conflicts_with = "files")]
    pub(crate) project: Option<PathBuf>,
    /// Decide only this property (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Decide this formula (may be repeated); without --property, only formulas given here are decided
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Vec<String>,
    /// Show the counterexample or witness with each verdict that one path can show
    #[arg(long)]
    pub(crate) trace: bool,
    /// Write a proof of each property AG φ that holds, as files that any SAT solver can check
    #[arg(long, value_name = "DIR", conflicts_with = "bound")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
    #[command(flatten)]
    pub(crate) storage: StorageArguments,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// The form of the results: json, junit (XML) and sarif are one document on standard output, jsonl is one object per line, for each
    /// verdict when it is known and for each file, csv is a table with a row for
    /// each file and each setting of its parameters, github is one annotation of a pull request per line
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Write the results to this file in the form that --format says, whole or not at all; standard output shows them as text. With
    /// several files it is rewritten after each one, and what is not yet decided is reported as undecided
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) plot: PlotArguments,
    /// Spread models and settings of parameters over this many processes; 0, or no number: as many as there are processors
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "0", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=MOST_THREADS), hide_default_value = true)]
    pub(crate) jobs: u16,
    /// Let a model pass in which nothing is and nothing happens, such as an empty file
    #[arg(long)]
    pub(crate) allow_empty: bool,
    #[command(flatten)]
    pub(crate) demands: DemandArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

impl CheckArguments {
    /// How many processes there may be at work at a time.
    pub(crate) fn most_jobs(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs.into(),
        }
    }
}

/// One part of a check that is spread over processes.
#[derive(Args, Debug)]
pub(crate) struct PartArguments {
    /// The arguments of the whole
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub(crate) whole: Vec<OsString>,
}

/// The forms of the results of `check`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    Jsonl,
    Junit,
    Sarif,
    Csv,
    Github,
    /// For the process that asked for one part of the work
    #[value(skip)]
    Part,
}

/// What has to be as wanted.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DemandArguments {
    /// A verdict that is not as wanted is a failure at this level and above: must, should, may [default: must]
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub(crate) level: Option<LevelValue>,
}

/// `size`
#[derive(Args, Debug)]
pub(crate) struct SizeArguments {
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
    #[command(flatten)]
    pub(crate) storage: StorageArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    /// The form of the results; json is one object on standard output, csv is a table with a row for each setting of the parameters
    #[arg(long, value_enum, default_value_t = SizeFormat::Text)]
    pub(crate) format: SizeFormat,
    #[command(flatten)]
    pub(crate) plot: PlotArguments,
}

/// The forms of sizes.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeFormat {
    Text,
    Json,
    Csv,
}

/// Whether growth is drawn.
#[derive(Args, Debug)]
pub(crate) struct PlotArguments {
    /// Draw how states, time and memory grow with a parameter that has several values, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// `states`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["property", "formula"])))]
pub(crate) struct StatesArguments {
    /// The property that the states satisfy
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// The formula that the states satisfy
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// Show at most this many states or cubes
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Show cubes instead of states
    #[arg(long)]
    pub(crate) cubes: bool,
    /// Put these variables on top of the order of the diagrams' variables; --stats shows the order
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) order: Vec<String>,
    /// Look for a better order of the diagrams' variables first (sifting)
    #[arg(long)]
    pub(crate) reorder: bool,
    /// The form of the result
    #[arg(long, value_enum, default_value_t = SetFormat::Text)]
    pub(crate) format: SetFormat,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

/// The forms of sets of states.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetFormat {
    Text,
    Json,
    /// In the notation of the engine
    Set,
}

/// `explain`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["property", "formula"])))]
pub(crate) struct ExplainArguments {
    /// The property whose verdict is explained
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// The formula whose verdict is explained
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// What to draw with: text for the terminal, svg, mermaid, html for a page with everything, dot for the state graph with the
    /// path highlighted; or itf: the path alone as an ITF trace, for programs
    #[arg(long, value_enum, default_value_t = DrawingKind(Drawing::Text))]
    pub(crate) format: DrawingKind,
    /// The most characters in a line of text
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub(crate) width: u16,
    /// Draw every step, also of long runs that repeat themselves
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}
