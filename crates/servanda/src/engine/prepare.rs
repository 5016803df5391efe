//! Making the engine ready that suits the model.

use servanda_engine::{Halt, Options};
use servanda_enumerate::Explored;
use servanda_model::Model;
use servanda_report::Run;
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;

use super::cap::{Cap, NodeCap};
use super::{BDD, ENUMERATE, Engine, Means, Ready, SAT, TABLEAU, shape};
use crate::watch::not_yet_stopped;
use crate::{Language, Loaded, Watch};

/// Beyond so many states of a protocol or process, diagrams take over: by then they are mostly the faster way.
const MOST_EXPLORED: u64 = 500_000;

/// So many states of a protocol are explored before diagrams are tried for the first time.
const FEW_EXPLORED: u64 = 2000;

/// So many nodes diagrams may have then.
const FEW_NODES: u64 = 1 << 18;

/// Up to so many states are explored also where diagrams are small: that takes no time either, and more is found out about the model.
const MOST_EXPLORED_ANYWAY: u64 = 8000;

/// Diagrams go first for ISPL, so the reference engine is only asked about what is small.
pub(super) const MOST_EXPLORED_AGAIN: u64 = 100_000;

/// What it takes to make an engine ready for a model.
#[derive(Clone, Copy)]
pub(super) struct Work<'m, 'w> {
    pub(super) model: &'m Model,
    pub(super) readings: Options,
    pub(super) nodes: usize,
    pub(super) threads: usize,
    bound: Option<usize>,
    pub(super) watch: Watch<'w>,
}

/// Whether the states of a model must all be known, or only as many as it takes to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All.
    Whole,
    /// As many as it takes.
    Needed,
}

/// Makes the engine asked for ready, or the one that suits. The run is told which one did the work, or was doing it when
/// it halted.
pub(crate) fn prepare<'m>(
    loaded: &'m Loaded,
    readings: Options,
    means: Means,
    extent: Extent,
    watch: Watch<'_>,
    run: &mut Run,
) -> Result<Ready<'m>, Halt> {
    let work = Work::new(loaded, readings, means, watch);
    match (means.engine, loaded.language()) {
        // What a text lists state by state is not too large to be explored.
        (Engine::Enumerate, _) => work.explore(run),
        (Engine::Bdd, _) => work.encode(run),
        (Engine::Sat, _) => work.as_circuit(run),
        (Engine::Tableau, _) if extent == Extent::Whole => {
            work.on_the_fly_up_to(u64::MAX, run).map_err(|(halt, _)| halt)
        }
        (Engine::Tableau, _) => work.on_the_fly(run),
        (Engine::Auto, Language::Ispl) => match work.encode(run) {
            Err(Halt::TooLarge(reason)) => work
                .explore_up_to(MOST_EXPLORED_AGAIN, run)
                .map_err(|(halt, seen)| if seen.is_some() { Halt::TooLarge(reason) } else { halt }),
            encoded => encoded,
        },
        (Engine::Auto, Language::Pact) if extent == Extent::Needed => {
            match work.on_the_fly_up_to(FEW_EXPLORED, run) {
                Err((_, Some(_))) => match work.small_diagrams(run)? {
                    Some(encoded) => Ok(encoded),
                    None => work.on_the_fly_or_encoded(extent, run),
                },
                explored => explored.map_err(|(halt, _)| halt),
            }
        }
        (Engine::Auto, Language::Pact | Language::Ccs | Language::Aut) => {
            work.on_the_fly_or_encoded(extent, run)
        }
    }
}

/// Diagrams that are stopped have counted nothing, but the engine before them has.
fn or_seen(halt: Halt, (states, transitions): (u64, u64)) -> Halt {
    match halt {
        Halt::Stopped { stop, states: 0, .. } => Halt::Stopped { stop, states, transitions },
        halt => halt,
    }
}

impl<'m, 'w> Work<'m, 'w> {
    pub(super) fn new(loaded: &'m Loaded, readings: Options, means: Means, watch: Watch<'w>) -> Self {
        let Means { nodes, threads, bound, .. } = means;
        Work { model: loaded.model(), readings, nodes, threads, bound, watch }
    }

