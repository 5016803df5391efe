//! The search for evidence by visiting states one by one, nearest first.

use servanda_engine::{Budget, Halt, Options, Progress, Validity};
use servanda_logic::Formula;
use servanda_lower::{Arena, Lowering, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, Layout, Sight};
use servanda_space::{Lent, Step};
use servanda_tableau::{Corridor, Evaluation, Node};

use crate::reach::Reach;
use crate::scout::{Departure, Earlier, Scout, Steps, Trail, groups};
use crate::search::shortest_path;

/// The on-the-fly engine, with the points visited so far. Points are nodes of the layer that knows all that the property remembers.
pub(crate) struct OnTheFly<'m, 'w> {
    pub(crate) evaluation: Evaluation<'m>,
    pub(crate) budget: &'w dyn Budget,
    layer: usize,
    property: StateFormula,
    pub(crate) reach: Reach,
}

impl<'m, 'w> OnTheFly<'m, 'w> {
    /// Prepares for one property. The space is that of the evaluation from here on.
    pub(crate) fn new(
        lowering: &Lowering<'m>,
        space: Lent<'m>,
        options: Options,
        formula: &Formula,
        budget: &'w dyn Budget,
    ) -> Result<Self, Halt> {
        let mut evaluation = Evaluation::new(lowering, options)?;
        evaluation.space = space;
        let property = evaluation.lowering.property(formula).map_err(Halt::Invalid)?;
        let layer = evaluation.prepare(property)?;
        if options.validity == Validity::Initial {
            evaluation.use_symmetries(property, budget)?;
        }
        Ok(OnTheFly { evaluation, budget, layer, property, reach: Reach::default() })
    }

    /// What a point is to the engine.
    fn node(&self, point: u32) -> Node {
        Node { layer: self.layer, number: point }
    }

    /// The points at which runs begin.
    pub(crate) fn starts(&mut self) -> Result<Vec<u32>, Halt> {
        let mut starts = Vec::new();
        for state in self.evaluation.space.initial() {
            if self.evaluation.is_fair(state, self.budget)? {
                starts.push(self.evaluation.start(self.layer, state).number);
            }
        }
        Ok(starts)
    }

    /// The ways to leave a point, the implicit loop of a deadlock included.
    pub(crate) fn steps(&mut self, point: u32) -> Result<Vec<Step>, Halt> {
        let mut found = Vec::new();
        self.evaluation.steps(self.node(point), &mut found, self.budget)?;
        Ok(found)
    }

    /// Is the point on a run that counts, with all of these behaving correctly?
    pub(crate) fn speaks(&mut self, point: u32, correct: &[AgentId]) -> Result<bool, Halt> {
        self.evaluation.speaks(self.node(point), correct, self.budget)
    }

    /// Where roles are alike: the states among which there is a shortest path that shows what `owner` says, found on those that stand for others.
    fn corridor(&mut self, owner: StateFormula, point: u32) -> Result<Option<Corridor>, Halt> {
        let Some(mut quotient) = self.evaluation.quotient(owner, self.node(point), self.budget)? else {
            return Ok(None);
        };
        let (there, at) = (&mut quotient.evaluation, Node { layer: 0, number: quotient.state });
        let psi = match *there.lowering.arena.state(owner) {
            State::Exists { path, .. } => Some(path),
            _ => there.broken_at(owner, at),
        };
        let Some(psi) = psi else { return Ok(None) };
        let mut paths = there.paths(owner, psi, at)?;
        let found = shortest_path(there, &mut paths, at.number, None, self.budget)?;
        Ok(found.and_then(|trail| self.evaluation.put_back(quotient, &trail.points)))
    }

    /// A path with what its steps are.
    pub(crate) fn told(&self, trail: Trail<u32, Step>) -> Trail<u32> {
        let Trail { points, steps, loop_to, demands } = trail;
        let kind = |step: Step| self.evaluation.space.kind(step.via);
        Trail { points, steps: steps.into_iter().map(kind).collect(), loop_to, demands }
    }
}

