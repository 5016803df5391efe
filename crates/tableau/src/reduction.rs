//! Partial-order reduction: of steps that do not get into each other's way one order is enough.
//!
//! Where a property refers to single paths and does not notice some steps ([`servanda_lower::is_even`]), a search need not take all steps
//! of a state: some that nobody watches and after which all others can wait ([`stubborn`]) stand for all. They are found from what commands read and
//! write ([`dependence`]). The conditions are those of Peled ("Combining partial order reductions with on-the-fly model-checking"):
//!
//! - *C0*: some step is taken wherever there is one. So all deadlocks are kept.
//! - *C1*: what is left out can be done after what is taken, with the same result.
//! - *C2*: where steps are left out, none of those taken is watched.
//! - *C3*: every cycle of the search has a place with all its steps, so nothing is put off for ever. Who searches sees to that:
//!   depth first, a place from which a step leads back to the path of the search takes all steps; nearest first, a place from which
//!   a step leads to one that was dealt with before.
//!
//! Places are pairs of a state and of what the path still owes, and the choice may differ between pairs of one state. That is right because
//! what the tableau rules leave over is a conjunction of even formulas: whatever a pair still demands does not notice unwatched steps
//! either. (For automata made in other ways it is wrong: Siegel, "What's wrong with on-the-fly partial order reduction".)
//! Take a path that meets the demands of a pair. If one of the steps taken there is on it, it can come first; if none is, it can be put
//! before all. The watched steps stay, in their order, and with C3 each of them is made sometime. See docs/reductions.md.

mod dependence;
mod guided;
mod invariant;
mod stubborn;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use servanda_engine::{Budget, Halt, Savings};
use servanda_lower::{Action, Arena, Over, Path, PathFormula, State, StateFormula};
use servanda_model::{Behaviour, CommandId, Model, MoveError, Mover};
use servanda_space::{Space, Step, Via};

pub(crate) use guided::Guided;

use dependence::Dependence;
use stubborn::Stubborn;

use crate::evaluate::Evaluation;
use crate::layers::Node;

/// How many of a hundred steps must be left out at so many places. Where few are, the search saves less than it costs. More cannot be
/// asked for: where choices are what is left, most places have no others to leave out, and there are exponentially fewer places still.
const WORTH: &[(u64, u64)] = &[(1 << 11, 12), (1 << 14, 16), (1 << 17, 20)];

/// The same where the other way is the explorer of all states, a dozen times as fast: what is not found soon is left to it.
const WORTH_BESIDE_EXPLORER: &[(u64, u64)] = &[(1 << 11, 12), (1 << 13, 30), (1 << 16, 75)];

/// A condition that tests leave out, to see that they notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// C3.
    NoCycleCondition,
    /// C2, for labels.
    LabelsUnwatched,
    /// C2, for conditions.
    ConditionsUnwatched,
    /// C1: one of two commands that disable each other does not know.
    MissingDependence,
    /// C1: a command that may make a guard true is forgotten.
    MissingEnabler,
    /// All formulas count as even.
    AnyFormula,
    /// One of several ways to a goal is forgotten.
    MissingWay,
}

/// What is known of a model for all reductions, and how it moves.
pub(crate) struct Moves<'m> {
    dependence: Arc<Dependence>,
    mover: Mover<'m>,
    /// The moves of the state that is looked at: commands, and where they lead, one after the other.
    commands: Vec<CommandId>,
    targets: Vec<u64>,
}

/// The reduction for one property.
pub(crate) struct Reduction {
    stubborn: Stubborn,
    /// How many steps of the last place were left out.
    left_out: usize,
    /// How many were taken.
    taken: usize,
    pub(crate) savings: Savings,
    minds_cycles: bool,
}

impl<'m> Moves<'m> {
    /// `None` where no property of the model can be reduced.
    pub(crate) fn new(model: &'m Model, flaws: Option<Flaw>) -> Option<Self> {
        let Behaviour::Commands(_) = model.behaviour else { return None };
        let mover = Mover::new(model);
        let dependence = Arc::new(Dependence::new(model, mover.layout(), flaws)?);
        Some(Moves { dependence, mover, commands: Vec::new(), targets: Vec::new() })
    }

    /// The moves of a state.
    fn make(&mut self, state: &[u64]) -> Result<(), Halt> {
        self.commands.clear();
        self.targets.clear();
        let Moves { mover, commands, targets, .. } = self;
        let moved = mover.for_each(state, |cause, next| {
            commands.extend(cause.command());
            targets.extend_from_slice(next);
        });
        moved.map_err(|fault| Halt::of_moves(mover, state, MoveError::Fault(fault)))
    }
}

impl Reduction {
    /// For the paths that satisfy an even formula.
    fn new(arena: &Arena, psi: PathFormula, moves: &Moves<'_>, flaws: Option<Flaw>) -> Self {
        let visible = visible(arena, psi, moves.mover.model(), &moves.dependence, flaws);
        Reduction {
            stubborn: Stubborn::new(moves.dependence.clone(), visible),
            left_out: 0,
            taken: 0,
            savings: Savings { properties: 1, ..Savings::default() },
            minds_cycles: flaws != Some(Flaw::NoCycleCondition),
        }
    }

