//! The engines: which one does the work, and what can be asked of each.

mod cap;
mod prepare;
mod race;
mod second;
mod shape;

use num_bigint::BigUint;
use servanda_engine::{Halt, Monitor, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_report::{Counts, Diagrams, Finding, Run, Solving, Statistics};
use servanda_sat::Sat;
use servanda_symbolic::Symbolic;
use servanda_syntax::{Code, Diagnostic, Severity, Span};
use servanda_tableau::Tableau;

use crate::{Language, Watch, halt};

pub(crate) use prepare::{Extent, prepare};
pub(crate) use race::{Answer, Lane, Lead, Race, second as second_in_race};
pub(crate) use second::Second;

/// The name of the reference engine, which keeps all states in memory.
pub const ENUMERATE: &str = "enumerate";

/// The name of the symbolic engine, which keeps sets of states as decision diagrams.
pub const BDD: &str = "bdd";

/// The name of the on-the-fly engine, which builds only what the answer needs.
pub const TABLEAU: &str = "tableau";

/// The name of the satisfiability engine, which asks a SAT solver.
pub const SAT: &str = "sat";

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
    /// The on-the-fly engine and no other.
    Tableau,
    /// The satisfiability engine and no other.
    Sat,
}

/// With what to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// The engine.
    pub engine: Engine,
    /// How many nodes decision diagrams may have, all together.
    pub nodes: usize,
    /// How many threads look for states.
    pub threads: usize,
    /// With the satisfiability engine: look for runs of at most so many steps, and do nothing else.
    pub bound: Option<usize>,
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
            (Engine::Enumerate, _) => ENUMERATE,
            (Engine::Sat, _) => SAT,
            (Engine::Tableau, _)
            | (Engine::Auto, Some(Language::Pact | Language::Ccs | Language::Aut) | None) => TABLEAU,
        }
    }
}

impl Default for Means {
    fn default() -> Self {
        let (nodes, statistics) = (Means::USUAL_NODES, Statistics::Hidden);
        Means { engine: Engine::Auto, nodes, threads: 1, bound: None, statistics }
    }
}

