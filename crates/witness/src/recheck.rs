//! What evidence says about formulas, decided again: path formulas straight from the semantics, state formulas by the
//! reference engine where the model is small enough for it.

use rustc_hash::FxHashMap;
use servanda_enumerate::{WalkPoint, Walker};
use servanda_lower::{Arena, Lowering, Over, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, CommitmentId, Layout, Model, Program, StepKind};

use crate::path_truth::{PathTruth, Track, Value, and, not, or};
use crate::replay::{Finding, Replay, demand};
use crate::{Because, Claim, Doubt, Evidence, Path, PathEvidence};

/// A loop is gone round at most so often until the reference engine's points repeat.
const MOST_ROUNDS: usize = 256;

/// The formulas that evidence speaks of.
pub(crate) struct Formulas<'l, 'm> {
    /// What they are made of.
    lowering: &'l mut Lowering<'m>,
    /// For the paths of commitments, what they satisfy; in the order of a walk through the evidence.
    broken: Vec<PathFormula>,
    /// All state formulas whose truth may be asked for.
    pub(crate) wanted: Vec<StateFormula>,
    layout: Layout,
}

impl<'l, 'm> Formulas<'l, 'm> {
    /// Collects them; `property` is the property as the checker itself reads it, and the lowering has the evidence's formulas.
    pub(crate) fn new(
        evidence: &Evidence,
        property: StateFormula,
        lowering: &'l mut Lowering<'m>,
    ) -> Result<Self, String> {
        let layout = Layout::new(lowering.model);
        let mut formulas = Formulas { lowering, broken: Vec::new(), wanted: Vec::new(), layout };
        let start = &evidence.start.states[evidence.start.last()].packed;
        formulas.claim(&evidence.claim, start)?;
        demand(evidence.claim.formula == property, || "the evidence is about another formula".to_owned())?;
        formulas.wanted.sort_unstable();
        formulas.wanted.dedup();
        Ok(formulas)
    }

    /// What the formulas are made of.
    pub(crate) fn arena(&self) -> &Arena {
        &self.lowering.arena
    }

    /// The lowering, for whoever decides the formulas again.
    pub(crate) fn lowering(&mut self) -> &mut Lowering<'m> {
        self.lowering
    }

    fn claim(&mut self, claim: &Claim, here: &[u64]) -> Finding {
        demand(self.arena().has_state(claim.formula), || "a claim is about an unknown formula".to_owned())?;
        self.wanted.push(claim.formula);
        match &claim.because {
            Because::State | Because::Everywhere(_) | Because::NotShown(_) => Ok(()),
            Because::Parts(parts) => parts.iter().try_for_each(|part| self.claim(part, here)),
            Because::Path(evidence) => self.path(evidence, evidence.formula),
            Because::Accessible(accessible) => {
                let psi = self.broken(claim.formula, here)?;
                self.broken.push(psi);
                self.path(&accessible.evidence, psi)
            }
            Because::CannotTell(doubt) => {
                let there = doubt.steps.last().map_or(here, |step| &step.run.states[step.run.last()].packed);
                self.claim(&doubt.claim, there)
            }
            Because::Before(before) => {
                let there = &before.run.states[before.position].packed;
                self.claim(&before.claim, there)
            }
            Because::Strategy(_) => {
                let (inner, _) = strip(self.arena(), claim.formula, true);
                if let State::Able { goal, .. } = *self.arena().state(inner) {
                    self.wanted.extend(goal.parts());
                }
                Ok(())
            }
        }
    }

    fn path(&mut self, evidence: &PathEvidence, psi: PathFormula) -> Finding {
        demand(self.arena().has_path(psi), || "a path shows an unknown formula".to_owned())?;
        let parts = self.arena().state_parts(psi);
        self.wanted.extend(parts);
        for (position, claim) in &evidence.claims {
            self.claim(claim, &evidence.path.states[*position].packed)?;
        }
        Ok(())
    }

    /// For an `SC` in a state: "the path is accessible, and the body fails" (docs/formulas.md section 4).
    fn broken(&mut self, committed: StateFormula, here: &[u64]) -> Result<PathFormula, String> {
        let (inner, _) = strip(self.arena(), committed, true);
        let State::Committed { debtor, creditor, limit, body } = *self.arena().state(inner) else {
            return Err("an accessible path is shown for what is no commitment".to_owned());
        };
        let lowering = &mut *self.lowering;
        let mut all = lowering.access(debtor, creditor);
        let pair = (debtor, creditor);
        let of_pair = lowering.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == pair);
        let in_force: Vec<CommitmentId> = of_pair
            .map(|(id, _)| id)
            .filter(|id| limit.is_none_or(|limit| lowering.depth(*id) < limit))
            .filter(|id| self.layout.commitment(*id).read(here) == 1)
            .collect();
        for id in in_force {
            let content = lowering.content(id);
            all = lowering.arena.and(all, content);
        }
        let fails = lowering.arena.not(body);
        Ok(lowering.arena.and(all, fails))
    }
}

