//! u32s that are not told apart, found by visiting the nearest first.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Relation, StateFormula};
use servanda_model::{AgentId, Sight};

use crate::on_the_fly::OnTheFly;
use crate::scout::{Scout as _, Steps, groups};

impl OnTheFly<'_> {
    fn sight(&self, agents: &[AgentId]) -> Sight {
        self.layout().sight(self.evaluation.space.model, agents)
    }

    fn seen(&self, point: u32, sight: &Sight) -> Vec<u64> {
        sight.of(self.state(point))
    }

    /// The nearest point that is not told from this one and where the body fails.
    pub(crate) fn nearest_doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: u32,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<u32>>, Halt> {
        if let Relation::Common(agents) = relation {
            return self.common_doubt(agents, body, point, budget);
        }
        let groups = groups(relation);
        let sights: Vec<Sight> = groups.iter().map(|agents| self.sight(agents)).collect();
        let here: Vec<Vec<u64>> = sights.iter().map(|sight| self.seen(point, sight)).collect();
        self.nearest(budget, |this, other| {
            let same = (0..groups.len()).find(|k| this.seen(other, &sights[*k]) == here[*k]);
            let Some(k) = same else { return Ok(None) };
            let fails = this.speaks(other, correct, budget)? && !this.holds(body, other, budget)?;
            Ok(fails.then(|| vec![(groups[k].clone(), other)]))
        })
    }

    /// The same over several steps, each of which somebody cannot tell.
    fn common_doubt(
        &mut self,
        agents: &[AgentId],
        body: StateFormula,
        point: u32,
        budget: &dyn Budget,
    ) -> Result<Option<Steps<u32>>, Halt> {
        let sights: Vec<Sight> = agents.iter().map(|agent| self.sight(&[*agent])).collect();
        let mut classes: Vec<FxHashMap<Vec<u64>, Vec<u32>>> = vec![FxHashMap::default(); agents.len()];
        self.nearest(budget, |this, other| {
            if this.speaks(other, &[], budget)? {
                for (class, sight) in classes.iter_mut().zip(&sights) {
                    class.entry(this.seen(other, sight)).or_default().push(other);
                }
            }
            Ok(None::<()>)
        })?;
        let mut parents: FxHashMap<u32, (u32, AgentId)> = FxHashMap::default();
        let mut queue = VecDeque::from([point]);
        while let Some(here) = queue.pop_front() {
            for ((class, mask), agent) in classes.iter_mut().zip(&sights).zip(agents) {
                // A class that was entered once has been entered whole.
                for other in class.remove(&self.seen(here, mask)).unwrap_or_default() {
                    if parents.contains_key(&other) {
                        continue;
                    }
                    parents.insert(other, (here, *agent));
                    if !self.holds(body, other, budget)? {
                        return Ok(Some(steps_to(&parents, point, other)));
                    }
                    queue.push_back(other);
                }
            }
        }
        Ok(None)
    }
}

fn steps_to(parents: &FxHashMap<u32, (u32, AgentId)>, from: u32, to: u32) -> Steps<u32> {
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
