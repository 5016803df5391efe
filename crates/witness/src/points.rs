//! Points that are not told apart, found by visiting the nearest first.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor};
use servanda_lower::{CoreId, Relation};
use servanda_model::AgentId;
use servanda_tableau::Point;

use crate::on_the_fly::OnTheFly;
use crate::scout::Steps;

impl OnTheFly<'_> {
    /// The bits of a state that these agents see together.
    fn mask(&self, agents: &[AgentId]) -> Vec<u64> {
        let layout = self.guide.layout();
        let mut mask = vec![0u64; layout.words()];
        for agent in agents {
            let local = layout.local_state(self.model, *agent);
            mask.iter_mut().zip(local).for_each(|(all, one)| *all |= one);
        }
        mask
    }

    fn seen(&self, point: Point, mask: &[u64]) -> Vec<u64> {
        self.guide.state(point).iter().zip(mask).map(|(word, mask)| word & mask).collect()
    }

    /// The nearest point that is not told from this one and where the body fails.
    pub(crate) fn nearest_doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: CoreId,
        point: Point,
        monitor: &dyn Monitor,
    ) -> Result<Option<Steps<Point>>, Halt> {
        let groups: Vec<Vec<AgentId>> = match relation {
            Relation::Everywhere => vec![vec![]],
            Relation::All(agents) => vec![agents.clone()],
            Relation::Some(agents) => agents.iter().map(|agent| vec![*agent]).collect(),
            Relation::Common(agents) => return self.common_doubt(agents, body, point, monitor),
        };
        let masks: Vec<Vec<u64>> = groups.iter().map(|agents| self.mask(agents)).collect();
        let here: Vec<Vec<u64>> = masks.iter().map(|mask| self.seen(point, mask)).collect();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, monitor)? {
            number += 1;
            let same = (0..groups.len()).find(|k| self.seen(other, &masks[*k]) == here[*k]);
            let Some(k) = same else { continue };
            if self.guide.speaks(other, correct, monitor)? && !self.guide.holds(body, other, monitor)? {
                return Ok(Some(vec![(groups[k].clone(), other)]));
            }
        }
        Ok(None)
    }

    /// The same over several steps, each of which somebody cannot tell.
    fn common_doubt(
        &mut self,
        agents: &[AgentId],
        body: CoreId,
        point: Point,
        monitor: &dyn Monitor,
    ) -> Result<Option<Steps<Point>>, Halt> {
        let masks: Vec<Vec<u64>> = agents.iter().map(|agent| self.mask(&[*agent])).collect();
        let mut classes: Vec<FxHashMap<Vec<u64>, Vec<Point>>> = vec![FxHashMap::default(); agents.len()];
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, monitor)? {
            number += 1;
            if self.guide.speaks(other, &[], monitor)? {
                for (class, mask) in classes.iter_mut().zip(&masks) {
                    class.entry(self.seen(other, mask)).or_default().push(other);
                }
            }
        }
        let mut parents: FxHashMap<Point, (Point, AgentId)> = FxHashMap::default();
        let mut queue = VecDeque::from([point]);
        while let Some(here) = queue.pop_front() {
            for ((class, mask), agent) in classes.iter_mut().zip(&masks).zip(agents) {
                // A class that was entered once has been entered whole.
                for other in class.remove(&self.seen(here, mask)).unwrap_or_default() {
                    if parents.contains_key(&other) {
                        continue;
                    }
                    parents.insert(other, (here, *agent));
                    if !self.guide.holds(body, other, monitor)? {
                        return Ok(Some(steps_to(&parents, point, other)));
                    }
                    queue.push_back(other);
                }
            }
        }
        Ok(None)
    }
}

fn steps_to(parents: &FxHashMap<Point, (Point, AgentId)>, from: Point, to: Point) -> Steps<Point> {
    let mut steps = Vec::new();
    let mut here = to;
    while let Some((before, agent)) = parents.get(&here) {
        steps.push((vec![*agent], here));
        here = *before;
        // The point itself may have been met again; the steps begin there.
        if here == from {
            break;
        }
    }
    steps.reverse();
    steps
}
