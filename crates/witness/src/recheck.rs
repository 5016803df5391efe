//! What evidence says about formulas, decided again: path formulas straight from the semantics, state formulas by the
//! reference engine where the model is small enough for it.

use rustc_hash::FxHashMap;
use servanda_enumerate::{WalkPoint, Walker};
use servanda_lower::{Arena, Over, PathFormula, Relation, State, StateFormula, StepConstraint};
use servanda_model::{AgentId, Program, StepKind, Strength};

use crate::path_truth::{PathTruth, Track, Value, and, not, or};
use crate::replay::{Finding, Replay, demand, strip};
use crate::{Because, Claim, Doubt, Evidence, Path, PathEvidence};

/// A loop is gone round at most so often until the reference engine's points repeat.
const MOST_ROUNDS: usize = 256;

/// A run from its beginning on, as far as it is looked at.
#[derive(Clone, Default)]
pub(crate) struct Course<'e> {
    states: Vec<&'e [u64]>,
    track: Track<'e>,
    /// Which position of the last path each state is.
    position: Vec<Option<usize>>,
    /// The reference engine's points, where it is asked.
    points: Vec<WalkPoint>,
}

impl<'e> Course<'e> {
    fn here(&self) -> &'e [u64] {
        self.states.last().copied().unwrap_or(&[])
    }

    /// Makes one step of a path; `None` where the reference engine knows of none.
    fn go(&mut self, walker: Option<&Walker<'_, '_>>, path: &'e Path, from: usize, to: usize) -> Option<()> {
        let (kind, state) = (&path.steps[from].kind, path.states[to].packed.as_slice());
        if let (Some(walker), Some(point)) = (walker, self.points.last()) {
            self.points.push(walker.step(*point, kind, state)?);
        }
        self.track.kinds.push(Some(kind));
        self.states.push(state);
        self.position.push(Some(to));
        Some(())
    }
}

/// Decides the claims again.
pub(crate) struct Recheck<'a, 'm> {
    pub(crate) walker: Option<&'a Walker<'a, 'm>>,
    pub(crate) replay: &'a mut Replay<'m>,
    /// How many paths of commitments have been looked at.
    commitments: usize,
    /// Was something taken for granted?
    pub(crate) assumed: bool,
}

impl<'a, 'm> Recheck<'a, 'm> {
    pub(crate) fn new(walker: Option<&'a Walker<'a, 'm>>, replay: &'a mut Replay<'m>) -> Self {
        Recheck { walker, replay, commitments: 0, assumed: false }
    }

    /// Checks everything; says whether something was taken for granted.
    pub(crate) fn evidence(mut self, evidence: &Evidence) -> Result<bool, String> {
        let course = self.run(&evidence.start, evidence.start.last())?;
        self.claim(&evidence.claim, &course)?;
        Ok(self.assumed)
    }

    fn arena(&self) -> &Arena {
        &self.replay.lowering.arena
    }

