//! The table of engines: a new one is one row here.

use servanda_cluster::{Cluster, Mesh, Staff, Storage};
use servanda_engine::{Budget, Engine, Halt, Options};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_sat::{Sat, SatOptions};
use servanda_space::Lent;
use servanda_symbolic::Symbolic;
use servanda_syntax::Diagnostic;
use servanda_tableau::Tableau;

use crate::{EngineOptions, Loaded, Question};

/// The name of the reference engine, which keeps all states in memory.
pub const ENUMERATE: &str = "enumerate";

/// The name of the symbolic engine, which keeps sets of states as decision diagrams.
pub const BDD: &str = "bdd";

/// The name of the on-the-fly engine, which builds only what the answer needs.
pub const TABLEAU: &str = "tableau";

/// The name of the satisfiability engine, which asks a SAT solver.
pub const SAT: &str = "sat";

/// The name of the engine whose states are spread over workers.
pub const CLUSTER: &str = "cluster";

/// What it takes to make an engine ready for a model.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'m> {
    pub(crate) lowered: &'m Result<Lowering<'m>, Vec<Diagnostic>>,
    pub(crate) readings: Options,
    /// How many nodes decision diagrams may have.
    pub(crate) nodes: usize,
    /// How many threads look for states.
    pub(crate) threads: usize,
    /// How many workers share the states.
    pub(crate) workers: usize,
    /// The way to those in other processes.
    pub(crate) mesh: Option<&'static Mesh>,
    /// What they may put on disk, and where.
    pub(crate) storage: Option<&'static Storage>,
    /// How long the runs are that a bounded search looks at.
    pub(crate) bound: Option<usize>,
}

impl<'m> Setup<'m> {
    /// The model as core formulas was made by [`lower`] in the same readings.
    pub(crate) fn new(
        lowered: &'m Result<Lowering<'m>, Vec<Diagnostic>>,
        readings: Options,
        chosen: EngineOptions,
    ) -> Self {
        let EngineOptions { nodes, threads, workers, mesh, storage, bound, unreduced, .. } = chosen;
        let readings = Options { unreduced, ..readings };
        Setup { lowered, readings, nodes, threads, workers, mesh, storage, bound }
    }

    /// Do the agents of the model act in rounds?
    pub(crate) fn is_rounds(&self) -> bool {
        self.lowered.as_ref().is_ok_and(|lowering| lowering.model.behaviour.is_rounds())
    }

    fn lowering(&self) -> Result<&'m Lowering<'m>, Halt> {
        self.lowered.as_ref().map_err(|diagnostics| Halt::Invalid(diagnostics.clone()))
    }
}

/// The model and the properties that will be asked as core formulas, which all engines share.
pub(crate) fn lower<'m>(
    loaded: &'m Loaded,
    questions: &[Question],
    readings: Options,
) -> Result<Lowering<'m>, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(loaded.model(), readings.acts, readings.deadlock)?;
    for question in questions {
        // What is wrong with a property is said when it is asked.
        let _ = lowering.property(&question.property.formula);
    }
    lowering.share();
    Ok(lowering)
}

/// An engine of this program.
pub(crate) trait Member<'m>: Engine + Send {
    /// The diagrams in it, for those who look for evidence.
    fn into_diagrams(self: Box<Self>) -> Option<Box<Symbolic<'m>>> {
        None
    }

    /// The states in it, for those who look for evidence.
    fn into_space(self: Box<Self>) -> Option<Lent<'m>> {
        None
    }

    /// How many of the states that have been visited lie at each distance.
    fn widths(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The states on a shortest run that shows why a property has its verdict, where it comes down to what can be reached.
    fn route(&mut self, _: &Formula, _: &dyn Budget) -> Option<Vec<Vec<u64>>> {
        None
    }
}

