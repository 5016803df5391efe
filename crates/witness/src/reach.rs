//! The points of runs, nearest first, each with a shortest run to it.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_tableau::{Guide, Leaving, Point};

use crate::search::report;

/// More points than this are not visited.
const MOST_POINTS: usize = 1 << 22;

/// A breadth-first search from where runs begin, taken up where it was left.
#[derive(Default)]
pub(crate) struct Reach {
    begun: bool,
    parents: FxHashMap<Point, Option<(Point, Leaving)>>,
    order: Vec<Point>,
    queue: VecDeque<Point>,
}

impl Reach {
    /// The `number`-th point in the order of distance; `None` where there are not so many.
    pub(crate) fn point(
        &mut self,
        number: usize,
        guide: &mut Guide<'_>,
        budget: &dyn Budget,
    ) -> Result<Option<Point>, Halt> {
        if !self.begun {
            self.begun = true;
            for point in guide.starts(budget)? {
                self.add(point, None);
            }
        }
        while self.order.len() <= number {
            let Some(point) = self.queue.pop_front() else { return Ok(None) };
            if self.order.len().is_multiple_of(1 << 10) {
                report(self.order.len(), budget)?;
            }
            if self.order.len() > MOST_POINTS {
                return Err(Halt::TooLarge(format!("more than {MOST_POINTS} points were visited")));
            }
            for leaving in guide.steps(point, budget)? {
                self.add(leaving.target, Some((point, leaving)));
            }
        }
        Ok(Some(self.order[number]))
    }

    fn add(&mut self, point: Point, parent: Option<(Point, Leaving)>) {
        if let Entry::Vacant(vacant) = self.parents.entry(point) {
            vacant.insert(parent);
            self.order.push(point);
            self.queue.push_back(point);
        }
    }

    /// A shortest run to a point that has been visited.
    pub(crate) fn run(&self, point: Point) -> (Vec<Point>, Vec<Leaving>) {
        let (mut points, mut steps) = (vec![point], Vec::new());
        while let Some(Some((before, leaving))) = self.parents.get(&points[points.len() - 1]) {
            points.push(*before);
            steps.push(*leaving);
        }
        points.reverse();
        steps.reverse();
        (points, steps)
    }
}
