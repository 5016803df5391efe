//! Evidence is checked before anybody sees it.

use servanda_engine::{Deadlock, Halt, Monitor, Options, Progress, Stop};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_lower::{Lowering, PathFormulas};
use servanda_model::Model;

use crate::recheck::{Formulas, Recheck};
use crate::replay::Replay;
use crate::{Checked, Decided, Evidence, Failure, Shown, generate};

/// The reference engine is asked about models with at most so many states, and about formulas for which it needs at most so many
/// nodes.
const MOST_STATES: u64 = 50_000;
const MOST_NODES: u64 = 1 << 22;

/// Checks the evidence for one model's properties: replays every step with nothing but the model, and decides every claim again.
pub struct Checker<'m> {
    model: &'m Model,
    options: Options,
    reference: Reference<'m>,
}

enum Reference<'m> {
    NotYet,
    Ready(Box<Explored<'m>>),
    TooLarge,
}

impl<'m> Checker<'m> {
    /// Nothing is computed yet.
    pub fn new(model: &'m Model, options: Options) -> Self {
        Checker { model, options, reference: Reference::NotYet }
    }

    /// Looks for evidence for a verdict and checks it.
    pub fn show(&mut self, decided: Decided<'_>, monitor: &dyn Monitor) -> Result<Shown, Failure> {
        let mut shown = generate(self.model, decided, self.options, monitor)?;
        if let Shown::Evidence(evidence) = &mut shown {
            self.check(evidence, decided.formula, monitor)?;
        }
        Ok(shown)
    }

    /// Checks evidence for a property and notes in it who did. An error of the kind [`Failure::Internal`] means that evidence, engine
    /// and model contradict each other: such evidence must not be shown.
    pub fn check(
        &mut self,
        evidence: &mut Evidence,
        formula: &Formula,
        monitor: &dyn Monitor,
    ) -> Result<(), Failure> {
        let mut replay = Replay::new(self.model, self.options);
        replay.evidence(evidence).map_err(|wrong| internal(evidence, &wrong))?;
        self.explore(monitor)?;
        let within = Within { monitor, states: u64::MAX };
        if let Reference::Ready(explored) = &mut self.reference {
            let property = explored.lowering_mut().property(formula).map_err(Halt::Invalid)?;
            let formulas = Formulas::new(evidence, property, explored.lowering_mut(), self.options)
                .map_err(|wrong| internal(evidence, &wrong))?;
            let walker = match explored.walker(&formulas.wanted, &within) {
                Ok(walker) => Some(walker),
                Err(Halt::TooLarge(_)) => None,
                Err(halt) if within.monitor_stops() => return Err(halt.into()),
                Err(Halt::Stopped { .. }) => None,
                Err(halt) => return Err(halt.into()),
            };
            let found = Recheck::new(self.model, &formulas, walker.as_ref(), &mut replay).run(evidence);
            let assumed = found.map_err(|wrong| internal(evidence, &wrong))?;
            evidence.checked = match (walker.is_some(), assumed) {
                (true, _) => Checked::ByReference,
                (false, false) => Checked::ByPaths,
                (false, true) => Checked::ByEngine,
            };
            return Ok(());
        }
        let paths = match self.options.deadlock {
            Deadlock::Loop => PathFormulas::All,
            Deadlock::Strict => PathFormulas::CtlApart,
        };
        let mut lowering =
            Lowering::with_paths(self.model, self.options.acts, paths).map_err(Halt::Invalid)?;
        let property = lowering.property(formula).map_err(Halt::Invalid)?;
        let formulas = Formulas::new(evidence, property, &mut lowering, self.options)
            .map_err(|wrong| internal(evidence, &wrong))?;
        let found = Recheck::new(self.model, &formulas, None, &mut replay).run(evidence);
        let assumed = found.map_err(|wrong| internal(evidence, &wrong))?;
        evidence.checked = if assumed { Checked::ByEngine } else { Checked::ByPaths };
        Ok(())
    }

    /// Explores the model, once, if it is small enough.
    fn explore(&mut self, monitor: &dyn Monitor) -> Result<(), Failure> {
        if matches!(self.reference, Reference::NotYet) {
            let within = Within { monitor, states: MOST_STATES };
            self.reference = match Explored::new(self.model, self.options, &within) {
                Ok(explored) => Reference::Ready(Box::new(explored)),
                Err(Halt::Stopped { stop, states, transitions }) if within.monitor_stops() => {
                    return Err(Halt::Stopped { stop, states, transitions }.into());
                }
                // A fault elsewhere in the model is no fault of this evidence.
                Err(_) => Reference::TooLarge,
            };
        }
        Ok(())
    }
}

impl<'e> Recheck<'_, 'e, '_> {
    /// Checks everything; says whether something was taken for granted.
    fn run(mut self, evidence: &'e Evidence) -> Result<bool, String> {
        self.evidence(evidence)?;
        Ok(self.assumed)
    }
}

fn internal(evidence: &Evidence, wrong: &str) -> Failure {
    Failure::Internal(format!("the {} for `{}` is wrong: {wrong}", evidence.kind.word(), evidence.formula))
}

/// A monitor that stops the reference engine where a model is too large for it.
struct Within<'a> {
    monitor: &'a dyn Monitor,
    states: u64,
}

impl Within<'_> {
    /// Was it the run's own monitor that said to stop?
    fn monitor_stops(&self) -> bool {
        self.monitor.progress(Progress::Deciding { nodes: 0 }).is_err()
    }
}

impl Monitor for Within<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.monitor.progress(progress)?;
        let too_much = match progress {
            Progress::Exploring { states, .. } => states > self.states,
            Progress::Deciding { nodes } => nodes > MOST_NODES,
        };
        if too_much { Err(Stop::Memory) } else { Ok(()) }
    }
}
