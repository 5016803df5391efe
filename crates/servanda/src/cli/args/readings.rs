//! The readings a user can choose between.

use clap::{Args, ValueEnum};
use servanda::EngineOptions;
use servanda_engine as engine;

use super::super::values::{Acts, Past, Validity};

/// The readings a user can choose between.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Readings")]
pub(crate) struct ReadingArguments {
    /// How act formulas are read [default: as the file says, else actl]
    #[arg(long, value_enum, value_name = "LOGIC")]
    pub(crate) acts: Option<Acts>,
    /// The states that branching past sees: those that can be reached, or all that are type-correct [default:
    /// reachable]
    #[arg(long, value_enum, value_name = "STATES")]
    pub(crate) past: Option<Past>,
    /// Where a property must hold: in every initial state, or in every reachable one [default: initial; reachable for
    /// ISPL files in the dialect of 2005]
    #[arg(long, value_enum, value_name = "STATES")]
    pub(crate) validity: Option<Validity>,
    /// A state without successor: loop continues it by an implicit loop, strict takes the transitions as they are, error
    /// is loop with a reachable deadlock being a failure [default: loop]
    #[arg(long, value_enum, value_name = "READING")]
    pub(crate) deadlock: Option<Deadlock>,
    /// A coalition's choices depend on what its members know, not on the whole state; with =subjective they must also know that
    /// these choices work
    #[arg(long, value_enum, value_name = "READING", num_args = 0..=1, require_equals = true, default_missing_value = "objective")]
    pub(crate) uniform: Option<Uniform>,
    /// What agents know depends on all that they saw since the beginning, on runs of at most this many steps; what these do not decide
    /// is unknown
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(0..=MOST_RECALLED))]
    pub(crate) recall: Option<u32>,
}

/// The most steps that agents remember.
pub(crate) const MOST_RECALLED: i64 = 1000;

impl ReadingArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        ReadingArguments {
            acts: self.acts.or(other.acts),
            past: self.past.or(other.past),
            validity: self.validity.or(other.validity),
            deadlock: self.deadlock.or(other.deadlock),
            uniform: self.uniform.or(other.uniform),
            recall: self.recall.or(other.recall),
        }
    }

    /// In the words of the façade; `usual` is where properties must hold if the user does not say.
    pub(crate) fn options(&self, usual: engine::Validity, chosen: EngineOptions) -> servanda::CheckOptions {
        let readings = engine::Options {
            acts: self.acts.map(|acts| acts.0),
            deadlock: match self.deadlock {
                Some(Deadlock::Strict) => engine::Deadlock::Strict,
                None | Some(Deadlock::Loop | Deadlock::Error) => engine::Deadlock::Loop,
            },
            past: self.past.map_or_else(engine::Past::default, |past| past.0),
            validity: self.validity.map_or(usual, |validity| validity.0),
            strategies: match self.uniform {
                None => engine::Strategies::PerfectInformation,
                Some(Uniform::Objective) => engine::Strategies::Uniform,
                Some(Uniform::Subjective) => engine::Strategies::Subjective,
            },
            recall: self.recall,
            unreduced: false,
        };
        let reached_deadlock = match self.deadlock {
            Some(Deadlock::Error) => servanda::ReachedDeadlock::Failure,
            None | Some(Deadlock::Loop | Deadlock::Strict) => servanda::ReachedDeadlock::Noted,
        };
        servanda::CheckOptions {
            readings,
            reached_deadlock,
            engine: chosen,
            ..servanda::CheckOptions::default()
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Deadlock {
    Loop,
    Strict,
    Error,
}

/// From where a uniform strategy is judged.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uniform {
    // From the state itself; comments for readers of help would make it long.
    Objective,
    // From every state that some member cannot tell from it.
    Subjective,
}