    /// The on-the-fly engine, which looks for states when it is asked something.
    fn on_the_fly(self, run: &mut Run) -> Result<Ready<'m>, Halt> {
        run.engine = TABLEAU;
        not_yet_stopped(self.watch)?;
        let tableau = Tableau::new(self.model, self.readings, self.threads, self.watch.monitor)?;
        Ok(Ready::Tableau(Box::new(tableau)))
    }

    /// The on-the-fly engine with all states, if there are at most so many; what it has seen, if there are more.
    fn on_the_fly_up_to(self, most: u64, run: &mut Run) -> Result<Ready<'m>, (Halt, Option<(u64, u64)>)> {
        run.engine = TABLEAU;
        let cap = Cap::new(self.watch.monitor, most);
        let explored = self.watch.phase(&mut run.phases, "exploring", || {
            not_yet_stopped(self.watch)?;
            let mut tableau = Tableau::new(self.model, self.readings, self.threads, &cap)?;
            tableau.explore(&cap)?;
            Ok(Ready::Tableau(Box::new(tableau)))
        });
        explored.map_err(|halt| (halt, cap.passed()))
    }

    /// The on-the-fly engine with all states, and diagrams where these are too many.
    fn on_the_fly_or_encoded(self, extent: Extent, run: &mut Run) -> Result<Ready<'m>, Halt> {
        match self.on_the_fly_up_to(MOST_EXPLORED, run) {
            Ok(explored) => Ok(explored),
            Err((_, Some(seen))) => match self.encode(run) {
                // Where the states are too many for either, some properties may still be decided.
                Err(Halt::TooLarge(_)) if extent == Extent::Needed => self.on_the_fly(run),
                encoded => encoded.map_err(|halt| or_seen(halt, seen)),
            },
            Err((halt, None)) => Err(halt),
        }
    }

    /// The symbolic engine, if small diagrams show that there are many states: then they are the faster way by far, and it took
    /// next to nothing to find out.
    fn small_diagrams(self, run: &mut Run) -> Result<Option<Ready<'m>>, Halt> {
        if shape::patience(self.model).is_some() {
            return Ok(None);
        }
        let cap = NodeCap::new(self.watch.monitor, FEW_NODES);
        let symbolic = self.watch.phase(&mut run.phases, "exploring with diagrams", || {
            Symbolic::new(self.model, self.readings, self.nodes, &cap)
        });
        not_yet_stopped(self.watch)?;
        // Whatever is wrong with the model, the engine that goes on will say.
        let many = symbolic.ok().filter(|symbolic| symbolic.states() > MOST_EXPLORED_ANYWAY.into());
        Ok(many.map(|symbolic| {
            run.engine = BDD;
            Ready::Symbolic(Box::new(symbolic))
        }))
    }

    /// The reference engine, without a bound of its own.
    pub(super) fn explore(self, run: &mut Run) -> Result<Ready<'m>, Halt> {
        self.explore_up_to(u64::MAX, run).map_err(|(halt, _)| halt)
    }

    /// The reference engine, for at most so many states; what it has seen, if there are more.
    pub(super) fn explore_up_to(
        self,
        most: u64,
        run: &mut Run,
    ) -> Result<Ready<'m>, (Halt, Option<(u64, u64)>)> {
        run.engine = ENUMERATE;
        let cap = Cap::new(self.watch.monitor, most);
        let explored = self.watch.phase(&mut run.phases, "exploring", || {
            not_yet_stopped(self.watch)?;
            Explored::new(self.model, self.readings, &cap)
        });
        explored.map(|explored| Ready::Explored(Box::new(explored))).map_err(|halt| (halt, cap.passed()))
    }

    /// The satisfiability engine.
    fn as_circuit(self, run: &mut Run) -> Result<Ready<'m>, Halt> {
        run.engine = SAT;
        let sat = self.watch.phase(&mut run.phases, "encoding", || {
            not_yet_stopped(self.watch)?;
            let choices = SatOptions { bound: self.bound, ..SatOptions::default() };
            Sat::new(self.model, self.readings, choices, self.watch.monitor)
        });
        sat.map(|sat| Ready::Sat(Box::new(sat)))
    }

    /// The symbolic engine.
    pub(super) fn encode(self, run: &mut Run) -> Result<Ready<'m>, Halt> {
        run.engine = BDD;
        let symbolic = self.watch.phase(&mut run.phases, "exploring with diagrams", || {
            not_yet_stopped(self.watch)?;
            Symbolic::new(self.model, self.readings, self.nodes, self.watch.monitor)
        });
        symbolic.map(|symbolic| Ready::Symbolic(Box::new(symbolic)))
    }
}
