//! From a verdict to the claims that show it: which part of the formula decides, and what shows that part.

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Options};
use servanda_lower::{Arena, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, CommitmentId, CommitmentView, Model};
use servanda_paths::Literal;

use crate::scout::{Scout, Trail};
use crate::wording::Wording;
use crate::{AccessiblePath, Because, Before, Claim, Doubt, DoubtStep, Path, PathEvidence, build};

/// Paths under paths are shown down to this depth.
const MOST_LEVELS: usize = 12;

/// So many paths, points and strategies are shown for one property; a formula that holds at every position of a long path would
/// otherwise be shown at each.
const MOST_PIECES: usize = 100;

/// And so many claims: the parts of a boolean can share parts, and what is shared would be shown again and again.
const MOST_CLAIMS: usize = 2000;

/// Makes the claims of one property.
pub(crate) struct Explainer<'m, 'w, S> {
    pub(crate) model: &'m Model,
    pub(crate) options: Options,
    pub(crate) scout: &'w mut S,
    pub(crate) wording: Wording<'m>,
    /// How many pieces of evidence there are.
    pub(crate) pieces: usize,
    /// How many claims there are, pieces of evidence or not.
    pub(crate) claims: usize,
}

/// How well a claim can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visible {
    /// In the state.
    InState,
    /// By a path, a point or a strategy.
    ByExample,
    /// By nothing short of the whole model.
    Nowhere,
}

/// How well it can be shown that a formula holds, or fails.
pub(crate) fn visible(arena: &Arena, literal: Literal) -> Visible {
    visible_part(arena, literal, &mut FxHashMap::default())
}

fn visible_part(arena: &Arena, literal: Literal, known: &mut FxHashMap<Literal, Visible>) -> Visible {
    if let Some(visible) = known.get(&literal) {
        return *visible;
    }
    let (id, holds) = literal;
    let example = |shows: bool| if shows { Visible::ByExample } else { Visible::Nowhere };
    let visible = match *arena.state(id) {
        State::True | State::Proposition(_) => Visible::InState,
        State::Not(a) => visible_part(arena, (a, !holds), known),
        // What needs both parts can be shown in part; what needs one can be shown where that one can.
        State::And(a, b) | State::Or(a, b) => {
            match (visible_part(arena, (a, holds), known), visible_part(arena, (b, holds), known)) {
                (Visible::InState, Visible::InState) => Visible::InState,
                (Visible::ByExample, _) | (_, Visible::ByExample) => Visible::ByExample,
                _ => Visible::Nowhere,
            }
        }
        State::Exists { .. } | State::SomePrevious(_) | State::SomePast(_) | State::Able { .. } => {
            example(holds)
        }
        State::Committed { .. } | State::Knows { .. } => example(!holds),
    };
    known.insert(literal, visible);
    visible
}

fn more_than_is_worth_showing() -> Because {
    Because::NotShown("there is more of this than is worth showing".to_owned())
}

impl<S: Scout> Explainer<'_, '_, S> {
    /// Says why a formula holds, or fails, at a point. That it does is known.
    pub(crate) fn claim(&mut self, literal: Literal, point: S::Point, level: usize) -> Result<Claim, Halt> {
        self.claims += 1;
        let because = match self.because(literal, point, level) {
            Err(Halt::TooLarge(reason)) => Because::NotShown(reason),
            because => because?,
        };
        let because = match because {
            Because::Everywhere(_) => Because::Everywhere(self.reason(literal)),
            other => other,
        };
        let (formula, holds) = self.wording.as_written(self.scout.arena(), literal);
        let text = self.wording.state(self.scout.arena(), formula);
        Ok(Claim { formula, text, holds, because })
    }

    fn because(&mut self, literal: Literal, point: S::Point, level: usize) -> Result<Because, Halt> {
        let (id, _) = literal;
        if let Some(because) = self.boolean(literal, point, level)? {
            return Ok(because);
        }
        if visible(self.scout.arena(), literal) == Visible::Nowhere {
            return Ok(Because::Everywhere(String::new()));
        }
        if level >= MOST_LEVELS || self.pieces >= MOST_PIECES {
            return Ok(more_than_is_worth_showing());
        }
        self.pieces += 1;
        match self.scout.arena().state(id).clone() {
            State::Exists { path, .. } => Ok(Because::Path(Box::new(self.path(id, path, point, level)?))),
            State::Committed { debtor, creditor, limit, .. } => {
                let Some(psi) = self.scout.broken(id, point) else { return Ok(Because::State) };
                let in_force = self.in_force((debtor, creditor), limit, point);
                let evidence = self.path(id, psi, point, level)?;
                Ok(Because::Accessible(Box::new(AccessiblePath { debtor, creditor, in_force, evidence })))
            }
            State::Knows { relation, correct, body } => self.doubt((&relation, &correct), body, point, level),
            State::SomePrevious(a) | State::SomePast(a) => self.earlier(id, a, point, level),
            State::Able { group, goal } => self.strategy(id, &group, &goal, point),
            State::True | State::Proposition(_) | State::Not(_) | State::And(..) | State::Or(..) => {
                Ok(Because::State)
            }
        }
    }

