//! Models for other programs.
//!
//! A conversion target is one row of the table below and one writer in a file of its own. Where the text is a language that a
//! front end reads, its printer stays with that front end, and the file here says what must be done before it.
//!
//! ```
//! assert_eq!(servanda_export::TARGETS[0].name, "ispl");
//! ```

mod acts;
mod aiger;
mod aut;
mod ccs;
mod graph;
mod ispl;
mod rounds;
mod smv;

use servanda_chart::GraphFailure;
use servanda_engine::{Budget, Validity};
use servanda_lts::{Lts, Unexplored};
use servanda_model::{Model, Property};

/// What a model can be written as.
pub static TARGETS: [Writer; 8] =
    [ispl::WRITER, ccs::WRITER, aut::WRITER, aiger::WRITER, smv::WRITER, graph::DOT, graph::SVG, graph::JSON];

/// Writes a text about a model.
pub type Write = fn(&Subject<'_>) -> Result<String, Failure>;

/// What must be known of a target.
#[derive(Debug)]
pub struct Writer {
    /// What the command line calls it.
    pub name: &'static str,
    /// What is written and what fits, in a sentence or two for the help text.
    pub about: &'static str,
    /// Writes a model.
    pub write: Write,
    /// Writes the acts file that belongs to it, for models with acts where the language has no words for them.
    pub acts: Option<Write>,
}

impl PartialEq for Writer {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Writer {}

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