    /// The steps of a state that have to be taken, whatever cycles there are.
    pub(crate) fn steps<'m>(
        &mut self,
        moves: &mut Moves<'m>,
        space: &mut Space<'m>,
        number: u32,
        found: &mut Vec<Step>,
    ) -> Result<(), Halt> {
        found.clear();
        let state = space.state(number).to_vec();
        moves.make(&state)?;
        let chosen = self.stubborn.choose(&state, &moves.commands);
        for (command, target) in moves.commands.iter().zip(moves.targets.chunks_exact(state.len())) {
            if chosen.is_none_or(|chosen| chosen.contains(command)) {
                found.push(Step { via: Via(command.0), target: space.enter(target) });
            }
        }
        (self.taken, self.left_out) = (found.len(), moves.commands.len() - found.len());
        if moves.commands.is_empty() {
            found.push(Step { via: Via::LOOP, target: number });
        }
        Ok(())
    }

    /// Must the last place take all its steps, given whether one of those taken closes a cycle? Notes what was saved there.
    pub(crate) fn must_take_all(&mut self, closes_cycle: bool) -> bool {
        let all = self.left_out > 0 && closes_cycle && self.minds_cycles;
        if all {
            (self.taken, self.left_out) = (self.taken + self.left_out, 0);
        }
        self.savings.note(self.taken, self.left_out);
        all
    }

    /// Is so little left out that searching all steps is faster?
    pub(crate) fn is_idle(&self) -> bool {
        self.savings.is_idle(WORTH)
    }
}

/// By command: does a path formula watch it? It watches what may change a condition of it, and the labels it asks for.
fn visible(
    arena: &Arena,
    psi: PathFormula,
    model: &Model,
    dependence: &Dependence,
    flaws: Option<Flaw>,
) -> Vec<bool> {
    let parts = arena.state_parts_of(&[psi]);
    let conditions = parts.iter().filter(|_| flaws != Some(Flaw::ConditionsUnwatched));
    let mut visible = dependence.changing(conditions.flat_map(|part| arena.propositions_in(*part)));
    let mut labels = vec![false; model.labels.len()];
    for part in arena.path_parts(&[psi]) {
        if let Path::Action(Action::Does(set)) = *arena.path(part)
            && flaws != Some(Flaw::LabelsUnwatched)
        {
            arena.labels(set).iter().for_each(|label| labels[label.index()] = true);
        }
    }
    for ((_, command), visible) in model.commands().zip(&mut visible) {
        *visible |= labels[command.label.index()];
    }
    // That a step cannot be made is noticed by everybody.
    for (command, visible) in (0..).zip(&mut visible) {
        *visible |= dependence.may_fault(command);
    }
    visible
}

impl<'m> Evaluation<'m> {
    /// What reductions need to know of the model, looked at where somebody asks; `None` where nothing can be left out.
    fn moves(&mut self) -> Option<&Moves<'m>> {
        if !self.moves_known {
            self.moves_known = true;
            self.moves = Moves::new(self.lowering.model, self.flaws).map(Box::new);
        }
        self.moves.as_deref()
    }

    /// Does `E ψ` hold in a state? Found with fewer steps than there are; `None` where that cannot be, or does not help.
    pub(crate) fn exists_with_fewer_steps(
        &mut self,
        id: StateFormula,
        state: u32,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let State::Exists { path, over } = *self.lowering.arena.state(id) else { return Ok(None) };
        if let Some(known) = self.label(path, over, Node { layer: 0, number: state }) {
            return Ok(Some(known));
        }
        let goal = self.lowering.arena.sometime(id);
        // Where something has to be found out about every state that is met, paths that go on are better.
        if goal.is_none_or(|goal| !self.lowering.arena.is_condition(goal))
            && let Some(found) = self.exists_reduced(path, over, state, budget)?
        {
            return Ok(Some(found));
        }
        goal.map_or(Ok(None), |goal| self.reaches(goal, state, budget))
    }

    /// Does some path from a state satisfy ψ? Found with fewer steps than there are; `None` where the formula or the model does not
    /// allow that, or where it does not help.
    fn exists_reduced(
        &mut self,
        psi: PathFormula,
        over: Over,
        state: u32,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let Some(linear) = self.reducible(psi, over) else { return Ok(None) };
        let (number, mut search) = self.take_search(0, linear, over, budget)?;
        if search.reduction.is_none() {
            let Some(moves) = &self.moves else { return Ok(None) };
            let reduction = Reduction::new(&self.lowering.arena, linear, moves, self.flaws);
            search.reduction = Some(Box::new(reduction));
        }
        let start = search.start;
        search.gave_up = false;
        let found = match search.is_terminal {
            true => self.near_path(&mut search, state, budget),
            false => self.some_path(&mut search, state, &[start], budget),
        };
        let gave_up = search.gave_up;
        if gave_up {
            self.linear.insert(psi, None);
            search.reduction = None;
        }
        self.searches[number] = Some(search);
        found.map(|found| (!gave_up).then_some(found))
    }

    /// What reductions have saved.
    pub(crate) fn savings(&self) -> Savings {
        let reductions = self.searches.iter().flatten().filter_map(|search| search.reduction.as_ref());
        let guided = self.guided.values().flatten().map(|guided| guided.savings);
        let mut sum = Savings::default();
        reductions.map(|reduction| reduction.savings).chain(guided).for_each(|savings| sum += savings);
        sum
    }

    /// The path formula that stands for ψ where steps are left out, if they can be.
    fn reducible(&mut self, psi: PathFormula, over: Over) -> Option<PathFormula> {
        let all_runs = self.fairness.is_none() && !self.apart_from_runs;
        if self.options.unreduced || over != Over::AllPaths || !all_runs {
            return None;
        }
        if let Some(known) = self.linear.get(&psi) {
            return *known;
        }
        let linear = invariant::linear(&mut self.lowering.arena, psi);
        let even = servanda_lower::is_even(&self.lowering.arena, linear, &|state| {
            self.lowering.arena.is_condition(state)
        }) || self.flaws == Some(Flaw::AnyFormula);
        let found = (even && self.moves().is_some()).then_some(linear);
        self.linear.insert(psi, found);
        found
    }
}
