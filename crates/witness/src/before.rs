//! Earlier states, for `EY` and `EP`.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::CoreId;
use servanda_tableau::{Leaving, Point};

use crate::explain::Explainer;
use crate::{Because, Before};

const UNREACHABLE: &str = "no run visits the earlier state";
const LOOKS_BACK: &str = "what holds there looks back within itself";

impl Explainer<'_, '_> {
    /// A predecessor where a formula holds, the nearest to the beginning.
    pub(crate) fn one_before(&mut self, a: CoreId, point: Point, level: usize) -> Result<Because, Halt> {
        if self.guide.looks_back(a) {
            return Ok(Because::NotShown(LOOKS_BACK.to_owned()));
        }
        let here = self.guide.state(point).to_vec();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, self.monitor)? {
            number += 1;
            let steps = self.guide.steps(other, self.monitor)?;
            let arrival = steps.into_iter().find(|leaving| self.guide.state(leaving.target) == here);
            let Some(leaving) = arrival else { continue };
            if self.guide.speaks(other, &[], self.monitor)? && self.guide.holds(a, other, self.monitor)? {
                let onward = FxHashMap::from_iter([(other, leaving)]);
                return self.earlier(a, other, &onward, level);
            }
        }
        Ok(Because::NotShown(UNREACHABLE.to_owned()))
    }

    /// A state from which one can come here and where a formula holds, the nearest to here.
    pub(crate) fn some_before(&mut self, a: CoreId, point: Point, level: usize) -> Result<Because, Halt> {
        if self.guide.looks_back(a) {
            return Ok(Because::NotShown(LOOKS_BACK.to_owned()));
        }
        let here = self.guide.state(point).to_vec();
        let mut arrivals: FxHashMap<Point, Vec<(Point, Leaving)>> = FxHashMap::default();
        let mut queue: VecDeque<Point> = VecDeque::new();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, self.monitor)? {
            number += 1;
            if !self.guide.speaks(other, &[], self.monitor)? {
                continue;
            }
            if self.guide.state(other) == here {
                queue.push_back(other);
            }
            for leaving in self.guide.steps(other, self.monitor)? {
                arrivals.entry(leaving.target).or_default().push((other, leaving));
            }
        }
        // How one goes on from each point met; not at all from those that are in this very state.
        let mut onward: FxHashMap<Point, Option<Leaving>> = queue.iter().map(|end| (*end, None)).collect();
        while let Some(there) = queue.pop_front() {
            if self.guide.holds(a, there, self.monitor)? {
                let onward = onward.into_iter().filter_map(|(from, way)| Some((from, way?))).collect();
                return self.earlier(a, there, &onward, level);
            }
            for &(source, leaving) in arrivals.get(&there).map_or(&[][..], Vec::as_slice) {
                onward.entry(source).or_insert_with(|| {
                    queue.push_back(source);
                    Some(leaving)
                });
            }
        }
        Ok(Because::NotShown(UNREACHABLE.to_owned()))
    }

    /// The run to an earlier point and on to the end.
    fn earlier(
        &mut self,
        a: CoreId,
        source: Point,
        onward: &FxHashMap<Point, Leaving>,
        level: usize,
    ) -> Result<Because, Halt> {
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
        let claim = self.claim(a, true, source, level + 1)?;
        Ok(Because::Before(Box::new(Before { run: self.walk(&points, &steps), position, claim })))
    }
}
