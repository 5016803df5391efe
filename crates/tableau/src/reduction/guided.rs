//! Is there a way to a state in which a formula holds? Then only steps that some way there needs are taken.
//!
//! In a state in which the formula does not hold, look for commands of which every way to where it holds must make one: where a
//! conjunct is false, those that may make it true. In the stubborn set of these the first step of the set on such a way can be moved to the
//! front; the way is as long as before and ends in the same state. So nothing has to be invisible, cycles do no harm, and what holds in the end
//! may be anything: knowledge, or what other paths do (Kristensen, Schmidt and Valmari, "Question-guided stubborn set methods for state
//! properties"). Where the set has no command that can run there is no way at all.

use servanda_engine::{Budget, Halt, Progress, RunFault, Savings};
use servanda_lower::{Arena, State, StateFormula};
use servanda_model::{Expr, Layout, Program};

use super::dependence::Dependence;
use super::stubborn::Stubborn;
use super::{Flaw, Moves, WORTH, WORTH_BESIDE_EXPLORER};
use crate::evaluate::Evaluation;
use crate::layers::Node;
use crate::search::REPORT_EVERY;

/// A formula of more parts than this is not taken apart.
const MOST_PARTS: usize = 4096;

/// What is to come true, negations moved inwards.
enum Goal {
    /// A condition, with the commands that may make it true.
    Condition {
        program: Program,
        enablers: Vec<u32>,
    },
    /// Something else, or its negation.
    Formula(StateFormula, bool),
    All(Vec<Goal>),
    Any(Vec<Goal>),
}

/// The search for one formula.
pub(crate) struct Guided {
    goal: Goal,
    stubborn: Stubborn,
    /// The commands that may fail, and those that may change what their assignments read: a failure is looked for like the goal.
    failing: Vec<(u32, Vec<u32>)>,
    /// By state: is there no way from it?
    hopeless: Vec<bool>,
    pub(super) savings: Savings,
    worth: &'static [(u64, u64)],
    /// The budget is asked after so many states: sooner where there is much to be looked at in each.
    report_every: usize,
}

/// Takes formulas apart.
struct Division<'a> {
    arena: &'a Arena,
    dependence: &'a Dependence,
    layout: &'a Layout,
    left: usize,
}

impl Division<'_> {
    fn of_state(&mut self, id: StateFormula, sign: bool) -> Option<Goal> {
        self.left = self.left.checked_sub(1)?;
        Some(match *self.arena.state(id) {
            State::Not(a) => self.of_state(a, !sign)?,
            State::And(a, b) => joined(sign, [self.of_state(a, sign)?, self.of_state(b, sign)?]),
            State::Or(a, b) => joined(!sign, [self.of_state(a, sign)?, self.of_state(b, sign)?]),
            State::Proposition(proposition) => {
                self.of_condition(self.arena.proposition_expr(proposition), sign)?
            }
            _ => Goal::Formula(id, sign),
        })
    }

    fn of_condition(&mut self, condition: &Expr, sign: bool) -> Option<Goal> {
        self.left = self.left.checked_sub(1)?;
        Some(match condition {
            Expr::Not(inner) => self.of_condition(inner, !sign)?,
            // What may have no value is read as it stands.
            Expr::And(parts) if !condition.can_fault() => self.of_parts(parts, sign, sign)?,
            Expr::Or(parts) if !condition.can_fault() => self.of_parts(parts, sign, !sign)?,
            _ => {
                let condition = if sign { condition.clone() } else { condition.clone().negate() };
                let enablers = self.dependence.enablers(&condition);
                Goal::Condition { program: Program::new(&condition, self.layout), enablers }
            }
        })
    }

    fn of_parts(&mut self, parts: &[Expr], sign: bool, all: bool) -> Option<Goal> {
        let parts = parts.iter().map(|part| self.of_condition(part, sign)).collect::<Option<Vec<Goal>>>()?;
        Some(joined(all, parts))
    }
}

/// All of these, or any; conditions before what takes longer to find out.
fn joined(all: bool, parts: impl IntoIterator<Item = Goal>) -> Goal {
    let mut joined = Vec::new();
    for part in parts {
        match part {
            Goal::All(parts) if all => joined.extend(parts),
            Goal::Any(parts) if !all => joined.extend(parts),
            part => joined.push(part),
        }
    }
    joined.sort_by_key(|part| !part.guides());
    if all { Goal::All(joined) } else { Goal::Any(joined) }
}

impl Goal {
    /// Can conditions alone say that it does not hold?
    fn guides(&self) -> bool {
        match self {
            Goal::Condition { .. } => true,
            Goal::Formula(..) => false,
            Goal::All(parts) => parts.iter().any(Goal::guides),
            Goal::Any(parts) => parts.iter().all(Goal::guides),
        }
    }

