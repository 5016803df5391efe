//! What evidence says about formulas, decided again: path formulas straight from the semantics, state formulas by the
//! reference engine where the model is small enough for it.

use rustc_hash::FxHashMap;
use servanda_engine::{Deadlock, Options};
use servanda_enumerate::{WalkPoint, Walker};
use servanda_lower::{Arena, Core, CoreId, Lowering, Relation};
use servanda_model::{AgentId, CommitmentId, Layout, Model, Program, StepKind};

use crate::path_truth::{PathTruth, Track, Value, and, not, or, past_height};
use crate::replay::{Finding, Replay, demand};
use crate::translate::Translation;
use crate::{Because, Claim, Doubt, Evidence, Path, PathEvidence};

/// A loop is gone round at most so often until the reference engine's points repeat.
const MOST_ROUNDS: usize = 256;

/// The formulas of evidence in the checker's own arena.
pub(crate) struct Formulas<'e> {
    translation: Translation<'e>,
    /// For the paths of commitments, what they satisfy; in the order of a walk through the evidence.
    broken: Vec<CoreId>,
    /// All state formulas whose truth may be asked for.
    pub(crate) wanted: Vec<CoreId>,
    /// The fairness constraints.
    fairness: Vec<CoreId>,
    pub(crate) arena: Arena,
}

impl<'e> Formulas<'e> {
    /// Collects them; `property` is the property as the checker itself reads it.
    pub(crate) fn new(
        evidence: &'e Evidence,
        property: CoreId,
        lowering: &mut Lowering<'_>,
        options: Options,
    ) -> Result<Self, String> {
        let mut fairness = Vec::new();
        for constraint in &lowering.model.fairness {
            let id = lowering.property(&constraint.formula);
            fairness.push(id.map_err(|_| "a fairness constraint has no meaning".to_owned())?);
        }
        let mut formulas = Formulas {
            translation: Translation::new(&evidence.arena),
            broken: Vec::new(),
            wanted: Vec::new(),
            fairness,
            arena: Arena::new(),
        };
        let layout = Layout::new(lowering.model);
        let start = &evidence.start.states[evidence.start.last()].packed;
        formulas.claim(&evidence.claim, start, lowering, options, &layout)?;
        let claimed = formulas.known(evidence.claim.formula)?;
        demand(claimed == property, || "the evidence is about another formula".to_owned())?;
        formulas.wanted.sort_unstable();
        formulas.wanted.dedup();
        formulas.arena = lowering.arena.clone();
        Ok(formulas)
    }

    fn known(&self, id: CoreId) -> Result<CoreId, String> {
        self.translation.known(id).ok_or_else(|| "a claim is about an unknown formula".to_owned())
    }

    fn copy(&mut self, id: CoreId, lowering: &mut Lowering<'_>) -> Result<CoreId, String> {
        let copied = self.translation.copy(id, &mut lowering.arena);
        copied.ok_or_else(|| "a claim is about an unknown formula".to_owned())
    }

    fn claim(
        &mut self,
        claim: &Claim,
        here: &[u64],
        lowering: &mut Lowering<'_>,
        options: Options,
        layout: &Layout,
    ) -> Result<(), String> {
        let id = self.copy(claim.formula, lowering)?;
        self.wanted.push(id);
        match &claim.because {
            Because::State | Because::Everywhere(_) | Because::NotShown(_) => Ok(()),
            Because::Parts(parts) => {
                parts.iter().try_for_each(|part| self.claim(part, here, lowering, options, layout))
            }
            Because::Path(evidence) => {
                let psi = self.copy(evidence.formula, lowering)?;
                self.path(evidence, psi, lowering, options, layout)
            }
            Because::Accessible(accessible) => {
                let psi = broken(id, here, lowering, options, layout)?;
                self.broken.push(psi);
                self.path(&accessible.evidence, psi, lowering, options, layout)
            }
            Because::CannotTell(doubt) => {
                let there = doubt.steps.last().map_or(here, |step| &step.run.states[step.run.last()].packed);
                self.claim(&doubt.claim, there, lowering, options, layout)
            }
            Because::Before(before) => {
                let there = &before.run.states[before.position].packed;
                self.claim(&before.claim, there, lowering, options, layout)
            }
            Because::Strategy(_) => {
                let (inner, _) = strip(&lowering.arena, id, true);
                if let Core::Able { goal, .. } = lowering.arena.node(inner) {
                    self.wanted.extend(crate::game::operands(goal));
                }
                Ok(())
            }
        }
    }

