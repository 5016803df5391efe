//! The points of runs, nearest first, each with a shortest run to it.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Progress};
use servanda_space::Step;

use crate::on_the_fly::OnTheFly;
use crate::scout::Trail;

/// More points than this are not visited.
const MOST_POINTS: usize = 1 << 22;

/// A breadth-first search from where runs begin, taken up where it was left.
#[derive(Default)]
pub(crate) struct Reach {
    begun: bool,
    parents: FxHashMap<u32, Option<(u32, Step)>>,
    order: Vec<u32>,
    queue: VecDeque<u32>,
}

impl OnTheFly<'_, '_> {
    /// The `number`-th point in the order of distance; `None` where there are not so many.
    pub(crate) fn point(&mut self, number: usize) -> Result<Option<u32>, Halt> {
        if !self.reach.begun {
            self.reach.begun = true;
            for point in self.starts()? {
                self.reach.add(point, None);
            }
        }
        while self.reach.order.len() <= number {
            let Some(point) = self.reach.queue.pop_front() else { return Ok(None) };
            let visited = self.reach.order.len();
            Progress::nodes(visited, 1 << 10, self.budget)?;
            if visited > MOST_POINTS {
                return Err(Halt::TooLarge(format!("more than {MOST_POINTS} points were visited")));
            }
            for step in self.steps(point)? {
                self.reach.add(step.target, Some((point, step)));
            }
        }
        Ok(Some(self.reach.order[number]))
    }

    /// What is found at the nearest point at which something is found.
    pub(crate) fn nearest<T>(
        &mut self,
        mut look: impl FnMut(&mut Self, u32) -> Result<Option<T>, Halt>,
    ) -> Result<Option<T>, Halt> {
        let mut number = 0;
        while let Some(point) = self.point(number)? {
            number += 1;
            if let Some(found) = look(self, point)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl Reach {
    fn add(&mut self, point: u32, parent: Option<(u32, Step)>) {
        if let Entry::Vacant(vacant) = self.parents.entry(point) {
            vacant.insert(parent);
            self.order.push(point);
            self.queue.push_back(point);
        }
    }

    /// A shortest run to a point that has been visited.
    pub(crate) fn run(&self, point: u32) -> Trail<u32, Step> {
        let (mut points, mut steps) = (vec![point], Vec::new());
        while let Some(Some((before, step))) = self.parents.get(&points[points.len() - 1]) {
            points.push(*before);
            steps.push(*step);
        }
        points.reverse();
        steps.reverse();
        Trail { points, steps, ..Trail::default() }
    }
}
