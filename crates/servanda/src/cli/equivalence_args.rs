//! The options of `equiv` and `minimise`.

use clap::{Args, ValueEnum};
use servanda_equiv::Relation;

use super::args::{LimitArguments, ModelArguments, OutputArguments};

/// `equiv`
#[derive(Args, Debug)]
pub(crate) struct EquivArguments {
    /// The first model: a .pact, .ispl or .aut file, or `-` for standard input
    #[arg(value_name = "A")]
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
    /// The model: a .pact, .ispl or .aut file, or `-` for standard input
    #[arg(value_name = "FILE")]
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
