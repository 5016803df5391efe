//! u32s that are not told apart, found by visiting the nearest first.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::StateFormula;
use servanda_model::{AgentId, Sight};

use crate::on_the_fly::OnTheFly;
use crate::scout::{Scout as _, Steps};

impl OnTheFly<'_, '_> {
    pub(crate) fn sight(&self, agents: &[AgentId]) -> Sight {
        self.layout().sight(self.evaluation.space.model, agents)
    }

    pub(crate) fn seen(&self, point: u32, sight: &Sight) -> Vec<u64> {
        sight.of(self.state(point))
    }

    /// The nearest point where the body fails over several steps, each of which somebody cannot tell.
    pub(crate) fn common_doubt(
        &mut self,
        agents: &[AgentId],
        body: StateFormula,
        point: u32,
    ) -> Result<Option<Steps<u32>>, Halt> {
        let sights: Vec<Sight> = agents.iter().map(|agent| self.sight(&[*agent])).collect();
        let mut classes: Vec<FxHashMap<Vec<u64>, Vec<u32>>> = vec![FxHashMap::default(); agents.len()];
        self.nearest(|this, other| {
            if this.speaks(other, &[])? {
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
                    if !self.holds(body, other)? {
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