impl<'m> Member<'m> for Explored<'m> {}
impl<'m> Member<'m> for Tableau<'m> {
    fn into_space(self: Box<Self>) -> Option<Lent<'m>> {
        Some(Tableau::into_space(*self))
    }

    fn widths(&self) -> Vec<usize> {
        Tableau::widths(self)
    }
}
impl<'m> Member<'m> for Sat<'m> {}
impl<'m> Member<'m> for Cluster<'m> {
    fn route(&mut self, property: &Formula, budget: &dyn Budget) -> Option<Vec<Vec<u64>>> {
        Cluster::route(self, property, budget).ok().flatten()
    }
}
impl<'m> Member<'m> for Symbolic<'m> {
    fn into_diagrams(self: Box<Self>) -> Option<Box<Symbolic<'m>>> {
        Some(self)
    }
}

/// An engine that can be asked.
pub(crate) type Ready<'m> = Box<dyn Member<'m> + 'm>;

/// What an engine is good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Visits states one by one, as many as the answer needs.
    OnTheFly,
    /// Works on sets of states, and must have all reachable ones first.
    Sets,
    /// Does not look at reachable states as such.
    Proofs,
}

/// Which states an engine visits one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visits {
    /// None: it works on sets of states, or asks a solver.
    None,
    /// As many as the answer needs.
    Needed,
    /// All reachable ones.
    All,
}

/// One row of the table.
pub(crate) struct Entry {
    /// What users call it.
    pub(crate) name: &'static str,
    /// What it is good at.
    pub(crate) kind: Kind,
    /// Which states it visits one by one.
    pub(crate) visits: Visits,
    /// What it does before it can be asked, as a verb; empty where that is next to nothing.
    pub(crate) phase: &'static str,
    /// Makes it ready.
    pub(crate) prepare: for<'m> fn(Setup<'m>, &dyn Budget) -> Result<Ready<'m>, Halt>,
}

const REFERENCE: Entry =
    Entry { name: ENUMERATE, kind: Kind::Sets, visits: Visits::All, phase: "exploring", prepare: enumerate };

static ENGINES: [Entry; 5] = [
    Entry { name: TABLEAU, kind: Kind::OnTheFly, visits: Visits::Needed, phase: "", prepare: tableau },
    Entry {
        name: BDD,
        kind: Kind::Sets,
        visits: Visits::None,
        phase: "exploring with diagrams",
        prepare: bdd,
    },
    Entry { name: SAT, kind: Kind::Proofs, visits: Visits::None, phase: "encoding", prepare: sat },
    Entry {
        name: CLUSTER,
        kind: Kind::OnTheFly,
        visits: Visits::All,
        phase: "starting workers",
        prepare: cluster,
    },
    REFERENCE,
];

/// The names of all engines.
pub fn engine_names() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().map(|entry| entry.name)
}

/// The row of an engine; that of the reference engine where there is none of that name.
pub(crate) fn entry(name: &str) -> &'static Entry {
    ENGINES.iter().find(|entry| entry.name == name).unwrap_or(&REFERENCE)
}

/// Which states the engine of this name visits one by one.
pub(crate) fn visits(name: &str) -> Visits {
    entry(name).visits
}

/// Makes the engine of this name ready.
pub(crate) fn prepare<'m>(name: &str, setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    (entry(name).prepare)(setup, budget)
}

fn enumerate<'m>(setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    Ok(Box::new(Explored::new(setup.lowering()?, setup.readings, budget)?))
}

fn tableau<'m>(setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    Ok(Box::new(Tableau::new(setup.lowering()?, setup.readings, setup.threads, budget)?))
}

fn bdd<'m>(setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    Ok(Box::new(Symbolic::new(setup.lowering()?, setup.readings, setup.nodes, budget)?))
}

fn sat<'m>(setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    let choices = SatOptions { bound: setup.bound, ..SatOptions::default() };
    Ok(Box::new(Sat::new(setup.lowering()?, setup.readings, choices, budget)?))
}

fn cluster<'m>(setup: Setup<'m>, budget: &dyn Budget) -> Result<Ready<'m>, Halt> {
    let staff = setup.mesh.map_or_else(|| Staff::threads(setup.workers), Staff::processes);
    let model = setup.lowering()?.model;
    Ok(Box::new(match setup.storage {
        None => Cluster::new(model, setup.readings, staff, budget)?,
        Some(storage) => Cluster::with_storage(model, setup.readings, staff, storage, budget)?,
    }))
}
