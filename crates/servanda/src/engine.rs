//! The engines: which one does the work, and what can be asked of each.

mod cap;
mod prepare;
mod second;

use num_bigint::BigUint;
use servanda_engine::{Halt, Monitor, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_report::{Counts, Diagrams, Finding, Run, Statistics};
use servanda_symbolic::Symbolic;
use servanda_syntax::{Diagnostic, Severity, Span};

use crate::{Language, Watch, halt};

pub(crate) use prepare::prepare;
pub(crate) use second::Second;

/// The name of the reference engine, which keeps all states in memory.
pub const ENUMERATE: &str = "enumerate";

/// The name of the symbolic engine, which keeps sets of states as decision diagrams.
pub const BDD: &str = "bdd";

/// The engine that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// Whatever suits the model, and another one for what the first does not know.
    #[default]
    Auto,
    /// The reference engine and no other.
    Enumerate,
    /// The symbolic engine and no other.
    Bdd,
}

/// With what to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// The engine.
    pub engine: Engine,
    /// How many nodes decision diagrams may have, all together.
    pub nodes: usize,
    /// Whether counts are wanted that an engine does not need.
    pub statistics: Statistics,
}

impl Means {
    /// Room for decision diagrams where nobody says how much.
    pub const USUAL_NODES: usize = 1 << 25;

    /// The engine that begins the work on a text in this language, if its language is known.
    pub fn usual_engine(&self, language: Option<Language>) -> &'static str {
        match (self.engine, language) {
            (Engine::Bdd, _) | (Engine::Auto, Some(Language::Ispl)) => BDD,
            (Engine::Enumerate, _) | (Engine::Auto, Some(Language::Pact | Language::Aut) | None) => ENUMERATE,
        }
    }
}

impl Default for Means {
    fn default() -> Self {
        let (nodes, statistics) = (Means::USUAL_NODES, Statistics::Hidden);
        Means { engine: Engine::Auto, nodes, statistics }
    }
}

/// An engine that has seen all states of a model.
pub(crate) enum Ready<'m> {
    Explored(Box<Explored<'m>>),
    Symbolic(Box<Symbolic<'m>>),
}

impl Ready<'_> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Ready::Explored(_) => ENUMERATE,
            Ready::Symbolic(_) => BDD,
        }
    }

    pub(crate) fn states(&self) -> BigUint {
        match self {
            Ready::Explored(explored) => explored.counts().states.into(),
            Ready::Symbolic(symbolic) => symbolic.states(),
        }
    }

    /// What is decided, or why not; that a question is beyond the engine is no reason to stop.
    pub(crate) fn decide(&mut self, formula: &Formula, monitor: &dyn Monitor) -> Result<Verdict, Halt> {
        let decided = match self {
            Ready::Explored(explored) => explored.decide(formula, monitor),
            Ready::Symbolic(symbolic) => symbolic.decide(formula, monitor),
        };
        match decided {
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            decided => decided,
        }
    }

    pub(crate) fn vacuous_part(
        &mut self,
        formula: &Formula,
        monitor: &dyn Monitor,
    ) -> Result<Option<Formula>, Halt> {
        match self {
            Ready::Explored(explored) => explored.vacuous_part(formula, monitor),
            Ready::Symbolic(symbolic) => symbolic.vacuous_part(formula, monitor),
        }
    }

    pub(crate) fn deadlock_example(&self) -> Option<StateView> {
        match self {
            Ready::Explored(explored) => explored.deadlock_example(),
            Ready::Symbolic(symbolic) => symbolic.deadlock_example(),
        }
    }

    pub(crate) fn no_initial_state(&self) -> bool {
        match self {
            Ready::Explored(explored) => explored.no_initial_state(),
            Ready::Symbolic(symbolic) => symbolic.no_initial_state(),
        }
    }

    pub(crate) fn no_fair_run(&self) -> bool {
        match self {
            Ready::Explored(explored) => explored.no_fair_run(),
            Ready::Symbolic(symbolic) => symbolic.no_fair_run(),
        }
    }

    pub(crate) fn lost_moves(&self) -> Result<Vec<(Span, StateView)>, Halt> {
        match self {
            Ready::Explored(explored) => Ok(explored.lost_moves()),
            Ready::Symbolic(symbolic) => symbolic.lost_moves(),
        }
    }

    /// How the diagrams fared, where there are any.
    pub(crate) fn diagrams(&self) -> Option<Diagrams> {
        let Ready::Symbolic(symbolic) = self else { return None };
        let statistics = symbolic.statistics();
        Some(Diagrams {
            bits: statistics.bits,
            reachable_nodes: statistics.reachable_nodes,
            peak_nodes: statistics.peak_nodes,
            iterations: statistics.iterations,
            order: statistics.order,
        })
    }

    /// The size of the model. Counting transitions with diagrams may cost more than everything else, so that is done
    /// only where it is wanted, and before anything else adds to the diagrams.
    pub(crate) fn count(&self, statistics: Statistics, watch: Watch<'_>, run: &mut Run) -> Counts {
        let symbolic = match self {
            Ready::Explored(explored) => return counts(&explored.counts()),
            Ready::Symbolic(symbolic) => symbolic,
        };
        let transitions = (statistics == Statistics::Shown).then(|| {
            watch.phase(&mut run.phases, "counting transitions", || {
                crate::watch::not_yet_stopped(watch)?;
                symbolic.transitions()
            })
        });
        let transitions = match transitions.transpose() {
            Ok(transitions) => transitions,
            Err(halt) => {
                run.findings.push(not_known("how many transitions there are", &halt));
                None
            }
        };
        Counts {
            states: symbolic.states(),
            transitions,
            deadlocks: symbolic.deadlocks(),
            initial: None,
            diameter: None,
            bytes: None,
        }
    }
}

/// The counts of the reference engine, which counts everything.
pub(crate) fn counts(counts: &servanda_enumerate::Counts) -> Counts {
    Counts {
        states: counts.states.into(),
        transitions: Some(counts.transitions.into()),
        deadlocks: counts.deadlocks.into(),
        initial: Some(counts.initial),
        diameter: Some(counts.diameter),
        bytes: Some(counts.bytes),
    }
}

/// What stands in the way of a warning or a count is no mistake of the input: the verdicts stand.
pub(crate) fn not_known(what: &str, halt: &Halt) -> Finding {
    let message = format!("it is not known {what}: {}", halt::words(halt));
    Finding::general(Diagnostic::new(Severity::Note, "not-known", message, Span::default()))
}
