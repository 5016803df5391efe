//! Every engine asked the same questions.

use servanda_cluster::{Cluster, Staff};
use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Property};
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;

use crate::{Limits, verdicts_of};

/// How far engines may go before they do not know.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// States that engines look at one by one.
    pub states: u64,
    /// Nodes of decision diagrams.
    pub diagram_nodes: usize,
    /// Questions to a solver.
    pub solver_calls: u64,
}

impl Room {
    /// Enough for a protocol that somebody wrote as a test.
    pub const SMALL: Room = Room { states: u64::MAX, diagram_nodes: 1 << 18, solver_calls: 50_000 };
    /// Enough for diagrams to decide public models, and for the others to decide the smaller ones.
    pub const LARGE: Room = Room { states: 20_000, diagram_nodes: 1 << 22, solver_calls: 5_000 };
}

/// The verdicts of every engine, the reference first: one for each property, `None` where the engine does not know.
///
/// # Panics
/// When an engine finds a mistake in the model.
pub fn verdicts_of_all(
    model: &Model,
    properties: &[Property],
    options: Options,
    room: Room,
) -> [(&'static str, Vec<Option<bool>>); 5] {
    let states = Limits { states: room.states, nodes: u64::MAX };
    let calls = Limits { states: u64::MAX, nodes: room.solver_calls };
    let explored = Explored::new(model, options, &states);
    let on_the_fly = Tableau::new(model, options, 1, &states);
    let symbolic = Symbolic::new(model, options, room.diagram_nodes, &NoLimits);
    let spread = Cluster::new(model, options, Staff::threads(2), &states);
    let by_solver = Sat::new(model, options, SatOptions::default(), &calls);
    [
        ("enumerate", verdicts_of(properties, explored, |engine, formula| engine.decide(formula, &states))),
        ("tableau", verdicts_of(properties, on_the_fly, |engine, formula| engine.decide(formula, &states))),
        ("bdd", verdicts_of(properties, symbolic, |engine, formula| engine.decide(formula, &NoLimits))),
        ("sat", verdicts_of(properties, by_solver, |engine, formula| engine.decide(formula, &calls))),
        ("cluster", verdicts_of(properties, spread, |engine, formula| engine.decide(formula, &states))),
    ]
}
