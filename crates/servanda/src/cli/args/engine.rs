//! Who does the work.

use clap::Args;
use servanda::{EngineChoice, EngineOptions};
use servanda_report::Statistics;

use super::super::values::EngineValue;
use super::LimitArguments;

/// Who does the work.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineArguments {
    /// The engine: tableau explores on the fly what the answer needs, bdd keeps sets of states as decision diagrams,
    /// sat asks a SAT solver, cluster spreads the states over workers, enumerate is the plain reference; auto picks what suits and asks another one where the
    /// first does not know [default: auto]
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineValue>,
    /// Threads that look for states, where the engine is tableau [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub(crate) threads: Option<u16>,
    /// Workers that share the states, where the engine is cluster; without --engine it is then cluster
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub(crate) workers: Option<u16>,
    /// Look for runs of at most K steps and do nothing else; with auto the engine is then sat
    #[arg(long, value_name = "K")]
    pub(crate) bound: Option<usize>,
    /// Take all steps and visit all states: no reductions
    #[arg(long)]
    pub(crate) no_reduction: bool,
    /// Report time per phase, peak memory and all counts
    #[arg(long)]
    pub(crate) stats: bool,
}

impl EngineArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        EngineArguments {
            engine: self.engine.or(other.engine),
            threads: self.threads.or(other.threads),
            workers: self.workers.or(other.workers),
            bound: self.bound.or(other.bound),
            no_reduction: self.no_reduction || other.no_reduction,
            stats: self.stats || other.stats,
        }
    }

    /// Whether counts and times are wanted.
    pub(crate) fn statistics(&self) -> Statistics {
        if self.stats { Statistics::Shown } else { Statistics::Hidden }
    }

    pub(crate) fn choice(&self) -> EngineChoice {
        self.engine.map_or(EngineChoice::Auto, |engine| engine.0)
    }

    /// What cannot be asked together.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        let bounded =
            matches!(self.choice(), EngineChoice::Auto) || self.choice() == EngineChoice::Only(servanda::SAT);
        if self.bound.is_some() && !bounded {
            return Some("--bound: only the engine sat searches within a bound");
        }
        let spread = [EngineChoice::Auto, EngineChoice::Only(servanda::CLUSTER)].contains(&self.choice());
        match (self.workers, self.bound) {
            (Some(_), Some(_)) => Some("--workers: the engine cluster does not search within a bound"),
            (Some(_), None) if !spread => Some("--workers: only the engine cluster has workers"),
            _ => None,
        }
    }

    /// In the words of the façade.
    pub(crate) fn chosen(&self, limits: &LimitArguments) -> EngineOptions {
        let engine = match self.choice() {
            // Only this engine searches within a bound.
            EngineChoice::Auto if self.bound.is_some() => EngineChoice::Only(servanda::SAT),
            EngineChoice::Auto if self.workers.is_some() => EngineChoice::Only(servanda::CLUSTER),
            choice => choice,
        };
        EngineOptions {
            engine,
            nodes: limits.memory.map_or(EngineOptions::USUAL_NODES, EngineOptions::nodes_in),
            threads: self.threads.unwrap_or(1).into(),
            workers: self.workers.unwrap_or(1).into(),
            mesh: None,
            storage: None,
            bound: self.bound,
            unreduced: self.no_reduction,
            statistics: self.statistics(),
        }
    }
}

/// The most threads that can be asked for.
pub(crate) const MOST_THREADS: i64 = 256;
