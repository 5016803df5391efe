//! From a verdict to the claims that show it: which part of the formula decides, and what shows that part.

use servanda_engine::{Halt, Monitor, Options};
use servanda_lower::{Arena, Core, CoreId};
use servanda_model::{CommitmentId, Model};
use servanda_tableau::{Guide, Leaving, Point, Taken};

use crate::reach::Reach;
use crate::search::{Trail, shortest_path};
use crate::wording::Wording;
use crate::{AccessiblePath, Because, Claim, Made, Path, PathEvidence, State, build};

/// Paths under paths are shown down to this depth.
const MOST_LEVELS: usize = 12;

/// So many paths, points and strategies are shown for one property; a formula that holds at every position of a long path would
/// otherwise be shown at each.
const MOST_PIECES: usize = 100;

/// Makes the claims of one property.
pub(crate) struct Explainer<'m, 'w> {
    pub(crate) model: &'m Model,
    pub(crate) options: Options,
    pub(crate) guide: Guide<'m>,
    pub(crate) wording: Wording<'m>,
    pub(crate) reach: Reach,
    pub(crate) monitor: &'w dyn Monitor,
    /// How many pieces of evidence there are.
    pub(crate) pieces: usize,
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
pub(crate) fn visible(arena: &Arena, id: CoreId, holds: bool) -> Visible {
    let example = |shows: bool| if shows { Visible::ByExample } else { Visible::Nowhere };
    match *arena.node(id) {
        Core::True | Core::Proposition(_) => Visible::InState,
        Core::Not(a) => visible(arena, a, !holds),
        // What needs both parts can be shown in part; what needs one can be shown where that one can.
        Core::And(a, b) | Core::Or(a, b) => {
            let (a, b) = (visible(arena, a, holds), visible(arena, b, holds));
            match (a, b) {
                (Visible::InState, Visible::InState) => Visible::InState,
                (Visible::ByExample, _) | (_, Visible::ByExample) => Visible::ByExample,
                _ => Visible::Nowhere,
            }
        }
        Core::Exists(_) | Core::SomePrevious(_) | Core::SomePast(_) | Core::Able { .. } => example(holds),
        Core::Committed { .. } | Core::Knows { .. } => example(!holds),
        _ => Visible::Nowhere,
    }
}

impl Explainer<'_, '_> {
    /// Says why a formula holds, or fails, at a point. That it does is known.
    pub(crate) fn claim(
        &mut self,
        id: CoreId,
        holds: bool,
        point: Point,
        level: usize,
    ) -> Result<Claim, Halt> {
        let because = match self.because(id, holds, point, level) {
            Err(Halt::TooLarge(reason)) => Because::NotShown(reason),
            because => because?,
        };
        let because = match because {
            Because::Everywhere(_) => Because::Everywhere(self.reason(id, holds)),
            other => other,
        };
        let (formula, holds) = self.wording.as_written(self.guide.arena(), id, holds);
        let text = self.wording.text(self.guide.arena(), formula);
        Ok(Claim { formula, text, holds, because })
    }

    fn because(&mut self, id: CoreId, holds: bool, point: Point, level: usize) -> Result<Because, Halt> {
        if let Some(because) = self.boolean(id, holds, point, level)? {
            return Ok(because);
        }
        if visible(self.guide.arena(), id, holds) == Visible::Nowhere {
            return Ok(Because::Everywhere(String::new()));
        }
        if level >= MOST_LEVELS || self.pieces >= MOST_PIECES {
            return Ok(Because::NotShown("there is more of this than is worth showing".to_owned()));
        }
        self.pieces += 1;
        match self.guide.arena().node(id).clone() {
            Core::Exists(psi) => Ok(Because::Path(Box::new(self.path(id, psi, point, level)?))),
            Core::Committed { debtor, creditor, limit, .. } => {
                let Some(psi) = self.guide.broken(id, point) else { return Ok(Because::State) };
                let in_force = self.in_force((debtor, creditor), limit, point);
                let evidence = self.path(id, psi, point, level)?;
                Ok(Because::Accessible(Box::new(AccessiblePath { debtor, creditor, in_force, evidence })))
            }
            Core::Knows { relation, correct, body } => self.doubt(&relation, &correct, body, point, level),
            Core::SomePrevious(a) => self.one_before(a, point, level),
            Core::SomePast(a) => self.some_before(a, point, level),
            Core::Able { group, goal } => self.strategy(id, &group, &goal, point),
            _ => Ok(Because::State),
        }
    }

