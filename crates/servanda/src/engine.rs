//! The engines: which one does the work, and with what.

mod board;
mod growth;
mod look;
mod plan;
mod portfolio;
mod registry;
mod shape;
mod turns;

use servanda_cluster::Storage;
use servanda_report::Statistics;

use crate::Language;

pub(crate) use board::Answer;
pub(crate) use look::Look;
pub(crate) use plan::Plan;
pub(crate) use portfolio::{Outcome, Task, Worked, run};
pub use registry::{BDD, CLUSTER, ENUMERATE, SAT, TABLEAU, engine_names};
pub(crate) use registry::{Ready, Setup, Visits, lower, prepare, visits};
pub(crate) use shape::{FEW_STATES, Few, are_initial_states_soon_listed};

/// The engine that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// Whatever suits the model, several of them where that is not clear, and another one for what the first do not know.
    #[default]
    Auto,
    /// The one of this name and no other.
    Only(&'static str),
}

/// Which engine works, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The engine.
    pub engine: EngineChoice,
    /// How many nodes decision diagrams may have, all together.
    pub nodes: usize,
    /// How many threads look for states.
    pub threads: usize,
    /// With the cluster engine: how many workers share the states.
    pub workers: usize,
    /// With the cluster engine: the way to the workers in other processes, all of which do the same as this one.
    pub mesh: Option<&'static servanda_cluster::Mesh>,
    /// With the cluster engine: what may be put on disk, and where.
    pub storage: Option<&'static Storage>,
    /// With the satisfiability engine: look for runs of at most so many steps, and do nothing else.
    pub bound: Option<usize>,
    /// Do engines see the whole model, and searches take all steps and visit all states, also those that reductions would leave out?
    pub unreduced: bool,
    /// Whether counts are wanted that an engine does not need.
    pub statistics: Statistics,
}

/// What a node of a decision diagram takes, with its share of the tables around it.
const BYTES_OF_NODE: u64 = 48;

impl EngineOptions {
    /// Room for decision diagrams where nobody says how much.
    pub const USUAL_NODES: usize = 1 << 25;

    /// The nodes for which there is room in so many bytes, neither too few to begin with nor more than can be numbered.
    pub fn nodes_in(bytes: u64) -> usize {
        usize::try_from(bytes / BYTES_OF_NODE).unwrap_or(usize::MAX).clamp(1 << 16, 1 << 28)
    }

    /// The engine that begins the work on a text in this language, if its language is known.
    pub fn usual_engine(&self, language: Option<Language>) -> &'static str {
        match (self.engine, language) {
            (EngineChoice::Only(name), _) => name,
            (EngineChoice::Auto, Some(language)) => language.front_end().usual_engine,
            (EngineChoice::Auto, None) => TABLEAU,
        }
    }
}

impl Default for EngineOptions {
    fn default() -> Self {
        let (nodes, statistics) = (EngineOptions::USUAL_NODES, Statistics::Hidden);
        EngineOptions {
            engine: EngineChoice::Auto,
            nodes,
            threads: 1,
            workers: 1,
            mesh: None,
            storage: None,
            bound: None,
            unreduced: false,
            statistics,
        }
    }
}
