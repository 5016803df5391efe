//! A look at the model before anything else is done: most models have few states, and then everything is known about them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use servanda_engine::{Budget, Counts, Halt, Progress, Stop};
use servanda_report::Phase;

use super::growth;
use super::plan::Plan;
use super::portfolio::Worked;
use super::registry::{Ready, Setup, TABLEAU, prepare};
use super::shape::{FEW_STATES, Few, are_initial_states_soon_listed};
use crate::Watch;

/// A look takes no longer, as long as states are found: where a round takes so much that few are seen by then, other engines are better.
const LONGEST: Duration = Duration::from_millis(10);

/// The same where the engine that visits states leads after the look and goes on with it: the others need not wait so long for their turns.
const LONGEST_OF_LEAD: Duration = Duration::from_millis(8);

/// Where so many states are expected after half of a look, the rest of it would not show all of them either.
const VERY_MANY_STATES: f64 = 1e6;

/// Where none were found since it was last asked, all have been found most likely, and their steps are soon known too.
const LONGEST_WITHOUT_NEW: Duration = Duration::from_millis(20);

/// The engine that visits states, with those that it has seen.
pub(crate) struct Look<'m> {
    pub(super) engine: Ready<'m>,
    pub(super) phases: Vec<Phase>,
    /// What it has worked so far.
    pub(super) work: Duration,
}

impl<'m> Look<'m> {
    /// Looks at a few states, where the plan says so.
    pub(crate) fn ahead(plan: &Plan, setup: Setup<'m>, watch: Watch<'_>) -> Option<Self> {
        if plan.looks_ahead { Look::new(plan, setup, watch) } else { None }
    }

    /// Looks at a few states. `None` where anything is at fault: whoever works says so.
    pub(crate) fn new(plan: &Plan, setup: Setup<'m>, watch: Watch<'_>) -> Option<Self> {
        let few = plan.few.or_else(|| few_of_slices(plan, setup))?;
        let began = watch.clock.work();
        let longest = if plan.lead() == TABLEAU { LONGEST_OF_LEAD } else { LONGEST };
        let glance = |longest| Glance { watch, began, longest, found: AtomicU64::new(0) };
        let mut phases = Vec::new();
        let seen = watch.phase(&mut phases, "exploring", || {
            Progress::Exploring { states: 0, transitions: 0 }.tell(watch.budget)?;
            let mut engine = prepare(TABLEAU, setup, &glance(longest))?;
            let mut visited = few.visit(&mut engine, &glance(longest / 2));
            let is_bound = matches!(visited, Err(Halt::Stopped { stop: Stop::Bound, .. }));
            if is_bound && growth::states_expected(&engine.widths()) < VERY_MANY_STATES {
                visited = few.visit(&mut engine, &glance(longest));
            }
            match visited {
                Ok(()) | Err(Halt::NotOffered | Halt::Stopped { stop: Stop::Bound, .. }) => Ok(engine),
                Err(halt) => Err(halt),
            }
        });
        let work = watch.clock.work().saturating_sub(began);
        seen.ok().map(|engine| Look { engine, phases, work })
    }

    /// What the engine has done, if that is all.
    pub(crate) fn into_worked(self, questions: usize) -> Worked<'m> {
        let (unknown, techniques) = (vec![None; questions], vec![None; questions]);
        Worked { name: TABLEAU, engine: Ok(self.engine), phases: self.phases, unknown, techniques }
    }

    /// Were all states seen?
    pub(crate) fn is_all(&self) -> bool {
        self.engine.is_explored()
    }

    /// Are there few? Where some are alike many are counted, and few of them seen.
    pub(crate) fn are_few(&self) -> bool {
        let few = |counts: Counts| counts.states <= FEW_STATES.into();
        self.is_all() && self.engine.counts().is_some_and(few)
    }

    /// How many of those seen lie at each distance.
    pub(crate) fn widths(&self) -> Vec<usize> {
        self.engine.widths()
    }
}

/// How many states are few where one engine was asked for; it looks at them only to see whether slices are worth it.
fn few_of_slices(plan: &Plan, setup: Setup<'_>) -> Option<Few> {
    let model = setup.lowered.as_ref().ok().filter(|_| plan.members.len() == 1)?.model;
    are_initial_states_soon_listed(model).then(|| Few::new(model))
}

/// A budget that is used up when a thread has worked for a while.
struct Glance<'a> {
    watch: Watch<'a>,
    began: Duration,
    longest: Duration,
    /// The states found when it was last asked.
    found: AtomicU64,
}

impl Budget for Glance<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.watch.budget.progress(progress)?;
        let before = self.found.load(Ordering::Relaxed);
        let found =
            if let Progress::Exploring { states, .. } = progress { before.max(states) } else { before };
        self.found.store(found, Ordering::Relaxed);
        let longest = if found > before { self.longest } else { LONGEST_WITHOUT_NEW };
        let worked = self.watch.clock.work().saturating_sub(self.began);
        if worked < longest { Ok(()) } else { Err(Stop::Bound) }
    }
}