/// A formula without the negation before it.
fn strip(arena: &Arena, id: StateFormula, holds: bool) -> (StateFormula, bool) {
    match *arena.state(id) {
        State::Not(inner) => (inner, !holds),
        _ => (id, holds),
    }
}

/// The run to a point: its states, and how each but the last is left.
#[derive(Clone, Default)]
pub(crate) struct History<'e> {
    states: Vec<&'e [u64]>,
    kinds: Vec<&'e StepKind>,
}

impl<'e> History<'e> {
    fn of_run(path: &'e Path, last: usize) -> Self {
        History {
            states: path.states[..=last].iter().map(|state| state.packed.as_slice()).collect(),
            kinds: path.steps[..last].iter().map(|step| &step.kind).collect(),
        }
    }

    /// The history of a position of a path that begins at the end of this one.
    fn along(&self, path: &'e Path, position: usize) -> Self {
        let mut history = self.clone();
        history.states.extend(path.states[1..].iter().take(position).map(|state| state.packed.as_slice()));
        history.kinds.extend(path.steps[..position].iter().map(|step| &step.kind));
        history
    }

    fn here(&self) -> &'e [u64] {
        self.states.last().copied().unwrap_or(&[])
    }
}

/// Decides the claims again.
pub(crate) struct Recheck<'a, 'm> {
    pub(crate) model: &'m Model,
    pub(crate) formulas: &'a Formulas<'a, 'm>,
    pub(crate) walker: Option<&'a Walker<'a, 'm>>,
    pub(crate) replay: &'a mut Replay<'m>,
    /// How many paths of commitments have been looked at.
    commitments: usize,
    /// Was something taken for granted?
    pub(crate) assumed: bool,
}

impl<'a, 'm> Recheck<'a, 'm> {
    pub(crate) fn new(
        model: &'m Model,
        formulas: &'a Formulas<'a, 'm>,
        walker: Option<&'a Walker<'a, 'm>>,
        replay: &'a mut Replay<'m>,
    ) -> Self {
        Recheck { model, formulas, walker, replay, commitments: 0, assumed: false }
    }

    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Finding {
        self.claim(&evidence.claim, &History::of_run(&evidence.start, evidence.start.last()))
    }

    /// The reference engine's point at the end of a history.
    fn point(&self, history: &History<'_>) -> Result<Option<WalkPoint>, String> {
        let Some(walker) = self.walker else { return Ok(None) };
        let wrong = || "a run leaves what the reference engine knows".to_owned();
        let mut point = walker.start(history.states[0]).ok_or_else(wrong)?;
        for (kind, state) in history.kinds.iter().zip(&history.states[1..]) {
            point = walker.step(point, kind, state).ok_or_else(wrong)?;
        }
        Ok(Some(point))
    }

