//! Points that are not told apart, found by visiting the nearest first.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Relation, StateFormula};
use servanda_model::{AgentId, Sight};
use servanda_tableau::Point;

use crate::on_the_fly::OnTheFly;
use crate::scout::Steps;

impl OnTheFly<'_> {
    fn sight(&self, agents: &[AgentId]) -> Sight {
        self.guide.layout().sight(self.model, agents)
    }

    fn seen(&self, point: Point, sight: &Sight) -> Vec<u64> {
        sight.of(self.guide.state(point))
    }

    /// The nearest point that is not told from this one and where the body fails.
    pub(crate) fn nearest_doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<Point>>, Halt> {
        let groups: Vec<Vec<AgentId>> = match relation {
            Relation::Everywhere => vec![vec![]],
            Relation::All(agents) => vec![agents.clone()],
            Relation::Some(agents) => agents.iter().map(|agent| vec![*agent]).collect(),
            Relation::Common(agents) => return self.common_doubt(agents, body, point, budget),
        };
        let sights: Vec<Sight> = groups.iter().map(|agents| self.sight(agents)).collect();
        let here: Vec<Vec<u64>> = sights.iter().map(|sight| self.seen(point, sight)).collect();
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, budget)? {
            number += 1;
            let same = (0..groups.len()).find(|k| self.seen(other, &sights[*k]) == here[*k]);
            let Some(k) = same else { continue };
            if self.guide.speaks(other, correct, budget)? && !self.guide.holds(body, other, budget)? {
                return Ok(Some(vec![(groups[k].clone(), other)]));
            }
        }
        Ok(None)
    }

    /// The same over several steps, each of which somebody cannot tell.
    fn common_doubt(
        &mut self,
        agents: &[AgentId],
        body: StateFormula,
        point: Point,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<Point>>, Halt> {
        let sights: Vec<Sight> = agents.iter().map(|agent| self.sight(&[*agent])).collect();
        let mut classes: Vec<FxHashMap<Vec<u64>, Vec<Point>>> = vec![FxHashMap::default(); agents.len()];
        let mut number = 0;
        while let Some(other) = self.reach.point(number, &mut self.guide, budget)? {
            number += 1;
            if self.guide.speaks(other, &[], budget)? {
                for (class, mask) in classes.iter_mut().zip(&sights) {
                    class.entry(self.seen(other, mask)).or_default().push(other);
                }
            }
        }
        let mut parents: FxHashMap<Point, (Point, AgentId)> = FxHashMap::default();
        let mut queue = VecDeque::from([point]);
        while let Some(here) = queue.pop_front() {
            for ((class, mask), agent) in classes.iter_mut().zip(&sights).zip(agents) {
                // A class that was entered once has been entered whole.
                for other in class.remove(&self.seen(here, mask)).unwrap_or_default() {
                    if parents.contains_key(&other) {
                        continue;
                    }
                    parents.insert(other, (here, *agent));
                    if !self.guide.holds(body, other, budget)? {
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