    fn path(
        &mut self,
        evidence: &PathEvidence,
        psi: CoreId,
        lowering: &mut Lowering<'_>,
        options: Options,
        layout: &Layout,
    ) -> Result<(), String> {
        self.wanted.extend(lowering.arena.state_parts(psi));
        for (position, claim) in &evidence.claims {
            let here = &evidence.path.states[*position].packed;
            self.claim(claim, here, lowering, options, layout)?;
        }
        Ok(())
    }
}

/// For an `SC` in a state: "the path is accessible, and the body fails" (docs/formulas.md section 4).
fn broken(
    committed: CoreId,
    here: &[u64],
    lowering: &mut Lowering<'_>,
    options: Options,
    layout: &Layout,
) -> Result<CoreId, String> {
    let (inner, _) = strip(&lowering.arena, committed, true);
    let Core::Committed { debtor, creditor, limit, body } = *lowering.arena.node(inner) else {
        return Err("an accessible path is shown for what is no commitment".to_owned());
    };
    let mut all = lowering.access(debtor, creditor);
    if options.deadlock == Deadlock::Strict {
        let goes_on = lowering.arena.goes_on();
        all = lowering.arena.and(all, goes_on);
    }
    let pair = (debtor, creditor);
    let of_pair = lowering.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == pair);
    let in_force: Vec<CommitmentId> = of_pair
        .map(|(id, _)| id)
        .filter(|id| limit.is_none_or(|limit| lowering.depth(*id) < limit))
        .filter(|id| layout.commitment(*id).read(here) == 1)
        .collect();
    for id in in_force {
        let content = lowering.content(id);
        all = lowering.arena.and(all, content);
    }
    let fails = lowering.arena.not(body);
    Ok(lowering.arena.and(all, fails))
}

