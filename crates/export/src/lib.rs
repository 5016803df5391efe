//! Models for other programs.
//!
//! A conversion target is one row of the table below and one writer in a file of its own. Where the text is a language that a
//! front end reads, its printer stays with that front end, and the file here says what must be done before it.
//!
//! ```
//! use servanda_export::Target;
//!
//! assert_eq!(Target::ALL.iter().map(|target| target.writer().name).next(), Some("ispl"));
//! ```

mod aiger;
mod aut;
mod graph;
mod ispl;
mod smv;

use servanda_chart::GraphFailure;
use servanda_engine::{Budget, Validity};
use servanda_lts::{Lts, Unexplored};
use servanda_model::{Model, Property};

macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident $writer:path,)*) => {
        /// What a model can be written as.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Target {
            $($(#[$doc])* $name,)*
        }

        impl Target {
            /// All of them.
            pub const ALL: &[Target] = &[$(Target::$name),*];

            /// What writes it.
            pub fn writer(self) -> &'static Writer {
                match self {
                    $(Target::$name => &$writer,)*
                }
            }
        }
    };
}

targets! {
    /// ISPL in the dialect of MCMAS 1.x.
    Ispl ispl::WRITER,
    /// The transition system in the format of Aldebaran.
    Aut aut::WRITER,
    /// And-inverter graphs, for hardware model checkers.
    Aiger aiger::WRITER,
    /// The language of NuSMV and nuXmv.
    Smv smv::WRITER,
    /// The state graph for Graphviz.
    Dot graph::DOT,
    /// The state graph as a drawing.
    Svg graph::SVG,
    /// The state graph for programs.
    Json graph::JSON,
}

/// What must be known of a target.
pub struct Writer {
    /// What the command line calls it.
    pub name: &'static str,
    /// What is written and what fits, in a sentence or two for the help text.
    pub about: &'static str,
    /// Writes a model.
    pub write: fn(&Subject<'_>) -> Result<String, Failure>,
}

/// What is to be written.
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its properties.
    pub properties: &'a [Property],
    /// Where they must hold.
    pub validity: Validity,
    /// Makes its transition system.
    pub system: &'a dyn Fn() -> Result<Lts, Unexplored>,
    /// When to stop.
    pub budget: &'a dyn Budget,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Failure {
    /// The model does not fit the target.
    Unfit {
        /// What people call the target.
        target: &'static str,
        /// What does not fit.
        reason: String,
    },
    /// The state graph cannot be drawn.
    Graph(GraphFailure),
    /// There is no transition system.
    Unexplored(Unexplored),
}
