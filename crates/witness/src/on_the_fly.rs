//! The search for evidence by visiting states one by one, nearest first.

use servanda_engine::{Budget, Halt, Options};
use servanda_logic::Formula;
use servanda_lower::{Arena, Lowering, PathFormula, Relation, StateFormula};
use servanda_model::{AgentId, Layout};
use servanda_space::{Lent, Step};
use servanda_tableau::Evaluation;

use crate::reach::Reach;
use crate::scout::{Departure, Earlier, Scout, Steps, Trail, Walk};

/// The on-the-fly engine, with the points visited so far. Points are nodes of the layer that knows all that the property remembers.
pub(crate) struct OnTheFly<'m> {
    pub(crate) evaluation: Evaluation<'m>,
    pub(crate) layer: usize,
    property: StateFormula,
    pub(crate) reach: Reach,
}

impl<'m> OnTheFly<'m> {
    /// Prepares for one property. The space is that of the evaluation from here on.
    pub(crate) fn new(
        lowering: &Lowering<'m>,
        space: Lent<'m>,
        options: Options,
        formula: &Formula,
    ) -> Result<Self, Halt> {
        let mut evaluation = Evaluation::new(lowering, options)?;
        evaluation.space = space;
        let property = evaluation.lowering.property(formula).map_err(Halt::Invalid)?;
        let layer = evaluation.prepare(property)?;
        Ok(OnTheFly { evaluation, layer, property, reach: Reach::default() })
    }

    /// The points at which runs begin.
    pub(crate) fn starts(&mut self, budget: &dyn Budget) -> Result<Vec<u32>, Halt> {
        let mut starts = Vec::new();
        for state in self.evaluation.space.initial() {
            if self.evaluation.is_fair(state, budget)? {
                starts.push(self.evaluation.start(self.layer, state));
            }
        }
        Ok(starts)
    }

    /// The ways to leave a point, the implicit loop of a deadlock included.
    pub(crate) fn steps(&mut self, point: u32, budget: &dyn Budget) -> Result<Vec<Step>, Halt> {
        let mut found = Vec::new();
        self.evaluation.steps(self.layer, point, &mut found, budget)?;
        Ok(found)
    }

    /// Is the point on a run that counts, with all of these behaving correctly?
    pub(crate) fn speaks(
        &mut self,
        point: u32,
        correct: &[AgentId],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        self.evaluation.speaks(self.layer, point, correct, budget)
    }

    pub(crate) fn walk(&self, points: Vec<u32>, steps: &[Step]) -> Walk<u32> {
        let space = &self.evaluation.space;
        Walk { points, steps: steps.iter().map(|step| space.kind(step.via)).collect() }
    }
}

impl Scout for OnTheFly<'_> {
    type Point = u32;

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
        self.evaluation.space.state(self.evaluation.projected(self.layer, point, 0))
    }

    fn holds(&mut self, id: StateFormula, point: u32, budget: &dyn Budget) -> Result<bool, Halt> {
        self.evaluation.holds(id, self.layer, point, budget)
    }

    fn looks_back(&mut self, id: StateFormula) -> bool {
        self.evaluation.rank(id) > 0
    }

    fn start(&mut self, verdict: bool, budget: &dyn Budget) -> Result<Option<(u32, bool)>, Halt> {
        for point in self.starts(budget)? {
            let holds = self.evaluation.holds_at_start(self.property, self.layer, point, budget)?;
            if verdict || holds == verdict {
                // The search for runs must know it too.
                self.point(0, budget)?;
                return Ok(Some((point, holds)));
            }
        }
        Ok(None)
    }

    fn failing(&mut self, budget: &dyn Budget) -> Result<Option<u32>, Halt> {
        let property = self.property;
        self.nearest(budget, |this, point| {
            let fails = this.speaks(point, &[], budget)? && !this.holds(property, point, budget)?;
            Ok(fails.then_some(point))
        })
    }

    fn run(&mut self, point: u32, _: &dyn Budget) -> Result<Walk<u32>, Halt> {
        let (points, steps) = self.reach.run(point);
        Ok(self.walk(points, &steps))
    }

    fn broken(&mut self, committed: StateFormula, point: u32) -> Option<PathFormula> {
        self.evaluation.broken_at(committed, self.layer, point)
    }

    fn trail(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: u32,
        budget: &dyn Budget,
    ) -> Result<Option<Trail<u32>>, Halt> {
        let mut paths = self.evaluation.paths(owner, psi, self.layer, point)?;
        let trail = self.shortest_path(&mut paths, point, budget)?;
        Ok(trail.map(|Trail { points, steps, loop_to, demands }| {
            let Walk { points, steps } = self.walk(points, &steps);
            Trail { points, steps, loop_to, demands }
        }))
    }

    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: u32,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<u32>>, Halt> {
        self.nearest_doubt(relation, correct, body, point, budget)
    }

    fn before(
        &mut self,
        one_step: bool,
        a: StateFormula,
        point: u32,
        budget: &dyn Budget,
    ) -> Result<Option<Earlier<u32>>, Halt> {
        if one_step { self.predecessor(a, point, budget) } else { self.ancestor(a, point, budget) }
    }

    fn moves(&mut self, point: u32, budget: &dyn Budget) -> Result<Vec<Departure<u32>>, Halt> {
        let steps = self.steps(point, budget)?;
        let space = &self.evaluation.space;
        let departure =
            |Step { via, target }| Departure { by: space.maker(via), kind: space.kind(via), target };
        Ok(steps.into_iter().map(departure).collect())
    }
}
