//! Behaviour and what it should be: `conform`, `equiv`, `minimise`.

use clap::Args;
use servanda_equiv::Relation;

use super::super::values::{self, ComparisonChoice, RelationChoice};
use super::{LimitArguments, ModelArguments, OutputArguments, SubjectArguments};

/// `conform`
#[derive(Args, Debug)]
#[command(mut_arg("file", |file| file.help("File to judge: .pact, or `-` for standard input; with --to any model")))]
pub(crate) struct ConformArguments {
    #[command(flatten)]
    pub(crate) to: ConformToArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// What an agent is compared with, and how labels are read.
#[derive(Args, Debug)]
pub(crate) struct ConformToArguments {
    /// Compare the file, an agent, with this protocol
    #[arg(long, value_name = "PROTOCOL")]
    pub(crate) to: Option<String>,
    /// The role of the protocol that the agent plays: what the role does is the agent's own to choose
    #[arg(long = "as", value_name = "ROLE", requires = "to")]
    pub(crate) role: Option<String>,
    /// A label that is the agent's own to choose; `*` at the end stands for anything (may be repeated)
    #[arg(long, value_name = "LABEL", requires = "to")]
    pub(crate) own: Vec<String>,
    /// A label that becomes internal in both; `*` at the end stands for anything (may be repeated)
    #[arg(long, value_name = "LABEL", requires = "to")]
    pub(crate) hide: Vec<String>,
    /// What the agent calls so, and what the protocol calls it (may be repeated)
    #[arg(long, value_name = "LABEL=LABEL", requires = "to", value_parser = values::renaming)]
    pub(crate) rename: Vec<String>,
}

/// `equiv`
#[derive(Args, Debug)]
pub(crate) struct EquivArguments {
    #[arg(value_name = "A", help = values::any_file("The first model"))]
    pub(crate) left: String,
    /// The second model
    #[arg(value_name = "B")]
    pub(crate) right: String,
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = ComparisonChoice(Relation::Strong.into()))]
    pub(crate) relation: ComparisonChoice,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// `minimise`
#[derive(Args, Debug)]
pub(crate) struct MinimiseArguments {
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = RelationChoice(Relation::Strong))]
    pub(crate) relation: RelationChoice,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
}