/// A formula without the negation before it.
fn strip(arena: &Arena, id: CoreId, holds: bool) -> (CoreId, bool) {
    match *arena.node(id) {
        Core::Not(inner) => (inner, !holds),
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
pub(crate) struct Recheck<'a, 'e, 'm> {
    pub(crate) model: &'m Model,
    pub(crate) formulas: &'a Formulas<'e>,
    pub(crate) walker: Option<&'a Walker<'a, 'm>>,
    pub(crate) replay: &'a mut Replay<'m>,
    /// How many paths of commitments have been looked at.
    commitments: usize,
    /// Was something taken for granted?
    pub(crate) assumed: bool,
}

impl<'a, 'e, 'm> Recheck<'a, 'e, 'm> {
    pub(crate) fn new(
        model: &'m Model,
        formulas: &'a Formulas<'e>,
        walker: Option<&'a Walker<'a, 'm>>,
        replay: &'a mut Replay<'m>,
    ) -> Self {
        Recheck { model, formulas, walker, replay, commitments: 0, assumed: false }
    }

    pub(crate) fn evidence(&mut self, evidence: &'e Evidence) -> Finding {
        self.claim(&evidence.claim, &History::of_run(&evidence.start, evidence.start.last()))
    }

    /// The reference engine's point at the end of a history.
    fn point(&self, history: &History<'e>) -> Result<Option<WalkPoint>, String> {
        let Some(walker) = self.walker else { return Ok(None) };
        let wrong = || "a run leaves what the reference engine knows".to_owned();
        let mut point = walker.start(history.states[0]).ok_or_else(wrong)?;
        for (kind, state) in history.kinds.iter().zip(&history.states[1..]) {
            point = walker.step(point, kind, state).ok_or_else(wrong)?;
        }
        Ok(Some(point))
    }

    fn claim(&mut self, claim: &'e Claim, history: &History<'e>) -> Finding {
        let id = self.formulas.known(claim.formula)?;
        let wrong = || {
            let word = if claim.holds { "holds" } else { "fails" };
            format!("it is said that `{}` {word} where it does not", claim.text)
        };
        if let (Some(walker), Some(point)) = (self.walker, self.point(history)?) {
            demand(walker.holds(id, point) == Some(claim.holds), wrong)?;
        }
        let (inner, holds) = strip(&self.formulas.arena, id, claim.holds);
        let node = self.formulas.arena.node(inner).clone();
        match (&claim.because, node) {
            (Because::State, _) => {
                let value = self.boolean(id, history.here(), &|_| None);
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Parts(parts), _) => {
                for part in parts {
                    self.claim(part, history)?;
                }
                let said = self.said(parts)?;
                let value = self.boolean(id, history.here(), &|id| said.get(&id).copied());
                demand(value == Some(claim.holds), wrong)
            }
            (Because::Path(evidence), Core::Exists(psi)) if holds => self.path(evidence, psi, history, wrong),
            (Because::Accessible(accessible), Core::Committed { .. }) if !holds => {
                let psi = self.formulas.broken[self.commitments];
                self.commitments += 1;
                self.path(&accessible.evidence, psi, history, wrong)
            }
            (Because::CannotTell(doubt), Core::Knows { relation, correct, body }) if !holds => {
                self.doubt(doubt, &relation, &correct, body)
            }
            (Because::Before(before), Core::SomePrevious(a) | Core::SomePast(a)) if holds => {
                let one_step = matches!(self.formulas.arena.node(inner), Core::SomePrevious(_));
                demand(!one_step || before.position + 1 == before.run.last(), || {
                    "a state is not the one before".to_owned()
                })?;
                self.about(&before.claim, a, true)?;
                self.claim(&before.claim, &History::of_run(&before.run, before.position))
            }
            (Because::Strategy(strategy), Core::Able { group, goal }) if holds => {
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
    fn about(&self, claim: &Claim, formula: CoreId, holds: bool) -> Finding {
        let claimed = strip(&self.formulas.arena, self.formulas.known(claim.formula)?, claim.holds);
        demand(claimed == strip(&self.formulas.arena, formula, holds), || {
            format!("`{}` is not what has to be shown", claim.text)
        })
    }

    /// What claims say, by formula.
    fn said(&self, claims: &[Claim]) -> Result<FxHashMap<CoreId, bool>, String> {
        let mut said = FxHashMap::default();
        for claim in claims {
            let (inner, holds) =
                strip(&self.formulas.arena, self.formulas.known(claim.formula)?, claim.holds);
            said.insert(inner, holds);
        }
        Ok(said)
    }

    /// The value of a state formula as far as the state and `modality` say it.
    pub(crate) fn boolean(&self, id: CoreId, state: &[u64], modality: &dyn Fn(CoreId) -> Value) -> Value {
        if let Some(value) = modality(id) {
            return Some(value);
        }
        match *self.formulas.arena.node(id) {
            Core::True => Some(true),
            Core::Proposition(proposition) => {
                let expr = self.formulas.arena.proposition_expr(proposition);
                Program::new(expr, &self.replay.layout).holds(state, &mut Vec::new()).ok()
            }
            Core::Not(a) => not(self.boolean(a, state, modality)),
            Core::And(a, b) => and(self.boolean(a, state, modality), self.boolean(b, state, modality)),
            Core::Or(a, b) => or(self.boolean(a, state, modality), self.boolean(b, state, modality)),
            _ => None,
        }
    }

    fn doubt(&mut self, doubt: &'e Doubt, relation: &Relation, correct: &[AgentId], body: CoreId) -> Finding {
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
    fn path(
        &mut self,
        evidence: &'e PathEvidence,
        psi: CoreId,
        history: &History<'e>,
        wrong: impl Fn() -> String,
    ) -> Finding {
        let path = &evidence.path;
        let mut said: FxHashMap<(CoreId, usize), bool> = FxHashMap::default();
        for (position, claim) in &evidence.claims {
            self.claim(claim, &history.along(path, *position))?;
            let id = self.formulas.known(claim.formula)?;
            let (inner, holds) = strip(&self.formulas.arena, id, claim.holds);
            said.insert((inner, *position), holds);
        }
        let unrolled = self.unroll(path, psi, history)?;
        let at = history.states.len() - 1;
        let leaf = |id: CoreId, position: usize| {
            let known = |id: CoreId| {
                let on_path = unrolled.position[position];
                let by_claim = on_path.and_then(|at| said.get(&(id, at)).copied());
                by_claim.or_else(|| self.walker?.holds(id, *unrolled.points.get(position)?))
            };
            self.boolean(id, unrolled.states[position], &known)
        };
        let value = PathTruth::new(&self.formulas.arena, &unrolled.track, leaf).value(psi, at);
        match value {
            Some(true) => {}
            None if self.walker.is_none() => self.assumed = true,
            _ => return Err(wrong()),
        }
        self.fair(&unrolled)
    }

    /// Does every fairness constraint hold somewhere on the loop?
    fn fair(&mut self, unrolled: &Unrolled<'e>) -> Finding {
        let Some(back) = unrolled.track.back else { return Ok(()) };
        for (number, constraint) in self.formulas.fairness.iter().enumerate() {
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
    fn unroll(&self, path: &'e Path, psi: CoreId, history: &History<'e>) -> Result<Unrolled<'e>, String> {
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
        let more = (past_height(&self.formulas.arena, psi) + 1) * period - 1;
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
    recheck: &'r Recheck<'a, 'e, 'm>,
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