    /// A run to one of its positions.
    fn run<'e>(&self, path: &'e Path, last: usize) -> Result<Course<'e>, String> {
        let first = path.states[0].packed.as_slice();
        let mut course = Course { states: vec![first], position: vec![Some(0)], ..Course::default() };
        if let Some(walker) = self.walker {
            course.points.push(walker.start(first).ok_or_else(|| leaves("run"))?);
        }
        self.along(course, path, last)
    }

    /// A run that goes on to a position of a path that begins at its end.
    fn along<'e>(&self, mut course: Course<'e>, path: &'e Path, last: usize) -> Result<Course<'e>, String> {
        let steps = (1..=last).map(|to| course.go(self.walker, path, to - 1, to));
        steps.collect::<Option<()>>().ok_or_else(|| leaves("run"))?;
        Ok(course)
    }

    fn claim<'e>(&mut self, claim: &'e Claim, course: &Course<'e>) -> Finding {
        let id = claim.formula;
        let wrong = || {
            let word = if claim.holds { "holds" } else { "fails" };
            format!("it is said that `{}` {word} where it does not", claim.text)
        };
        if let (Some(walker), Some(point)) = (self.walker, course.points.last()) {
            demand(walker.holds(id, *point) == Some(claim.holds), wrong)?;
        }
        let (inner, holds) = strip(self.arena(), id, claim.holds);
        let node = self.arena().state(inner).clone();
        match (&claim.because, node) {
            (Because::State, _) => {
                let value = self.boolean(id, course.here(), &|_| None);
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Parts(parts), _) => {
                for part in parts {
                    self.claim(part, course)?;
                }
                let said = self.said(parts);
                let value = self.boolean(id, course.here(), &|id| said.get(&id).copied());
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Path(evidence), State::Exists { path, over }) if holds => {
                self.path(evidence, path, over, course, wrong)
            }
            (Because::Accessible(accessible), State::Committed { .. }) if !holds => {
                let psi = self.replay.broken[self.commitments];
                self.commitments += 1;
                let over = self.replay.lowering.paths_of_commitments();
                self.path(&accessible.evidence, psi, over, course, wrong)
            }
            (Because::CannotTell(doubt), State::Knows { relation, correct, body }) if !holds => {
                self.doubt(doubt, &relation, &correct, body)
            }
            (Because::Before(before), State::SomePrevious(a) | State::SomePast(a)) if holds => {
                let one_step = matches!(self.arena().state(inner), State::SomePrevious(_));
                demand(!one_step || before.position + 1 == before.run.last(), || {
                    "a state is not the one before".to_owned()
                })?;
                self.about(&before.claim, a, true)?;
                let course = self.run(&before.run, before.position)?;
                self.claim(&before.claim, &course)
            }
            (Because::Strategy(strategy), State::Able { group, goal }) if holds => {
                self.strategy(strategy, &group, &goal, course.here())
            }
            (Because::Everywhere(_) | Because::NotShown(_), _) => {
                self.assumed |= self.walker.is_none();
                Ok(())
            }
            _ => Err(format!("what is shown for `{}` is not about it", claim.text)),
        }
    }

    /// Is the claim that this formula holds, or fails?
    fn about(&self, claim: &Claim, formula: StateFormula, holds: bool) -> Finding {
        let claimed = strip(self.arena(), claim.formula, claim.holds);
        demand(claimed == strip(self.arena(), formula, holds), || {
            format!("`{}` is not what has to be shown", claim.text)
        })
    }

    /// What claims say, by formula.
    fn said(&self, claims: &[Claim]) -> FxHashMap<StateFormula, bool> {
        let said = claims.iter().map(|claim| strip(self.arena(), claim.formula, claim.holds));
        said.collect()
    }

    /// The value of a state formula as far as the state and `modality` say it.
    pub(crate) fn boolean(
        &self,
        id: StateFormula,
        state: &[u64],
        modality: &dyn Fn(StateFormula) -> Value,
    ) -> Value {
        self.boolean_part(id, state, modality, &mut FxHashMap::default())
    }

    fn boolean_part(
        &self,
        id: StateFormula,
        state: &[u64],
        modality: &dyn Fn(StateFormula) -> Value,
        known: &mut FxHashMap<StateFormula, Value>,
    ) -> Value {
        if let Some(value) = known.get(&id) {
            return *value;
        }
        let mut part = |id: StateFormula| self.boolean_part(id, state, modality, known);
        let value = modality(id).or_else(|| match *self.arena().state(id) {
            State::True => Some(true),
            State::Proposition(proposition) => {
                let expr = self.arena().proposition_expr(proposition);
                Program::new(expr, &self.replay.layout).holds(state, &mut Vec::new()).ok()
            }
            State::Not(a) => not(part(a)),
            State::And(a, b) => and(part(a), part(b)),
            State::Or(a, b) => or(part(a), part(b)),
            State::Exists { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Committed { .. }
            | State::Knows { .. }
            | State::Able { .. } => None,
        });
        known.insert(id, value);
        value
    }

    fn doubt(
        &mut self,
        doubt: &Doubt,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
    ) -> Finding {
        let one_of =
            |agents: &[AgentId], group: &[AgentId]| matches!(agents, [agent] if group.contains(agent));
        let fits = match (relation, doubt.steps.as_slice()) {
            (Relation::Everywhere, [_]) => true,
            (Relation::Some(group), [step]) => one_of(&step.agents, group),
            (Relation::All(group), [step]) => group.iter().all(|agent| step.agents.contains(agent)),
            (Relation::Common(group), steps) => steps.iter().all(|step| one_of(&step.agents, group)),
            _ => false,
        };
        demand(fits && !doubt.steps.is_empty(), || {
            "the wrong agents do not tell two points apart".to_owned()
        })?;
        // Every point on the way is on a run that counts.
        let mut course = Course::default();
        for step in &doubt.steps {
            course = self.run(&step.run, step.run.last())?;
        }
        for agent in correct {
            let red = Program::new(&self.replay.model.agent(*agent).red, &self.replay.layout);
            demand(red.holds(course.here(), &mut Vec::new()) != Ok(true), || {
                "somebody does not behave correctly where it is said to".to_owned()
            })?;
        }
        self.about(&doubt.claim, body, false)?;
        self.claim(&doubt.claim, &course)
    }

    /// Does the path satisfy the formula?
    fn path<'e>(
        &mut self,
        evidence: &'e PathEvidence,
        psi: PathFormula,
        over: Over,
        course: &Course<'e>,
        wrong: impl Fn() -> String,
    ) -> Finding {
        let path = &evidence.path;
        let infinite = path.loop_to.is_some() || over != Over::InfinitePaths;
        demand(infinite, || "a path ends where only infinite ones count".to_owned())?;
        let mut said: FxHashMap<(StateFormula, usize), bool> = FxHashMap::default();
        for (position, claim) in &evidence.claims {
            self.claim(claim, &self.along(course.clone(), path, *position)?)?;
            let (inner, holds) = strip(self.arena(), claim.formula, claim.holds);
            said.insert((inner, *position), holds);
        }
        let unrolled = self.unroll(path, psi, course)?;
        let at = course.states.len() - 1;
        let leaf = |id: StateFormula, position: usize| {
            let known = |id: StateFormula| {
                let on_path = unrolled.position[position];
                let by_claim = on_path.and_then(|at| said.get(&(id, at)).copied());
                by_claim.or_else(|| self.walker?.holds(id, *unrolled.points.get(position)?))
            };
            self.boolean(id, unrolled.states[position], &known)
        };
        let value = PathTruth::new(self.arena(), &unrolled.track, leaf).value(psi, at);
        match value {
            Some(true) => {}
            None if self.walker.is_none() => self.assumed = true,
            _ => return Err(wrong()),
        }
        self.fair(&unrolled)
    }

    /// Does every fairness constraint hold somewhere on the loop?
    fn fair(&mut self, unrolled: &Course<'_>) -> Finding {
        let Some(back) = unrolled.track.back else { return Ok(()) };
        for (number, constraint) in self.replay.lowering.fairness().iter().enumerate() {
            let holds = |at: usize| match (self.walker, unrolled.points.get(at)) {
                (Some(walker), Some(point)) => Some(walker.is_fair(number, *point)),
                _ => self.boolean(*constraint, unrolled.states[at], &|_| None),
            };
            let mut value = Some(false);
            for at in back..unrolled.states.len() {
                value = or(value, holds(at));
            }
            demand(value != Some(false), || "a loop is not fair".to_owned())?;
            self.assumed |= value.is_none();
        }
        for constraint in self.replay.lowering.step_fairness().to_vec() {
            demand(self.is_fair_to(constraint, unrolled, back)?, || {
                "a loop is not fair to some step".to_owned()
            })?;
        }
        Ok(())
    }

    /// Does the loop from a position on do what a fairness constraint of steps demands? What is possible is asked of the model.
    fn is_fair_to(
        &mut self,
        constraint: StepConstraint,
        unrolled: &Course<'_>,
        back: usize,
    ) -> Result<bool, String> {
        let taken = self.arena().labels(constraint.taken).to_vec();
        let is_taken = |kind: &StepKind| matches!(kind, StepKind::Labelled(label) if taken.contains(label));
        if unrolled.track.kinds[back..].iter().any(|kind| kind.is_some_and(is_taken)) {
            return Ok(true);
        }
        let mut possible = Vec::new();
        for state in &unrolled.states[back..] {
            possible.push(self.replay.moves(state)?.iter().any(|(_, kind, _)| is_taken(kind)));
        }
        Ok(match constraint.strength {
            Strength::Weak => possible.contains(&false),
            Strength::Strong => !possible.contains(&true),
        })
    }

    /// The path after its history, gone round until everything that is remembered has settled.
    fn unroll<'e>(
        &self,
        path: &'e Path,
        psi: PathFormula,
        course: &Course<'e>,
    ) -> Result<Course<'e>, String> {
        let start = course.states.len() - 1;
        let mut unrolled = course.clone();
        unrolled.position = vec![None; start];
        unrolled.position.push(Some(0));
        let go = |unrolled: &mut Course<'e>, from: usize, to: usize| {
            unrolled.go(self.walker, path, from, to).ok_or_else(|| leaves("path"))
        };
        let straight = |unrolled: &mut Course<'e>, from: usize, to: usize| {
            (from..to).try_for_each(|position| go(unrolled, position, position + 1))
        };
        let last = path.last();
        straight(&mut unrolled, 0, last)?;
        let Some(loop_to) = path.loop_to else {
            unrolled.track.kinds.push(None);
            return Ok(unrolled);
        };
        // Where each time round begins, and at which point of the reference engine.
        let mut rounds = vec![start + loop_to];
        let mut settled = None;
        while settled.is_none() {
            go(&mut unrolled, last, loop_to)?;
            let begin = unrolled.states.len() - 1;
            let points = &unrolled.points;
            settled = rounds.iter().position(|earlier| points.get(*earlier) == points.get(begin));
            rounds.push(begin);
            demand(rounds.len() < MOST_ROUNDS, || "a loop does not settle".to_owned())?;
            straight(&mut unrolled, loop_to, last)?;
        }
        // The last time round is another beginning of the period; so many periods more until the past has settled.
        let period = rounds.len() - 1 - settled.unwrap_or(0);
        let more = (self.arena().past_height(psi) + 1) * period - 1;
        for _ in 0..more {
            go(&mut unrolled, last, loop_to)?;
            rounds.push(unrolled.states.len() - 1);
            straight(&mut unrolled, loop_to, last)?;
        }
        unrolled.track.kinds.push(Some(&path.steps[last].kind));
        unrolled.track.back = Some(rounds[rounds.len() - period]);
        Ok(unrolled)
    }
}

/// Why a path cannot be followed.
fn leaves(what: &str) -> String {
    format!("a {what} leaves what the reference engine knows")
}
