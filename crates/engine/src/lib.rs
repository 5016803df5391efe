//! What an engine is asked and what it answers.
//!
//! Every engine takes a model, properties and [`Options`], and gives each property a [`Verdict`]. It reads no clock and
//! no file and prints nothing: it tells a [`Budget`] how far it has come and stops in order when the budget says so.
//!
//! ```
//! use servanda_engine::{Verdict, NoLimits, Budget, Progress};
//!
//! assert!(NoLimits.progress(Progress::Exploring { states: 12, transitions: 30 }).is_ok());
//! assert_eq!(Verdict::from(true).word(), "true");
//! ```

mod conformance;
mod counts;
mod engine;
mod halt;
mod limited;
mod satisfying;
mod spread;

mod suspicion;
mod throttle;

use serde::{Deserialize, Serialize};
use servanda_model::ActReading;

pub use conformance::{ActConformance, Certainty, Conformance, TurnBreak};
pub use counts::{Counts, Diagrams, Savings, Solving, SymmetrySavings};
pub use engine::Engine;
pub use halt::{Halt, RunFault};
pub use limited::Limited;
pub use satisfying::Satisfying;
pub use servanda_model::Deadlock;
pub use spread::{Share, Spread};
pub use suspicion::{StoppedTime, Unkeepable, UnreachableLocation};
pub use throttle::Throttle;

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It was not decided, and why. Never counts as a pass.
    Unknown(String),
}

impl Verdict {
    /// The word used in every output format.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// The truth value, if it is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Verdict::True => Some(true),
            Verdict::False => Some(false),
            Verdict::Unknown(_) => None,
        }
    }
}

impl From<bool> for Verdict {
    fn from(value: bool) -> Self {
        if value { Verdict::True } else { Verdict::False }
    }
}

servanda_syntax::named! {
    /// Which predecessors branching past sees (docs/formulas.md section 6).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Past {
        /// Reachable ones.
        #[default]
        Reachable = "reachable",
        /// All type-correct ones.
        All = "all",
    }
}

servanda_syntax::named! {
    /// Where a property must hold (docs/formulas.md section 9).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Validity {
        /// In every initial state.
        #[default]
        Initial = "initial",
        /// In every reachable state.
        Reachable = "reachable",
    }
}

/// What a coalition may base its choices on (docs/formulas.md section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategies {
    /// The whole state.
    #[default]
    PerfectInformation,
    /// Each agent its own local state; judged from the state itself (objective ability).
    Uniform,
    /// Each agent its own local state, and the members know that it works: it does so from every state that some member cannot tell from
    /// the present one (subjective ability).
    Subjective,
}

impl Strategies {
    /// Does each member choose by what it sees?
    pub fn are_uniform(self) -> bool {
        self != Strategies::PerfectInformation
    }
}

/// The readings a user can choose between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// How act formulas are read; `None`: as the model says.
    pub acts: Option<ActReading>,
    /// Deadlocks.
    pub deadlock: Deadlock,
    /// Branching past.
    pub past: Past,
    /// Validity.
    pub validity: Validity,
    /// Strategies.
    pub strategies: Strategies,
    /// What agents know rests on all that they saw, on runs of at most so many steps; `None`: on what they see.
    pub recall: Option<u32>,
    /// Does a search take all steps, also those that it need not? The verdicts are the same.
    pub unreduced: bool,
}

/// What an engine says that cannot decide with [`Options::recall`].
pub const FORGETS: &str =
    "this engine does not know what agents remember: `--recall` is for the engines enumerate and bdd";

/// What an engine says of commitments whose contents refer to knowledge with [`Options::recall`].
pub const PROMISED_KNOWLEDGE: &str =
    "with `--recall` commitments whose contents refer to knowledge are not decided";

/// What an engine says that has looked at all runs of so many steps in vain.
pub fn beyond_recall(steps: u32) -> String {
    format!(
        "unknown beyond the bound `--recall {steps}`: what agents remember of runs up to it does not decide it"
    )
}

/// Why a run ends before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The user.
    Interrupted,
    /// A bound that the program set itself, to try something else.
    Bound,
    /// Another engine has answered.
    Answered,
    /// Its share of the time is used up, and other questions wait for theirs.
    Share,
    /// Others that work on the same are gone: who.
    Lost(String),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Interrupted => "the run was interrupted",
            Stop::Bound => "the model is too large for this engine",
            Stop::Answered => "another engine has answered",
            Stop::Share => "its share of the time was used up",
            Stop::Lost(who) => who,
        })
    }
}

/// How far a piece of work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// States and transitions found so far.
    Exploring {
        /// States found.
        states: u64,
        /// Transitions found.
        transitions: u64,
    },
    /// At work on a property: nodes of the search made so far.
    Deciding {
        /// Nodes.
        nodes: u64,
    },
    /// Lines of a log read so far.
    Reading {
        /// Lines.
        lines: u64,
    },
}

impl Progress {
    /// Tells a budget how many nodes a search has made, whenever they are a multiple of `every`.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    #[inline]
    pub fn nodes(nodes: usize, every: usize, budget: &dyn Budget) -> Result<(), Halt> {
        if nodes.is_multiple_of(every) {
            Progress::Deciding { nodes: nodes as u64 }.tell(budget)
        } else {
            Ok(())
        }
    }

    /// Tells a budget.
    ///
    /// # Errors
    ///
    /// When the budget says stop: with the states and transitions found, which are not counted while a property is decided or a log read.
    pub fn tell(self, budget: &dyn Budget) -> Result<(), Halt> {
        let (states, transitions) = match self {
            Progress::Exploring { states, transitions } => (states, transitions),
            Progress::Deciding { .. } | Progress::Reading { .. } => (0, 0),
        };
        budget.progress(self).map_err(|stop| Halt::Stopped { stop, states, transitions })
    }
}

/// What a piece of work may use up: time, memory, nodes, and the patience of the user. It is told how far the work has come and says when to
/// stop, and who stops it ([`Stop`]). Engines ask it at least every few thousand steps; [`Throttle`] is for those with very small ones, and
/// [`Limited`] for a smaller budget within a larger one.
pub trait Budget: Sync {
    /// Reports progress; `Err` asks the engine to stop in order.
    fn progress(&self, progress: Progress) -> Result<(), Stop>;

    /// May so many more bytes be held at once? Asked before tables grow, by those whose tables may become large: a limit that is looked at
    /// afterwards is passed when a table doubles.
    ///
    /// # Errors
    ///
    /// There is no room for them.
    fn room(&self, _bytes: usize) -> Result<(), Stop> {
        Ok(())
    }

    /// Hears that so many reachable states are known at the least, from engines that do not count them one by one.
    fn reached(&self, _states: f64) {}

    /// Hears how states are spread, from engines that have several workers.
    fn spread(&self, _spread: &Spread) {}

    /// Hears which question of how many is worked on, from whoever asks engines several; counted from 0.
    fn deciding(&self, _question: usize, _of: usize) {}

    /// Hears what an engine says of a question, as soon as it is known, and how many seconds it took. Several engines may answer the same
    /// question; the first answer counts.
    fn decided(&self, _question: usize, _engine: &'static str, _verdict: &Verdict, _seconds: f64) {}
}

/// A budget without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLimits;

impl Budget for NoLimits {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Ok(())
    }
}