    fn claim<'e>(&mut self, claim: &'e Claim, history: &History<'e>) -> Finding {
        let id = claim.formula;
        let wrong = || {
            let word = if claim.holds { "holds" } else { "fails" };
            format!("it is said that `{}` {word} where it does not", claim.text)
        };
        if let (Some(walker), Some(point)) = (self.walker, self.point(history)?) {
            demand(walker.holds(id, point) == Some(claim.holds), wrong)?;
        }
        let (inner, holds) = strip(self.formulas.arena(), id, claim.holds);
        let node = self.formulas.arena().state(inner).clone();
        match (&claim.because, node) {
            (Because::State, _) => {
                let value = self.boolean(id, history.here(), &|_| None);
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Parts(parts), _) => {
                for part in parts {
                    self.claim(part, history)?;
                }
                let said = self.said(parts);
                let value = self.boolean(id, history.here(), &|id| said.get(&id).copied());
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Path(evidence), State::Exists { path, over }) if holds => {
                self.path(evidence, path, over, history, wrong)
            }
            (Because::Accessible(accessible), State::Committed { .. }) if !holds => {
                let psi = self.formulas.broken[self.commitments];
                self.commitments += 1;
                let over = self.formulas.lowering.paths_of_commitments();
                self.path(&accessible.evidence, psi, over, history, wrong)
            }
            (Because::CannotTell(doubt), State::Knows { relation, correct, body }) if !holds => {
                self.doubt(doubt, &relation, &correct, body)
            }
            (Because::Before(before), State::SomePrevious(a) | State::SomePast(a)) if holds => {
                let one_step = matches!(self.formulas.arena().state(inner), State::SomePrevious(_));
                demand(!one_step || before.position + 1 == before.run.last(), || {
                    "a state is not the one before".to_owned()
                })?;
                self.about(&before.claim, a, true)?;
                self.claim(&before.claim, &History::of_run(&before.run, before.position))
            }
            (Because::Strategy(strategy), State::Able { group, goal }) if holds => {
                self.strategy(strategy, &group, &goal, history.here())
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
        let claimed = strip(self.formulas.arena(), claim.formula, claim.holds);
        demand(claimed == strip(self.formulas.arena(), formula, holds), || {
            format!("`{}` is not what has to be shown", claim.text)
        })
    }

    /// What claims say, by formula.
    fn said(&self, claims: &[Claim]) -> FxHashMap<StateFormula, bool> {
        let said = claims.iter().map(|claim| strip(self.formulas.arena(), claim.formula, claim.holds));
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
        let value = modality(id).or_else(|| match *self.formulas.arena().state(id) {
            State::True => Some(true),
            State::Proposition(proposition) => {
                let expr = self.formulas.arena().proposition_expr(proposition);
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
        let last = doubt.steps.last().filter(|_| fits);
        let last = last.ok_or_else(|| "the wrong agents do not tell two points apart".to_owned())?;
        // Every point on the way is on a run that counts.
        for step in &doubt.steps {
            self.point(&History::of_run(&step.run, step.run.last()))?;
        }
        let history = History::of_run(&last.run, last.run.last());
        for agent in correct {
            let red = Program::new(&self.model.agent(*agent).red, &self.replay.layout);
            demand(red.holds(history.here(), &mut Vec::new()) != Ok(true), || {
                "somebody does not behave correctly where it is said to".to_owned()
            })?;
        }
        self.about(&doubt.claim, body, false)?;
        self.claim(&doubt.claim, &history)
    }

    /// Does the path satisfy the formula?
    fn path<'e>(
        &mut self,
        evidence: &'e PathEvidence,
        psi: PathFormula,
        over: Over,
        history: &History<'e>,
        wrong: impl Fn() -> String,
    ) -> Finding {
        let path = &evidence.path;
        let infinite = path.loop_to.is_some() || over != Over::InfinitePaths;
        demand(infinite, || "a path ends where only infinite ones count".to_owned())?;
        let mut said: FxHashMap<(StateFormula, usize), bool> = FxHashMap::default();
        for (position, claim) in &evidence.claims {
            self.claim(claim, &history.along(path, *position))?;
            let (inner, holds) = strip(self.formulas.arena(), claim.formula, claim.holds);
            said.insert((inner, *position), holds);
        }
        let unrolled = self.unroll(path, psi, history)?;
        let at = history.states.len() - 1;
        let leaf = |id: StateFormula, position: usize| {
            let known = |id: StateFormula| {
                let on_path = unrolled.position[position];
                let by_claim = on_path.and_then(|at| said.get(&(id, at)).copied());
                by_claim.or_else(|| self.walker?.holds(id, *unrolled.points.get(position)?))
            };
            self.boolean(id, unrolled.states[position], &known)
        };
        let value = PathTruth::new(self.formulas.arena(), &unrolled.track, leaf).value(psi, at);
        match value {
            Some(true) => {}
            None if self.walker.is_none() => self.assumed = true,
            _ => return Err(wrong()),
        }
        self.fair(&unrolled)
    }

    /// Does every fairness constraint hold somewhere on the loop?
    fn fair(&mut self, unrolled: &Unrolled<'_>) -> Finding {
        let Some(back) = unrolled.track.back else { return Ok(()) };
        for (number, constraint) in self.formulas.lowering.fairness().iter().enumerate() {
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
        Ok(())
    }

    /// The path after its history, gone round until everything that is remembered has settled.
    fn unroll<'e>(
        &self,
        path: &'e Path,
        psi: PathFormula,
        history: &History<'e>,
    ) -> Result<Unrolled<'e>, String> {
        let start = history.states.len() - 1;
        let mut walk = Walk {
            recheck: self,
            unrolled: Unrolled {
                states: history.states.clone(),
                position: vec![None; history.states.len()],
                points: Vec::new(),
                track: Track { kinds: history.kinds.iter().copied().map(Some).collect(), back: None },
            },
        };
        walk.unrolled.position[start] = Some(0);
        walk.begin()?;
        for position in 1..path.states.len() {
            walk.go(path, position - 1, position)?;
        }
        let Some(loop_to) = path.loop_to else {
            walk.unrolled.track.kinds.push(None);
            return Ok(walk.unrolled);
        };
        // Where each time round begins, and at which point of the reference engine.
        let mut rounds = vec![start + loop_to];
        let (mut settled, last) = (None, path.last());
        while settled.is_none() {
            walk.go(path, last, loop_to)?;
            let begin = walk.unrolled.states.len() - 1;
            let same = |earlier: &usize| {
                let points = &walk.unrolled.points;
                points.get(*earlier) == points.get(begin)
            };
            settled = rounds.iter().position(same);
            rounds.push(begin);
            demand(rounds.len() < MOST_ROUNDS, || "a loop does not settle".to_owned())?;
            for position in loop_to + 1..=last {
                walk.go(path, position - 1, position)?;
            }
        }
        // The last time round is another beginning of the period; so many periods more until the past has settled.
        let period = rounds.len() - 1 - settled.unwrap_or(0);
        let more = (self.formulas.arena().past_height(psi) + 1) * period - 1;
        for _ in 0..more {
            walk.go(path, last, loop_to)?;
            rounds.push(walk.unrolled.states.len() - 1);
            for position in loop_to + 1..=last {
                walk.go(path, position - 1, position)?;
            }
        }
        walk.unrolled.track.kinds.push(Some(&path.steps[last].kind));
        walk.unrolled.track.back = Some(rounds[rounds.len() - period]);
        Ok(walk.unrolled)
    }
}

/// A path with its history and its loop gone round some times.
struct Unrolled<'e> {
    states: Vec<&'e [u64]>,
    /// Which position of the path it is; none before the path.
    position: Vec<Option<usize>>,
    /// The reference engine's points, where it is asked.
    points: Vec<WalkPoint>,
    track: Track<'e>,
}

struct Walk<'r, 'a, 'e, 'm> {
    recheck: &'r Recheck<'a, 'm>,
    unrolled: Unrolled<'e>,
}

impl<'e> Walk<'_, '_, 'e, '_> {
    /// Finds the points of the history.
    fn begin(&mut self) -> Finding {
        let Some(walker) = self.recheck.walker else { return Ok(()) };
        let wrong = || "a run leaves what the reference engine knows".to_owned();
        let mut point = walker.start(self.unrolled.states[0]).ok_or_else(wrong)?;
        self.unrolled.points.push(point);
        for (kind, state) in self.unrolled.track.kinds.iter().zip(&self.unrolled.states[1..]) {
            if let Some(kind) = kind {
                point = walker.step(point, kind, state).ok_or_else(wrong)?;
                self.unrolled.points.push(point);
            }
        }
        Ok(())
    }

    /// One step of the path.
    fn go(&mut self, path: &'e Path, from: usize, to: usize) -> Finding {
        let kind = &path.steps[from].kind;
        let state = path.states[to].packed.as_slice();
        if let (Some(walker), Some(point)) = (self.recheck.walker, self.unrolled.points.last()) {
            let next = walker.step(*point, kind, state);
            let next = next.ok_or_else(|| "a path leaves what the reference engine knows".to_owned())?;
            self.unrolled.points.push(next);
        }
        self.unrolled.track.kinds.push(Some(kind));
        self.unrolled.states.push(state);
        self.unrolled.position.push(Some(to));
        Ok(())
    }
}
