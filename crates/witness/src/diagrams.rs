//! The search for evidence with decision diagrams: however many states there are, only those that are shown are visited.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Deadlock, Halt, Options, Progress};
use servanda_logic::Formula;
use servanda_lower::{Arena, Over, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, Layout, Model, Mover, StateId, StateStore, StepKind};
use servanda_symbolic::{Sets, States};

use crate::build;
use crate::product::{Place, Product, START};
use crate::scout::{Departure, Earlier, Scout, Steps, Trail, groups};

/// Where a state has more joint actions than this, its moves are not listed.
const MOST_JOINT_ACTIONS: usize = 1 << 16;

/// The symbolic engine, with the states that have been named so far.
pub(crate) struct Diagrams<'m, 's> {
    model: &'m Model,
    sets: &'s mut Sets<'m>,
    budget: &'s dyn Budget,
    options: Options,
    property: StateFormula,
    states: StateStore,
    runs: FxHashMap<StateId, Trail<StateId>>,
}

impl<'m, 's> Diagrams<'m, 's> {
    /// Prepares for one property.
    pub(crate) fn new(
        model: &'m Model,
        sets: &'s mut Sets<'m>,
        options: Options,
        formula: &Formula,
        budget: &'s dyn Budget,
    ) -> Result<Self, Halt> {
        let property = sets.property(formula)?;
        let states = StateStore::new(sets.layout().words());
        Ok(Diagrams { model, sets, budget, options, property, states, runs: FxHashMap::default() })
    }

    fn name(&mut self, state: &[u64]) -> StateId {
        self.states.insert(state).0
    }

    fn named(&mut self, trail: Trail<Vec<u64>>) -> Trail<StateId> {
        let Trail { points, steps, loop_to, demands } = trail;
        let points = points.iter().map(|state| self.name(state)).collect();
        Trail { points, steps, loop_to, demands }
    }

    /// A shortest walk from one set to another; it begins and ends in states of them.
    fn walk(&mut self, from: &States, to: &States) -> Result<Option<Trail<StateId>>, Halt> {
        let mut product = Product::free(self.sets, self.budget)?;
        let mut start = product.nowhere();
        start[START] = from.clone();
        let goal = vec![to.clone(); start.len()];
        let Some(mut walked) = product.nearest(&start, &goal, None)? else { return Ok(None) };
        walked.trail.points.push(walked.last.state);
        Ok(Some(self.named(walked.trail)))
    }

    /// The nearest state of a set that some run comes to; its run is remembered.
    fn nearest(&mut self, set: &States) -> Result<Option<StateId>, Halt> {
        let initial = self.sets.initial();
        let Some(walk) = self.walk(&initial, set)? else { return Ok(None) };
        let last = walk.points[walk.points.len() - 1];
        self.runs.insert(last, walk);
        Ok(Some(last))
    }

    /// May a path end where nothing more is demanded of it? Otherwise only infinite paths count, and not every state begins one.
    /// `owner` is the formula that refers to the path.
    fn may_end(&self, owner: StateFormula) -> bool {
        let infinite = match *self.sets.arena().state(owner) {
            State::Exists { over, .. } => over == Over::InfinitePaths,
            _ => self.options.deadlock == Deadlock::Strict,
        };
        !self.model.has_fairness() && !infinite
    }

    /// The same over several steps, each of which somebody cannot tell.
    fn common_doubt(
        &mut self,
        agents: &[AgentId],
        doubtful: &States,
        point: StateId,
    ) -> Result<Option<Steps<StateId>>, Halt> {
        let mut layers = vec![self.sets.only(self.states.get(point))?];
        let mut seen = self.sets.none();
        let last = loop {
            let mut more = self.sets.none();
            for agent in agents {
                more = more.either(&self.sets.alike(&layers[layers.len() - 1], &[*agent])?)?;
            }
            more = more.without(&seen)?;
            if more.is_empty() {
                return Ok(None);
            }
            let found = more.both(doubtful)?;
            if !found.is_empty()
                && let Some(last) = self.nearest(&found)?
            {
                break last;
            }
            seen = seen.either(&more)?;
            layers.push(more);
        };
        let (mut steps, mut here) = (Vec::new(), last);
        while let Some(layer) = layers.pop() {
            let only = self.sets.only(self.states.get(here))?;
            for agent in agents {
                let before = self.sets.alike(&only, &[*agent])?.both(&layer)?;
                if before.is_empty() {
                    continue;
                }
                steps.push((vec![*agent], here));
                if !layers.is_empty()
                    && let Some(nearer) = self.nearest(&before)?
                {
                    here = nearer;
                }
                break;
            }
        }
        steps.reverse();
        Ok(Some(steps))
    }
}

impl Scout for Diagrams<'_, '_> {
    type Point = StateId;

    fn go_on(&self) -> Result<(), Halt> {
        Progress::Deciding { nodes: 0 }.tell(self.budget)
    }

    fn property(&self) -> StateFormula {
        self.property
    }

    fn arena(&self) -> &Arena {
        self.sets.arena()
    }

    fn find(&mut self, formula: &Formula) -> Option<PathFormula> {
        self.sets.find(formula)
    }

    fn layout(&self) -> &Layout {
        self.sets.layout()
    }