/// An engine that can be asked. All but the on-the-fly and the satisfiability engine have seen all states of the model.
pub(crate) enum Ready<'m> {
    Explored(Box<Explored<'m>>),
    Symbolic(Box<Symbolic<'m>>),
    Tableau(Box<Tableau<'m>>),
    Sat(Box<Sat<'m>>),
}

impl Ready<'_> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Ready::Explored(_) => ENUMERATE,
            Ready::Symbolic(_) => BDD,
            Ready::Tableau(_) => TABLEAU,
            Ready::Sat(_) => SAT,
        }
    }

    /// The number of reachable states, where it is known.
    pub(crate) fn states(&self) -> Option<BigUint> {
        match self {
            Ready::Explored(explored) => Some(explored.counts().states.into()),
            Ready::Symbolic(symbolic) => Some(symbolic.states()),
            Ready::Tableau(tableau) => tableau.counts().map(|counts| counts.states.into()),
            Ready::Sat(_) => None,
        }
    }

    /// What is decided, or why not; that a question is beyond the engine is no reason to stop.
    pub(crate) fn decide(&mut self, formula: &Formula, monitor: &dyn Monitor) -> Result<Verdict, Halt> {
        let decided = match self {
            Ready::Explored(explored) => explored.decide(formula, monitor),
            Ready::Symbolic(symbolic) => symbolic.decide(formula, monitor),
            Ready::Tableau(tableau) => tableau.decide(formula, monitor),
            Ready::Sat(sat) => sat.decide(formula, monitor),
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
            Ready::Tableau(tableau) => tableau.vacuous_part(formula, monitor),
            Ready::Sat(sat) => sat.vacuous_part(formula, monitor),
        }
    }

    pub(crate) fn deadlock_example(&self) -> Option<StateView> {
        match self {
            Ready::Explored(explored) => explored.deadlock_example(),
            Ready::Symbolic(symbolic) => symbolic.deadlock_example(),
            Ready::Tableau(tableau) => tableau.deadlock_example(),
            Ready::Sat(_) => None,
        }
    }

    pub(crate) fn no_initial_state(&self) -> bool {
        match self {
            Ready::Explored(explored) => explored.no_initial_state(),
            Ready::Symbolic(symbolic) => symbolic.no_initial_state(),
            Ready::Tableau(tableau) => tableau.no_initial_state(),
            Ready::Sat(sat) => sat.no_initial_state(),
        }
    }

    pub(crate) fn no_fair_run(&mut self, monitor: &dyn Monitor) -> Result<bool, Halt> {
        match self {
            Ready::Explored(explored) => Ok(explored.no_fair_run()),
            Ready::Symbolic(symbolic) => Ok(symbolic.no_fair_run()),
            Ready::Tableau(tableau) => tableau.no_fair_run(monitor),
            Ready::Sat(sat) => sat.no_fair_run(monitor),
        }
    }

    pub(crate) fn lost_moves(&self) -> Result<Vec<(Span, StateView)>, Halt> {
        match self {
            Ready::Explored(explored) => Ok(explored.lost_moves()),
            Ready::Symbolic(symbolic) => symbolic.lost_moves(),
            Ready::Tableau(_) | Ready::Sat(_) => Err(Halt::TooLarge(not_looked_for(self.name()))),
        }
    }

    /// A reachable deadlock, looked for by itself where states are not counted.
    pub(crate) fn uncounted_deadlock(&mut self, monitor: &dyn Monitor) -> Result<Option<StateView>, Halt> {
        match self {
            Ready::Sat(sat) => sat.deadlock_example(monitor),
            Ready::Explored(_) | Ready::Symbolic(_) | Ready::Tableau(_) => Ok(self.deadlock_example()),
        }
    }

    /// How the last property was decided, in a few words, where the engine has several ways.
    pub(crate) fn techniques(&self) -> Option<String> {
        let Ready::Sat(sat) = self else { return None };
        let names: Vec<&str> = sat.techniques().iter().map(|technique| technique.name()).collect();
        Some(if names.is_empty() { "simplification".to_owned() } else { names.join(", ") })
    }

    /// How the solver fared, where there is one; by what each property was decided is known to who asked.
    pub(crate) fn solving(&self, decided_by: Vec<(String, String)>) -> Option<Solving> {
        let Ready::Sat(sat) = self else { return None };
        Some(Solving { bits: sat.bits(), gates: sat.gates(), calls: sat.calls(), decided_by })
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

    /// The size of the model, where it is known. Counting transitions with diagrams may cost more than everything else, so that is done
    /// only where it is wanted, and before anything else adds to the diagrams.
    pub(crate) fn count(&self, statistics: Statistics, watch: Watch<'_>, run: &mut Run) -> Option<Counts> {
        let symbolic = match self {
            Ready::Explored(explored) => return Some(counts(&explored.counts())),
            Ready::Tableau(tableau) => return tableau.counts().as_ref().map(counts_on_the_fly),
            Ready::Sat(_) => return None,
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
        Some(Counts {
            states: symbolic.states(),
            transitions,
            deadlocks: symbolic.deadlocks(),
            initial: None,
            diameter: None,
            bytes: None,
        })
    }
}

/// Why a warning is missing.
fn not_looked_for(engine: &str) -> String {
    format!("the engine {engine} does not look for that")
}

/// The counts of the on-the-fly engine.
fn counts_on_the_fly(counts: &servanda_tableau::Counts) -> Counts {
    Counts {
        states: counts.states.into(),
        transitions: Some(counts.transitions.into()),
        deadlocks: counts.deadlocks.into(),
        initial: Some(counts.initial),
        diameter: Some(counts.diameter),
        bytes: Some(counts.bytes),
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
    Finding::general(Diagnostic::new(Severity::Note, Code::NotKnown, message, Span::default()))
}