    /// Booleans: the parts that matter.
    fn boolean(
        &mut self,
        (id, holds): Literal,
        point: S::Point,
        level: usize,
    ) -> Result<Option<Because>, Halt> {
        if visible(self.scout.arena(), (id, holds)) == Visible::InState {
            return Ok(Some(Because::State));
        }
        if self.claims >= MOST_CLAIMS {
            return Ok(Some(more_than_is_worth_showing()));
        }
        let (a, b, needs_both) = match *self.scout.arena().state(id) {
            State::Not(a) => return self.because((a, !holds), point, level).map(Some),
            State::And(a, b) => (a, b, holds),
            State::Or(a, b) => (a, b, !holds),
            _ => return Ok(None),
        };
        if needs_both {
            let parts = vec![self.claim((a, holds), point, level)?, self.claim((b, holds), point, level)?];
            return Ok(Some(Because::Parts(parts)));
        }
        let mut parts = [a, b];
        parts.sort_by_key(|part| visible(self.scout.arena(), (*part, holds)));
        let [first, second] = parts;
        let decisive = if self.scout.holds(first, point)? == holds { first } else { second };
        Ok(Some(Because::Parts(vec![self.claim((decisive, holds), point, level)?])))
    }

    /// Why nothing short of the whole model shows a claim, in words that fit the formula as it was written.
    fn reason(&self, literal: Literal) -> String {
        let (written, holds) = self.wording.as_written(self.scout.arena(), literal);
        let inner = match *self.scout.arena().state(written) {
            State::Not(inner) => inner,
            _ => written,
        };
        match (self.scout.arena().state(inner), holds) {
            (State::Exists { .. }, true) => "it holds on every path from here",
            (State::Exists { .. }, false) => "it holds on no path from here",
            (State::Committed { .. }, _) => "so it is on every path on which all that is in force is kept",
            (State::Knows { .. }, _) => "so it is at every point that is not told from this one",
            (State::SomePrevious(_) | State::SomePast(_), _) => "no earlier state is different",
            (State::Able { .. }, _) => "whatever they do, the others can prevent it",
            _ => "so it is everywhere",
        }
        .to_owned()
    }

    /// The shortest path that satisfies a path formula, with what matters on it.
    fn path(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: S::Point,
        level: usize,
    ) -> Result<PathEvidence, Halt> {
        let Some(trail) = self.scout.trail(owner, psi, point)? else {
            return Err(Halt::TooLarge("no path was found where the engine says there is one".to_owned()));
        };
        let mut claims = Vec::new();
        for (position, literals) in trail.demands.iter().enumerate() {
            for literal in literals {
                claims.push((position, self.claim(*literal, trail.points[position], level + 1)?));
            }
        }
        let text = self.wording.path(self.scout.arena(), psi);
        Ok(PathEvidence { formula: psi, text, path: self.walked(trail), claims })
    }

    /// A point that is not told from this one and where the body fails.
    fn doubt(
        &mut self,
        (relation, correct): (&Relation, &[AgentId]),
        body: StateFormula,
        point: S::Point,
        level: usize,
    ) -> Result<Because, Halt> {
        let steps = self.scout.doubt(relation, correct, body, point)?;
        let Some((_, last)) = steps.as_ref().and_then(|steps| steps.last()) else {
            let reason = "no such point was found where the engine says there is one";
            return Err(Halt::TooLarge(reason.to_owned()));
        };
        let claim = self.claim((body, false), *last, level + 1)?;
        let mut shown = Vec::new();
        for (agents, other) in steps.into_iter().flatten() {
            shown.push(DoubtStep { agents, run: self.run(other)? });
        }
        Ok(Because::CannotTell(Box::new(Doubt { steps: shown, claim })))
    }

    /// An earlier state where a formula holds.
    fn earlier(
        &mut self,
        id: StateFormula,
        a: StateFormula,
        point: S::Point,
        level: usize,
    ) -> Result<Because, Halt> {
        if self.scout.looks_back(a) {
            return Ok(Because::NotShown("what holds there looks back within itself".to_owned()));
        }
        let one_step = matches!(self.scout.arena().state(id), State::SomePrevious(_));
        let Some((run, position)) = self.scout.before(one_step, a, point)? else {
            return Ok(Because::NotShown("no run visits the earlier state".to_owned()));
        };
        let claim = self.claim((a, true), run.points[position], level + 1)?;
        Ok(Because::Before(Box::new(Before { run: self.walked(run), position, claim })))
    }

    /// A path through points as one through states.
    fn walked(&self, trail: Trail<S::Point>) -> Path {
        Path {
            states: trail.points.into_iter().map(|point| self.state(point)).collect(),
            steps: trail.steps.into_iter().map(|kind| build::step(self.model, kind)).collect(),
            loop_to: trail.loop_to,
        }
    }

    pub(crate) fn state(&self, point: S::Point) -> crate::State {
        build::state(self.model, self.scout.layout(), self.scout.state(point))
    }

    /// The run to a point.
    pub(crate) fn run(&mut self, point: S::Point) -> Result<Path, Halt> {
        let run = self.scout.run(point)?;
        Ok(self.walked(run))
    }

    /// What is in force between two parties at a point, as far as it counts.
    fn in_force(
        &self,
        pair: (AgentId, AgentId),
        limit: Option<usize>,
        point: S::Point,
    ) -> Vec<CommitmentView> {
        let packed = self.scout.state(point);
        let counts = |id: CommitmentId| {
            let depth = servanda_logic::commitment_depth(&self.model.commitment(id).content);
            limit.is_none_or(|limit| depth < limit) && self.scout.layout().commitment(id).read(packed) == 1
        };
        let of_pair = self.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == pair);
        of_pair.filter(|(id, _)| counts(*id)).map(|(_, promise)| self.model.view_promise(promise)).collect()
    }
}
