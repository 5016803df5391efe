//! The options of `equiv` and `minimise`.

use clap::Args;
use servanda_equiv::Relation;

use super::args::{LimitArguments, ModelArguments, OutputArguments, SubjectArguments};
use super::values::{self, RelationChoice};

/// `equiv`
#[derive(Args, Debug)]
pub(crate) struct EquivArguments {
    #[arg(value_name = "A", help = values::any_file("The first model"))]
    pub(crate) left: String,
    /// The second model
    #[arg(value_name = "B")]
    pub(crate) right: String,
    #[command(flatten)]
    pub(crate) relation: RelationArguments,
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
    #[command(flatten)]
    pub(crate) relation: RelationArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
}

/// When two models count as the same.
#[derive(Args, Debug)]
pub(crate) struct RelationArguments {
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = RelationChoice(Relation::Strong))]
    pub(crate) relation: RelationChoice,
}
