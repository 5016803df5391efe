//! Evidence is checked before anybody sees it.

use servanda_engine::{Budget, Halt, Limited, Options, Progress, Stop};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_model::Model;
use servanda_space::{Lent, Space};
use servanda_symbolic::{Sets, Symbolic};

use crate::lift::{Slicing, lift};
use crate::recheck::Recheck;
use crate::replay::Replay;
use crate::{Because, Checked, Decided, Evidence, Failure, Shown, generate, generate_from_sets};

/// The reference engine is asked about models with at most so many states, and about formulas for which it needs at most so many
/// nodes.
const MOST_STATES: u64 = 50_000;
const MOST_NODES: u64 = 1 << 22;

/// Nor where it would go through more transitions than this.
const MOST_TRANSITIONS: u64 = 1 << 23;

/// In models with more states than this diagrams are asked first, if they are there.
const MOST_VISITED: u64 = 5_000;

/// How often the search that visits states one by one may report its progress, once every few thousand places, until the diagrams
/// are asked.
const MOST_REPORTS: u64 = 128;

/// How many nodes diagrams may have where nobody says how many.
const USUAL_NODES: usize = 1 << 25;

/// Checks the evidence for one model's properties: replays every step with nothing but the model, and decides every claim again.
pub struct Checker<'m> {
    model: &'m Model,
    options: Options,
    /// The model as core formulas, once somebody has lowered it.
    lowering: Option<Lowering<'m>>,
    reference: Lazy<Explored<'m>>,
    /// Sets of states as diagrams.
    known: Lazy<Sets<'m>>,
    /// What has been found of the states, where they were visited one by one.
    space: Lent<'m>,
    nodes: usize,
}

/// What is made when it is first needed.
enum Lazy<T> {
    NotYet,
    Ready(Box<T>),
    /// It is too large, or beyond whoever makes it.
    Never,
}

impl<'m> Checker<'m> {
    /// Nothing is computed yet.
    pub fn new(model: &'m Model, options: Options) -> Self {
        let (reference, known) = (Lazy::NotYet, Lazy::NotYet);
        let (lowering, space) = (None, Lent::default());
        Checker { model, options, lowering, reference, known, space, nodes: USUAL_NODES }
    }

    /// Takes over formulas that have been lowered, so that they are not lowered again.
    #[must_use]
    pub fn with_formulas(self, lowering: &Lowering<'m>) -> Self {
        Checker { lowering: Some(lowering.clone()), ..self }
    }