    fn holds(&self, evaluation: &mut Evaluation<'_>, state: u32, budget: &dyn Budget) -> Result<bool, Halt> {
        match self {
            Goal::Condition { program, .. } => {
                let words = evaluation.space.state(state);
                program.holds(words, &mut evaluation.stack).map_err(|kind| {
                    let fault = RunFault::of_proposition(evaluation.space.view(state), kind);
                    Halt::Fault(Box::new(fault))
                })
            }
            Goal::Formula(id, sign) => {
                Ok(evaluation.holds(*id, Node { layer: 0, number: state }, budget)? == *sign)
            }
            Goal::All(parts) => {
                for part in parts {
                    if !part.holds(evaluation, state, budget)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Goal::Any(parts) => {
                for part in parts {
                    if part.holds(evaluation, state, budget)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Commands of which one must be made before the goal holds, where it does not hold in this state and conditions alone say so; as few
    /// as possible that are not in the set that is made.
    fn needed(
        &self,
        state: &[u64],
        stubborn: &Stubborn,
        stack: &mut Vec<i64>,
        flaws: Option<Flaw>,
    ) -> Option<Vec<u32>> {
        match self {
            Goal::Condition { program, enablers } => {
                let is_false = program.holds(state, stack) == Ok(false);
                is_false.then(|| enablers.clone())
            }
            Goal::Formula(..) => None,
            Goal::All(parts) => {
                let needed = parts.iter().filter_map(|part| part.needed(state, stubborn, stack, flaws));
                needed.min_by_key(|all| all.iter().filter(|command| !stubborn.has(**command)).count())
            }
            Goal::Any(parts) => {
                let parts = &parts[usize::from(flaws == Some(Flaw::MissingWay) && parts.len() > 1)..];
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.needed(state, stubborn, stack, flaws)?);
                }
                Some(all)
            }
        }
    }
}

impl Evaluation<'_> {
    /// Is there a way from a state to one in which a formula holds? Found with fewer steps than there are; `None` where the formula or
    /// the model does not allow that, or where it does not help.
    pub(crate) fn reaches(
        &mut self,
        goal: StateFormula,
        state: u32,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let all_runs = self.fairness.is_none() && !self.apart_from_runs;
        if self.options.unreduced || !all_runs || self.rank(goal) > 0 {
            return Ok(None);
        }
        if !self.guided.contains_key(&goal) {
            let arena = &self.lowering.arena.clone();
            let guided = self.moves().and_then(|moves| Guided::new(arena, goal, moves));
            self.guided.insert(goal, guided.map(Box::new));
        }
        // It is not there while it works: whoever asks for the same meanwhile goes all ways.
        let Some(mut guided) = self.guided.insert(goal, None).flatten() else { return Ok(None) };
        let found = guided.search(self, state, budget)?;
        if found.is_some() {
            self.guided.insert(goal, Some(guided));
        }
        Ok(found)
    }
}

impl Guided {
    /// `None` where the formula says nothing about where to go.
    pub(super) fn new(arena: &Arena, goal: StateFormula, moves: &Moves<'_>) -> Option<Self> {
        let (dependence, layout) = (&*moves.dependence, moves.mover.layout());
        let mut division = Division { arena, dependence, layout, left: MOST_PARTS };
        let worth = if arena.is_condition(goal) { WORTH_BESIDE_EXPLORER } else { WORTH };
        let goal = division.of_state(goal, true)?;
        let commands = 0..dependence.guards.len() as u32;
        let failing = commands.clone().filter(|command| dependence.may_fault(*command));
        let failing = failing.map(|command| (command, dependence.writers_of_values(command))).collect();
        let stubborn = Stubborn::new(moves.dependence.clone(), vec![false; commands.len()]);
        let savings = Savings { properties: 1, ..Savings::default() };
        let parts = MOST_PARTS - division.left;
        let report_every = (REPORT_EVERY / parts.max(1)).max(1);
        let hopeless = Vec::new();
        goal.guides().then_some(Guided { goal, stubborn, failing, hopeless, savings, worth, report_every })
    }

    /// Is there a way from a state? `None` where so little is left out that it does not help. Nearest states first.
    fn search(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        start: u32,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        if self.is_met(start) {
            return Ok(Some(false));
        }
        let mut queue = vec![start];
        let mut next = 0;
        self.meet(start);
        let found = loop {
            let Some(&state) = queue.get(next) else { return Ok(Some(false)) };
            next += 1;
            Progress::nodes(next, self.report_every, budget)?;
            if self.goal.holds(evaluation, state, budget)? {
                break Some(true);
            }
            self.expand(evaluation, state, &mut queue)?;
            if self.savings.is_idle(self.worth) {
                break None;
            }
        };
        // What was met on the way is not known to be hopeless.
        queue.into_iter().for_each(|state| self.hopeless[state as usize] = false);
        Ok(found)
    }

    /// Adds the states to which steps lead that must be taken.
    fn expand(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        number: u32,
        queue: &mut Vec<u32>,
    ) -> Result<(), Halt> {
        let flaws = evaluation.flaws;
        let Evaluation { space, moves: Some(moves), stack, .. } = evaluation else { return Ok(()) };
        let state = space.state(number).to_vec();
        moves.make(&state)?;
        let Guided { goal, stubborn, failing, .. } = self;
        let dependence = &moves.dependence;
        let chosen = stubborn.lead_to(&state, &moves.commands, |stubborn| {
            let mut needed = goal.needed(&state, stubborn, stack, flaws)?;
            for (command, writers) in failing.iter() {
                // A command that could run was run, and did not fail; before it does, what it reads must change.
                let enablers = if moves.commands.iter().any(|running| running.0 == *command) {
                    writers
                } else {
                    stubborn.enablers(*command, &state, dependence)?
                };
                needed.extend_from_slice(enablers);
            }
            Some(needed)
        });
        let (mut taken, mut targets) = (0, Vec::new());
        for (command, target) in moves.commands.iter().zip(moves.targets.chunks_exact(state.len())) {
            if chosen.is_none_or(|chosen| chosen.contains(command)) {
                taken += 1;
                targets.push(space.enter(target));
            }
        }
        self.savings.note(taken, moves.commands.len() - taken);
        for target in targets {
            if !self.is_met(target) {
                self.meet(target);
                queue.push(target);
            }
        }
        Ok(())
    }

    fn is_met(&self, state: u32) -> bool {
        self.hopeless.get(state as usize).is_some_and(|met| *met)
    }

    fn meet(&mut self, state: u32) {
        if self.hopeless.len() <= state as usize {
            self.hopeless.resize((state as usize + 1).next_power_of_two(), false);
        }
        self.hopeless[state as usize] = true;
    }
}
