//! The search for evidence by visiting states one by one, nearest first.

use servanda_engine::{Budget, Halt, Options};
use servanda_logic::Formula;
use servanda_lower::{Arena, Lowering, PathFormula, Relation, StateFormula};
use servanda_model::{AgentId, Layout, Model};
use servanda_space::Lent;
use servanda_tableau::{Guide, Leaving, Point};

use crate::reach::Reach;
use crate::scout::{Departure, Earlier, Scout, Steps, Trail, Walk};
use crate::search::shortest_path;

/// The on-the-fly engine, with the points visited so far.
pub(crate) struct OnTheFly<'m> {
    pub(crate) model: &'m Model,
    pub(crate) guide: Guide<'m>,
    pub(crate) reach: Reach,
}

impl<'m> OnTheFly<'m> {
    /// Prepares for one property.
    pub(crate) fn new(
        lowering: &Lowering<'m>,
        space: Lent<'m>,
        options: Options,
        formula: &Formula,
    ) -> Result<Self, Halt> {
        let guide = Guide::new(lowering, space, options, formula)?;
        Ok(OnTheFly { model: lowering.model, guide, reach: Reach::default() })
    }

    pub(crate) fn walk(&self, points: Vec<Point>, steps: &[Leaving]) -> Walk<Point> {
        Walk { points, steps: steps.iter().map(|leaving| self.guide.kind(*leaving)).collect() }
    }
}

impl Scout for OnTheFly<'_> {
    type Point = Point;

    fn property(&self) -> StateFormula {
        self.guide.property()
    }

    fn arena(&self) -> &Arena {
        self.guide.arena()
    }

    fn find(&mut self, formula: &Formula) -> Option<PathFormula> {
        self.guide.find(formula)
    }

    fn layout(&self) -> &Layout {
        self.guide.layout()
    }

    fn state(&self, point: Point) -> &[u64] {
        self.guide.state(point)
    }

    fn holds(&mut self, id: StateFormula, point: Point, budget: &dyn Budget) -> Result<bool, Halt> {
        self.guide.holds(id, point, budget)
    }

    fn looks_back(&mut self, id: StateFormula) -> bool {
        self.guide.looks_back(id)
    }

    fn start(&mut self, verdict: bool, budget: &dyn Budget) -> Result<Option<(Point, bool)>, Halt> {
        for point in self.guide.starts(budget)? {
            let holds = self.guide.holds_at_start(point, budget)?;
            if verdict || holds == verdict {
                // The search for runs must know it too.
                self.reach.point(0, &mut self.guide, budget)?;
                return Ok(Some((point, holds)));
            }
        }
        Ok(None)
    }

    fn failing(&mut self, budget: &dyn Budget) -> Result<Option<Point>, Halt> {
        let property = self.guide.property();
        let mut number = 0;
        while let Some(point) = self.reach.point(number, &mut self.guide, budget)? {
            number += 1;
            if self.guide.speaks(point, &[], budget)? && !self.guide.holds(property, point, budget)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    fn run(&mut self, point: Point, _: &dyn Budget) -> Result<Walk<Point>, Halt> {
        let (points, steps) = self.reach.run(point);
        Ok(self.walk(points, &steps))
    }

    fn broken(&mut self, committed: StateFormula, point: Point) -> Option<PathFormula> {
        self.guide.broken(committed, point)
    }

    fn trail(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Trail<Point>>, Halt> {
        let mut paths = self.guide.paths(owner, psi, point)?;
        let trail = shortest_path(&mut self.guide, &mut paths, point, budget)?;
        Ok(trail.map(|Trail { points, steps, loop_to, demands }| {
            let steps = steps.into_iter().map(|leaving| self.guide.kind(leaving)).collect();
            Trail { points, steps, loop_to, demands }
        }))
    }

    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<Point>>, Halt> {
        self.nearest_doubt(relation, correct, body, point, budget)
    }

    fn one_before(
        &mut self,
        a: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Earlier<Point>>, Halt> {
        self.predecessor(a, point, budget)
    }

    fn some_before(
        &mut self,
        a: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Earlier<Point>>, Halt> {
        self.ancestor(a, point, budget)
    }

    fn moves(&mut self, point: Point, budget: &dyn Budget) -> Result<Vec<Departure<Point>>, Halt> {
        let leaving = self.guide.steps(point, budget)?;
        let departure = |leaving: Leaving| Departure {
            by: self.guide.maker(leaving),
            kind: self.guide.kind(leaving),
            target: leaving.target,
        };
        Ok(leaving.into_iter().map(departure).collect())
    }
}