    /// The model as core formulas.
    fn lowering(&mut self) -> Result<Lowering<'m>, Halt> {
        match &self.lowering {
            Some(lowering) => Ok(lowering.clone()),
            None => {
                let lowering = Lowering::new(self.model, self.options.acts, self.options.deadlock);
                let mut lowering = lowering.map_err(Halt::Invalid)?;
                lowering.share();
                self.lowering = Some(lowering.clone());
                Ok(lowering)
            }
        }
    }

    /// Room for so many nodes, if diagrams are needed.
    #[must_use]
    pub fn with_room_for(self, nodes: usize) -> Self {
        Checker { nodes, ..self }
    }

    /// Takes over the symbolic engine from whoever decided with it. What it knows is not computed again, and in a model with more
    /// states than can be visited one by one it guides the search.
    #[must_use]
    pub fn with_diagrams(mut self, symbolic: Symbolic<'m>) -> Self {
        if let Some(sets) = Sets::new(symbolic) {
            if sets.count() > MOST_STATES.into() {
                self.reference = Lazy::Never;
            }
            self.known = Lazy::Ready(Box::new(sets));
        }
        self
    }

    /// Takes over the states from whoever visited them one by one.
    #[must_use]
    pub fn with_space(self, space: Lent<'m>) -> Self {
        Checker { space, ..self }
    }

    /// Looks for evidence for a verdict and checks it.
    pub fn show(&mut self, decided: Decided<'_>, budget: &dyn Budget) -> Result<Shown, Failure> {
        let mut shown = self.search(decided, budget)?;
        if let Shown::Evidence(evidence) = &mut shown {
            self.check(evidence, decided.formula, budget)?;
        }
        Ok(shown)
    }

    /// The same where somebody else has found the states of a run that decides the property: evidence is looked for along that run, and
    /// checked like any other. Where there is none it is looked for in the whole model.
    pub fn show_along(
        &mut self,
        run: &[Vec<u64>],
        decided: Decided<'_>,
        budget: &dyn Budget,
    ) -> Result<Shown, Failure> {
        let lowering = self.lowering()?;
        let mut space = Space::new(self.model, self.options.deadlock, budget)?;
        if space.follow(run, budget)? {
            // Along a run there is nothing to reduce.
            let options = Options { unreduced: true, ..self.options };
            let found = generate(&lowering, &mut Lent::new(space), decided, options, budget)?;
            if let Shown::Evidence(mut evidence) = found {
                self.check(&mut evidence, decided.formula, budget)?;
                return Ok(Shown::Evidence(evidence));
            }
        }
        self.show(decided, budget)
    }

    /// The same where a slice of the model was asked: evidence is looked for there, by somebody who knows the slice, and the same steps
    /// are taken in the whole model. Where that does not work it is looked for in the whole model.
    pub fn show_sliced(
        &mut self,
        (slicing, searcher): (&dyn Slicing, &mut Checker<'_>),
        decided: Decided<'_>,
        budget: &dyn Budget,
    ) -> Result<Shown, Failure> {
        match searcher.search(decided, budget) {
            Ok(Shown::Evidence(evidence)) => {
                let Some(mut evidence) = lift(self.model, slicing, &evidence) else {
                    return self.show(decided, budget);
                };
                self.check(&mut evidence, decided.formula, budget)?;
                Ok(Shown::Evidence(Box::new(evidence)))
            }
            Err(Failure::Halt(halt)) if stops(budget) => Err(halt.into()),
            Err(Failure::Halt(_)) => self.show(decided, budget),
            other => other,
        }
    }

    /// Looks for evidence: one state after the other as long as that promises to end soon, then with diagrams, and where these fail
    /// one state after the other again.
    fn search(&mut self, decided: Decided<'_>, budget: &dyn Budget) -> Result<Shown, Failure> {
        let (model, options, mut lowering) = (self.model, self.options, self.lowering()?);
        let id = lowering.property(decided.formula).map_err(Halt::Invalid)?;
        if options.recall.is_some() && lowering.needs_recall(id) {
            return Ok(Shown::Nothing("it depends on what agents remember, which is not shown".to_owned()));
        }
        let large = matches!(&self.known, Lazy::Ready(sets) if sets.count() > MOST_VISITED.into());
        if !large {
            let impatient = Limited::new(budget).reports(MOST_REPORTS);
            match generate(&lowering, &mut self.space, decided, options, &impatient) {
                Err(Failure::Halt(Halt::Stopped { stop: Stop::Bound, .. })) => {}
                found => return found,
            }
        }
        let found = self.sets(budget).and_then(|sets| match sets {
            Some(sets) => generate_from_sets(model, sets, decided, options, budget),
            None => Err(Halt::TooLarge(String::new()).into()),
        });
        match found {
            Ok(Shown::Evidence(evidence)) if !matches!(evidence.claim.because, Because::NotShown(_)) => {
                Ok(Shown::Evidence(evidence))
            }
            Ok(Shown::Nothing(reason)) => Ok(Shown::Nothing(reason)),
            Err(Failure::Internal(wrong)) => Err(Failure::Internal(wrong)),
            Err(Failure::Halt(halt)) if stops(budget) => Err(Failure::Halt(halt)),
            _ => generate(&lowering, &mut self.space, decided, options, budget),
        }
    }

    /// The sets of states, computed if they are not known yet.
    fn sets(&mut self, budget: &dyn Budget) -> Result<Option<&mut Sets<'m>>, Failure> {
        if matches!(self.known, Lazy::NotYet) {
            let lowering = self.lowering()?;
            self.known = match Symbolic::new(&lowering, self.options, self.nodes, budget) {
                Ok(symbolic) => Sets::new(symbolic).map_or(Lazy::Never, |sets| Lazy::Ready(Box::new(sets))),
                Err(halt) if stops(budget) => return Err(halt.into()),
                Err(_) => Lazy::Never,
            };
        }
        match &mut self.known {
            Lazy::Ready(sets) => Ok(Some(sets)),
            _ => Ok(None),
        }
    }

    /// Checks evidence for a property and notes in it who did. An error of the kind [`Failure::Internal`] means that evidence, engine
    /// and model contradict each other: such evidence must not be shown.
    pub fn check(
        &mut self,
        evidence: &mut Evidence,
        formula: &Formula,
        budget: &dyn Budget,
    ) -> Result<(), Failure> {
        let mut lowering = self.lowering()?.with_arena(evidence.arena.clone());
        let property = lowering.property(formula).map_err(Halt::Invalid)?;
        let mut replay = Replay::new(lowering, self.options);
        replay.evidence(evidence, property).map_err(|wrong| internal(evidence, &wrong))?;
        self.explore(budget)?;
        let within = Limited::new(budget).space(u64::MAX, MOST_TRANSITIONS).nodes(MOST_NODES);
        let walker = match &self.reference {
            Lazy::Ready(explored) => match explored.walker(&mut replay.lowering, &replay.wanted, &within) {
                Ok(walker) => Some(walker),
                Err(Halt::TooLarge(_) | Halt::Stopped { stop: Stop::Bound, .. }) => None,
                Err(halt) => return Err(halt.into()),
            },
            Lazy::NotYet | Lazy::Never => None,
        };
        let found = Recheck::new(walker.as_ref(), &mut replay).evidence(evidence);
        let assumed = found.map_err(|wrong| internal(evidence, &wrong))?;
        evidence.checked = match (walker.is_some(), assumed) {
            (true, _) => Checked::ByReference,
            (false, false) => Checked::ByPaths,
            (false, true) => Checked::ByEngine,
        };
        Ok(())
    }

    /// Explores the model, once, if it is small enough.
    fn explore(&mut self, budget: &dyn Budget) -> Result<(), Failure> {
        if matches!(self.reference, Lazy::NotYet) {
            let within = Limited::new(budget).space(MOST_STATES, MOST_TRANSITIONS).nodes(MOST_NODES);
            let lowering = self.lowering()?;
            self.reference = match Explored::new(&lowering, self.options, &within) {
                Ok(explored) => Lazy::Ready(Box::new(explored)),
                Err(halt @ Halt::Stopped { .. }) if stops(budget) => return Err(halt.into()),
                // A fault elsewhere in the model is no fault of this evidence.
                Err(_) => Lazy::Never,
            };
        }
        Ok(())
    }
}

fn internal(evidence: &Evidence, wrong: &str) -> Failure {
    Failure::Internal(format!("the {} for `{}` is wrong: {wrong}", evidence.kind.word(), evidence.formula))
}

/// Does the run's own budget say to stop?
fn stops(budget: &dyn Budget) -> bool {
    budget.progress(Progress::Deciding { nodes: 0 }).is_err()
}
