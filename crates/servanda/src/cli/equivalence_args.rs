//! The options of `equiv` and `minimise`.

use clap::{Args, ValueEnum};
use servanda_equiv::Relation;

use super::args::{LimitArguments, ModelArguments, OutputArguments};
use super::values;

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
    #[arg(value_name = "FILE", help = values::any_file("The model"))]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) relation: RelationArguments,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// When two models count as the same.
#[derive(Args, Debug)]
pub(crate) struct RelationArguments {
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = RelationChoice::Strong)]
    relation: RelationChoice,
}

impl RelationArguments {
    /// In the words of the library.
    pub(crate) fn relation(&self) -> Relation {
        match self.relation {
            RelationChoice::Strong => Relation::Strong,
            RelationChoice::Branching => Relation::Branching,
            RelationChoice::Weak => Relation::Weak,
            RelationChoice::Trace => Relation::Trace,
            RelationChoice::Simulation => Relation::Simulation,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum RelationChoice {
    Strong,
    Branching,
    Weak,
    Trace,
    Simulation,
}