    /// Booleans: the parts that matter.
    fn boolean(
        &mut self,
        id: CoreId,
        holds: bool,
        point: Point,
        level: usize,
    ) -> Result<Option<Because>, Halt> {
        if visible(self.guide.arena(), id, holds) == Visible::InState {
            return Ok(Some(Because::State));
        }
        let (a, b, needs_both) = match *self.guide.arena().node(id) {
            Core::Not(a) => return self.because(a, !holds, point, level).map(Some),
            Core::And(a, b) => (a, b, holds),
            Core::Or(a, b) => (a, b, !holds),
            _ => return Ok(None),
        };
        if needs_both {
            let parts = vec![self.claim(a, holds, point, level)?, self.claim(b, holds, point, level)?];
            return Ok(Some(Because::Parts(parts)));
        }
        let mut parts = [a, b];
        parts.sort_by_key(|part| visible(self.guide.arena(), *part, holds));
        let [first, second] = parts;
        let decisive = if self.guide.holds(first, point, self.monitor)? == holds { first } else { second };
        Ok(Some(Because::Parts(vec![self.claim(decisive, holds, point, level)?])))
    }

    /// Why nothing short of the whole model shows a claim, in words that fit the formula as it was written.
    fn reason(&self, id: CoreId, holds: bool) -> String {
        let (written, holds) = self.wording.as_written(self.guide.arena(), id, holds);
        let inner = match *self.guide.arena().node(written) {
            Core::Not(inner) => inner,
            _ => written,
        };
        match (self.guide.arena().node(inner), holds) {
            (Core::Exists(_), true) => "it holds on every path from here",
            (Core::Exists(_), false) => "it holds on no path from here",
            (Core::Committed { .. }, _) => "so it is on every path on which all that is in force is kept",
            (Core::Knows { .. }, _) => "so it is at every point that is not told from this one",
            (Core::SomePrevious(_) | Core::SomePast(_), _) => "no earlier state is different",
            (Core::Able { .. }, _) => "whatever they do, the others can prevent it",
            _ => "so it is everywhere",
        }
        .to_owned()
    }

    /// The shortest path that satisfies a path formula, with what matters on it.
    fn path(&mut self, owner: CoreId, psi: CoreId, point: Point, level: usize) -> Result<PathEvidence, Halt> {
        let mut paths = self.guide.paths(owner, psi, point)?;
        let Some(trail) = shortest_path(&mut self.guide, &mut paths, point, self.monitor)? else {
            return Err(Halt::TooLarge("no path was found where the engine says there is one".to_owned()));
        };
        let mut claims = Vec::new();
        for (position, literals) in trail.demands.iter().enumerate() {
            for &(id, holds) in literals {
                claims.push((position, self.claim(id, holds, trail.points[position], level + 1)?));
            }
        }
        let text = self.wording.text(self.guide.arena(), psi);
        Ok(PathEvidence { formula: psi, text, path: self.shown(&trail), claims })
    }

    fn shown(&self, trail: &Trail) -> Path {
        Path { loop_to: trail.loop_to, ..self.walk(&trail.points, &trail.steps) }
    }

    /// A walk through points as a path.
    pub(crate) fn walk(&self, points: &[Point], steps: &[Leaving]) -> Path {
        Path {
            states: points.iter().map(|point| self.state(*point)).collect(),
            steps: steps.iter().map(|leaving| build::step(self.model, self.made(*leaving))).collect(),
            loop_to: None,
        }
    }

    pub(crate) fn state(&self, point: Point) -> State {
        build::state(self.model, self.guide.layout(), self.guide.state(point))
    }

    pub(crate) fn made(&self, leaving: Leaving) -> Made {
        match self.guide.taken(leaving) {
            Taken::Command(command) => Made::Labelled(self.model.command(command).label),
            Taken::Joint(joint) => Made::Together(joint),
            Taken::Waiting => Made::Waiting,
        }
    }

    /// The run to a point that has been visited.
    pub(crate) fn run(&self, point: Point) -> Path {
        let (points, steps) = self.reach.run(point);
        self.walk(&points, &steps)
    }

    /// What is in force between two parties at a point, as far as it counts.
    fn in_force(
        &self,
        pair: (servanda_model::AgentId, servanda_model::AgentId),
        limit: Option<usize>,
        point: Point,
    ) -> Vec<String> {
        let packed = self.guide.state(point);
        let counts = |id: CommitmentId| {
            let depth = servanda_logic::commitment_depth(&self.model.commitment(id).content);
            limit.is_none_or(|limit| depth < limit) && self.guide.layout().commitment(id).read(packed) == 1
        };
        let of_pair = self.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == pair);
        of_pair.filter(|(id, _)| counts(*id)).map(|(_, promise)| self.model.show_promise(promise)).collect()
    }
}
