//! Earlier states, for `EY` and `EP`, found by visiting all before.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::StateFormula;
use servanda_tableau::{Leaving, Point};

use crate::on_the_fly::OnTheFly;
use crate::scout::Earlier;

impl OnTheFly<'_> {
    /// A predecessor where a formula holds, the nearest to the beginning.
    pub(crate) fn predecessor(
        &mut self,
        a: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Earlier<Point>>, Halt> {
        let here = self.guide.state(point).to_vec();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, budget)? {
            number += 1;
            let steps = self.guide.steps(other, budget)?;
            let arrival = steps.into_iter().find(|leaving| self.guide.state(leaving.target) == here);
            let Some(leaving) = arrival else { continue };
            if self.guide.speaks(other, &[], budget)? && self.guide.holds(a, other, budget)? {
                let onward = FxHashMap::from_iter([(other, leaving)]);
                return Ok(Some(self.earlier(other, &onward)));
            }
        }
        Ok(None)
    }

    /// A state from which one can come here and where a formula holds, the nearest to here.
    pub(crate) fn ancestor(
        &mut self,
        a: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Earlier<Point>>, Halt> {
        let here = self.guide.state(point).to_vec();
        let mut arrivals: FxHashMap<Point, Vec<(Point, Leaving)>> = FxHashMap::default();
        let mut queue: VecDeque<Point> = VecDeque::new();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, budget)? {
            number += 1;
            if !self.guide.speaks(other, &[], budget)? {
                continue;
            }
            if self.guide.state(other) == here {
                queue.push_back(other);
            }
            for leaving in self.guide.steps(other, budget)? {
                arrivals.entry(leaving.target).or_default().push((other, leaving));
            }
        }
        // How one goes on from each point met; not at all from those that are in this very state.
        let mut onward: FxHashMap<Point, Option<Leaving>> = queue.iter().map(|end| (*end, None)).collect();
        while let Some(there) = queue.pop_front() {
            if self.guide.holds(a, there, budget)? {
                let onward = onward.into_iter().filter_map(|(from, way)| Some((from, way?))).collect();
                return Ok(Some(self.earlier(there, &onward)));
            }
            for &(source, leaving) in arrivals.get(&there).map_or(&[][..], Vec::as_slice) {
                onward.entry(source).or_insert_with(|| {
                    queue.push_back(source);
                    Some(leaving)
                });
            }
        }
        Ok(None)
    }

    /// The run to an earlier point and on to the end.
    fn earlier(&self, source: Point, onward: &FxHashMap<Point, Leaving>) -> Earlier<Point> {
        let (mut points, mut steps) = self.reach.run(source);
        let position = points.len() - 1;
        let mut here = source;
        while let Some(leaving) = onward.get(&here) {
            steps.push(*leaving);
            points.push(leaving.target);
            here = leaving.target;
            // A deadlock is its own predecessor.
            if here == source {
                break;
            }
        }
        (self.walk(points, &steps), position)
    }
}
