//! The smallest system that is equivalent to a given one.

use servanda_engine::{Budget, Halt};
use servanda_lts::{Action, Edge, Lts, State};

use crate::determinise::Sets;
use crate::quotient::{self, quotient};
use crate::refine::{Inert, refine};
use crate::relation::{Relation, Steps};
use crate::saturate::{Gathered, saturated};
use crate::simulation::{Game, Ready, Simulation};
use crate::watch::Watch;

/// All pairs of so many states are looked at, but not of more.
const MOST_SIMULATED: usize = 2000;

/// The smallest system that is equivalent to this one, its states numbered in the order of a breadth-first search.
///
/// There is no equivalent system with fewer states, save for `Trace`, where only among the deterministic ones there is
/// none. For `Strong`, `Branching`, `Weak` and `Simulation` none of that size has fewer transitions either.
///
/// # Errors
///
/// When the budget says stop, and for `Simulation` if the strong quotient has too many states.
pub fn minimise(lts: &Lts, relation: Relation, budget: &dyn Budget) -> Result<Lts, Halt> {
    let mut watch = Watch::new(budget);
    watch.ask()?;
    // What cannot be reached does not matter, and would only cost.
    let lts = lts.reachable();
    let small = match relation {
        Relation::Strong => quotient::strong(&lts, &mut watch)?.lts,
        Relation::Branching => quotient::branching(&lts, &mut watch)?.lts,
        Relation::Weak => weak(&lts, &mut watch)?,
        Relation::Trace => trace(&lts, &mut watch)?,
        Relation::Simulation => simulation(&lts, &mut watch)?,
    };
    Ok(small.reachable())
}

/// The weak quotient without the transitions that follow from others (Eloranta, Tienari and Valmari, 1997).
///
/// In the saturated quotient a visible step follows from another one if an internal step can be made before or after that
/// one, and an internal step if there is a state between. There are no cycles of internal steps, so what all others
/// follow from is left.
fn weak(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Halt> {
    let saturated = saturated(lts, watch)?;
    watch.ask()?;
    let partition = refine(&saturated.lts, Inert::None, watch)?;
    watch.ask()?;
    let full = quotient(&saturated.lts, &partition, Inert::Internal).lts;
    let mut rows = Vec::with_capacity(full.states());
    let silent: Vec<Vec<State>> =
        full.all_states().map(|state| full.successors(state, Action::INTERNAL).collect()).collect();
    for state in full.all_states() {
        let row = full.edges(state);
        let has =
            |row: &[Edge], action: Action, target: State| row.binary_search(&Edge { action, target }).is_ok();
        // What follows from a later step of this state, or from a step of a state that it can become silently.
        let mut follows = Gathered::default();
        for edge in row {
            let after = silent[edge.target.index()].iter();
            follows.add(after.map(|target| Edge { action: edge.action, target: *target }), watch)?;
        }
        for next in &silent[state.index()] {
            let visible = full.edges(*next).iter().filter(|edge| !edge.action.is_internal());
            follows.add(visible.copied(), watch)?;
        }
        let follows = follows.finish();
        let needed = row.iter().filter(|edge| !has(&follows, edge.action, edge.target));
        rows.push(needed.copied().collect::<Vec<Edge>>());
    }
    Ok(Lts::from_rows(full.initial(), rows, full.labels().clone()))
}

/// The smallest deterministic system without internal steps.
fn trace(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Halt> {
    let reduced = quotient::branching(lts, watch)?;
    let mut sets = Sets::new(&reduced.lts, Inert::Internal);
    let mut next = sets.closed([reduced.image(lts.initial())], watch)?;
    let mut rows: Vec<Vec<Edge>> = Vec::new();
    while next.index() < sets.sets.len() {
        rows.push(sets.steps(next, watch)?);
        next.0 += 1;
    }
    let deterministic = Lts::from_rows(State(0), rows, lts.labels().clone());
    Ok(quotient::strong(&deterministic, watch)?.lts)
}

/// One state for all that simulate each other, and of the steps with one label only those to the most capable states
/// (Bustan and Grumberg, 2003).
fn simulation(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Halt> {
    let lts = quotient::strong(lts, watch)?.lts;
    if lts.states() > MOST_SIMULATED {
        return Err(Halt::TooLarge(format!(
            "the smallest system for simulation is made from all pairs of states; after reduction by strong \
             bisimilarity there are {} states, and at most {MOST_SIMULATED} are taken",
            lts.states()
        )));
    }
    let pairs: Vec<(State, State)> =
        lts.all_states().flat_map(|one| lts.all_states().map(move |other| (one, other))).collect();
    let game = Game::new(&lts, Steps::Strong, Ready::Ignored, watch)?;
    let simulation = Simulation::new(&game, &pairs, watch)?;
    let below = |one: State, other: State| simulation.holds((one, other));
    let mut class: Vec<State> = Vec::with_capacity(lts.states());
    for state in lts.all_states() {
        watch.work(state.index())?;
        let mut earlier = (0..state.index()).map(State::from_index);
        let same = earlier.find(|other| below(state, *other) && below(*other, state));
        class.push(same.unwrap_or(state));
    }
    let mut rows: Vec<Vec<Edge>> = Vec::with_capacity(lts.states());
    for state in lts.all_states() {
        // States that nothing is mapped to become unreachable and disappear.
        let mut row: Vec<Edge> = lts
            .edges(state)
            .iter()
            .map(|edge| Edge { action: edge.action, target: class[edge.target.index()] })
            .collect();
        row.sort_unstable();
        row.dedup();
        watch.work(row.len() * row.len())?;
        let outdone = |edge: &Edge| {
            let rivals =
                row.iter().filter(|rival| rival.action == edge.action && rival.target != edge.target);
            rivals.clone().any(|rival| below(edge.target, rival.target))
        };
        let needed: Vec<Edge> = row.iter().filter(|edge| !outdone(edge)).copied().collect();
        rows.push(needed);
    }
    Ok(Lts::from_rows(class[lts.initial().index()], rows, lts.labels().clone()))
}