    fn state(&self, point: StateId) -> &[u64] {
        self.states.get(point)
    }

    fn holds(&mut self, id: StateFormula, point: StateId) -> Result<bool, Halt> {
        let holds = self.sets.satisfying(id, self.budget)?;
        self.sets.contains(&holds, self.states.get(point))
    }

    fn looks_back(&mut self, _: StateFormula) -> bool {
        // Formulas that do are not decided with states alone.
        false
    }

    fn start(&mut self, verdict: bool) -> Result<Option<(StateId, bool)>, Halt> {
        let holds = self.sets.satisfying(self.property, self.budget)?;
        let initial = self.sets.initial();
        let fails = initial.without(&holds)?;
        // Where it was said to hold everywhere, a place where it fails is the one to know.
        let failing = self.sets.pick(&fails).map(|state| (self.name(&state), false));
        match failing {
            None if verdict => Ok(self.sets.pick(&initial).map(|state| (self.name(&state), true))),
            failing => Ok(failing),
        }
    }

    fn failing(&mut self) -> Result<Option<StateId>, Halt> {
        let holds = self.sets.satisfying(self.property, self.budget)?;
        let fails = self.sets.points().without(&holds)?;
        self.nearest(&fails)
    }

    fn run(&mut self, point: StateId) -> Result<Trail<StateId>, Halt> {
        if !self.runs.contains_key(&point) {
            let only = self.sets.only(self.states.get(point))?;
            self.nearest(&only)?;
        }
        let run = self.runs.get(&point).cloned();
        run.ok_or_else(|| Halt::TooLarge("no run was found to a state that is on one".to_owned()))
    }

    fn broken(&mut self, committed: StateFormula, point: StateId) -> Option<PathFormula> {
        self.sets.broken(committed, self.states.get(point))
    }

    fn trail(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: StateId,
    ) -> Result<Option<Trail<StateId>>, Halt> {
        let may_end = self.may_end(owner);
        let from = Place { state: self.states.get(point).to_vec(), demanded: START };
        let mut product = Product::new(self.sets, psi, self.budget)?;
        let finite = if may_end { product.shortest_end(&from)? } else { None };
        let found = match finite {
            None => product.shortest_lasso(&from)?,
            finite => finite,
        };
        Ok(found.map(|trail| self.named(trail)))
    }

    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: StateId,
    ) -> Result<Option<Steps<StateId>>, Halt> {
        let holds = self.sets.satisfying(body, self.budget)?;
        let doubtful = self.sets.correct(correct)?.without(&holds)?;
        if let Relation::Common(agents) = relation {
            return self.common_doubt(agents, &doubtful, point);
        }
        let groups = groups(relation);
        let here = self.sets.only(self.states.get(point))?;
        let mut found = self.sets.none();
        let mut alike = Vec::new();
        for agents in &groups {
            let set = self.sets.alike(&here, agents)?.both(&doubtful)?;
            found = found.either(&set)?;
            alike.push(set);
        }
        let Some(other) = self.nearest(&found)? else { return Ok(None) };
        for (agents, set) in groups.into_iter().zip(&alike) {
            if self.sets.contains(set, self.states.get(other))? {
                return Ok(Some(vec![(agents, other)]));
            }
        }
        Ok(None)
    }

    fn before(
        &mut self,
        one_step: bool,
        a: StateFormula,
        point: StateId,
    ) -> Result<Option<Earlier<StateId>>, Halt> {
        let holds = self.sets.satisfying(a, self.budget)?;
        let here = self.sets.only(self.states.get(point))?;
        let onward = if one_step {
            let steps = self.sets.steps(&[])?;
            let before = self.sets.before(&here, &steps, self.budget)?.both(&holds)?;
            let Some(source) = self.nearest(&before)? else { return Ok(None) };
            let kind = self.sets.step_kind(self.states.get(source), self.states.get(point), &steps)?;
            kind.map(|kind| Trail { points: vec![source, point], steps: vec![kind], ..Trail::default() })
        } else {
            self.walk(&holds, &here)?
        };
        let Some(onward) = onward else { return Ok(None) };
        let mut walk = self.run(onward.points[0])?;
        let position = walk.points.len() - 1;
        walk.points.extend(&onward.points[1..]);
        walk.steps.extend(onward.steps);
        Ok(Some((walk, position)))
    }

    fn moves(&mut self, point: StateId) -> Result<Vec<Departure<StateId>>, Halt> {
        let state = self.states.get(point).to_vec();
        let mut found = Vec::new();
        let mut mover = Mover::new(self.model);
        if self.model.behaviour.is_rounds()
            && mover.joint_actions(&state).is_none_or(|joint| joint > MOST_JOINT_ACTIONS)
        {
            return Err(Halt::TooLarge("a state has very many joint actions".to_owned()));
        }
        // Faults were looked for before there was a verdict.
        let _ = mover.for_each(&state, |cause, next| {
            let (by, kind) = build::kind(self.model, cause);
            found.push((by, kind, next.to_vec()));
        });
        if found.is_empty() && self.options.deadlock == Deadlock::Loop {
            found.push((None, StepKind::Stutter, state));
        }
        let departures =
            found.into_iter().map(|(by, kind, next)| Departure { by, kind, target: self.name(&next) });
        Ok(departures.collect())
    }
}