impl Scout for OnTheFly<'_, '_> {
    type Point = u32;

    fn go_on(&self) -> Result<(), Halt> {
        Progress::Deciding { nodes: 0 }.tell(self.budget)
    }

    fn property(&self) -> StateFormula {
        self.property
    }

    fn arena(&self) -> &Arena {
        &self.evaluation.lowering.arena
    }

    fn find(&mut self, formula: &Formula) -> Option<PathFormula> {
        self.evaluation.lowering.path(formula).ok()
    }

    fn layout(&self) -> &Layout {
        &self.evaluation.space.layout
    }

    fn state(&self, point: u32) -> &[u64] {
        self.evaluation.space.state(self.evaluation.projected(self.node(point), 0))
    }

    fn holds(&mut self, id: StateFormula, point: u32) -> Result<bool, Halt> {
        self.evaluation.holds(id, self.node(point), self.budget)
    }

    fn looks_back(&mut self, id: StateFormula) -> bool {
        self.evaluation.rank(id) > 0
    }

    fn start(&mut self, verdict: bool) -> Result<Option<(u32, bool)>, Halt> {
        for point in self.starts()? {
            let holds = self.evaluation.holds_at_start(self.property, self.node(point), self.budget)?;
            if verdict || holds == verdict {
                // The search for runs must know it too.
                self.point(0)?;
                return Ok(Some((point, holds)));
            }
        }
        Ok(None)
    }

    fn failing(&mut self) -> Result<Option<u32>, Halt> {
        let property = self.property;
        self.nearest(|this, point| {
            let fails = this.speaks(point, &[])? && !this.holds(property, point)?;
            Ok(fails.then_some(point))
        })
    }

    fn run(&mut self, point: u32) -> Result<Trail<u32>, Halt> {
        Ok(self.told(self.reach.run(point)))
    }

    fn broken(&mut self, committed: StateFormula, point: u32) -> Option<PathFormula> {
        self.evaluation.broken_at(committed, self.node(point))
    }

    fn trail(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: u32,
    ) -> Result<Option<Trail<u32>>, Halt> {
        let corridor = self.corridor(owner, point)?;
        let mut paths = self.evaluation.paths(owner, psi, self.node(point))?;
        let trail = shortest_path(&mut self.evaluation, &mut paths, point, corridor.as_ref(), self.budget)?;
        Ok(trail.map(|trail| self.told(trail)))
    }

    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: u32,
    ) -> Result<Option<Steps<u32>>, Halt> {
        if let Relation::Common(agents) = relation {
            return self.common_doubt(agents, body, point);
        }
        let groups = groups(relation);
        let sights: Vec<Sight> = groups.iter().map(|agents| self.sight(agents)).collect();
        let here: Vec<Vec<u64>> = sights.iter().map(|sight| self.seen(point, sight)).collect();
        self.nearest(|this, other| {
            let same = (0..groups.len()).find(|k| this.seen(other, &sights[*k]) == here[*k]);
            let Some(k) = same else { return Ok(None) };
            let fails = this.speaks(other, correct)? && !this.holds(body, other)?;
            Ok(fails.then(|| vec![(groups[k].clone(), other)]))
        })
    }

    fn before(&mut self, one_step: bool, a: StateFormula, point: u32) -> Result<Option<Earlier<u32>>, Halt> {
        if one_step { self.predecessor(a, point) } else { self.ancestor(a, point) }
    }

    fn moves(&mut self, point: u32) -> Result<Vec<Departure<u32>>, Halt> {
        let steps = self.steps(point)?;
        let space = &self.evaluation.space;
        let departure =
            |Step { via, target }| Departure { by: space.maker(via), kind: space.kind(via), target };
        Ok(steps.into_iter().map(departure).collect())
    }
}
