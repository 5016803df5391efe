//! Formulas as automata: `abta`.

use clap::{Args, ValueEnum};

use super::super::values::{self, AbtaLogic, AbtaRules, Acts};
use super::{LimitArguments, ModelArguments};

/// `abta`
#[derive(Args, Debug)]
pub(crate) struct AbtaArguments {
    /// The formula, a state formula
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: String,
    /// The rules: sound ones, or the papers' own [default: sound, with --model paper]
    #[arg(long, value_enum)]
    pub(crate) rules: Option<AbtaRules>,
    /// Whose rules and numbers, with --rules paper [default: ctlca if the formula has PC, React or a past operator,
    /// else actl; with --model, how the model reads acts]
    #[arg(long, value_enum)]
    pub(crate) logic: Option<AbtaLogic>,
    /// How act formulas are read, with --rules sound [default: actl]
    #[arg(long, value_enum, value_name = "LOGIC")]
    pub(crate) acts: Option<Acts>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = AbtaFormat::Text)]
    pub(crate) format: AbtaFormat,
    /// Keep one state per row of the tableau, with --rules sound
    #[arg(long)]
    pub(crate) no_simplify: bool,
    /// The most rows that the tableau may have
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) states: usize,
    /// Show length, closure and order of the formula and the bounds that the papers derive from them, with --rules paper
    #[arg(long)]
    pub(crate) closure: bool,
    #[arg(long, value_name = "FILE", help = values::any_file("Make the product with this model and search it as the papers do"))]
    pub(crate) model: Option<String>,
    /// The most nodes that the product may have [default: 1000000]
    #[arg(long, value_name = "N", requires = "model")]
    pub(crate) nodes: Option<usize>,
    #[command(flatten)]
    pub(crate) reading: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbtaFormat {
    Text,
    Json,
    Dot,
    Svg,
    Hoa,
}
