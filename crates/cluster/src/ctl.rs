//! The operators of CTL without fairness: fixpoints over the transitions as they are.

use servanda_lower::Ctl;

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::flood::Points;
use crate::product::members;

/// Points are states.
const STATES: Points = Points { marks: 1 };

impl Evaluation<'_, '_> {
    /// `E ψ` where ψ is this operator.
    ///
    /// # Errors
    ///
    /// As for evaluating.
    pub(crate) fn ctl(&mut self, operator: Ctl) -> Result<Vec<bool>, Trouble> {
        match operator {
            Ctl::Next(a) => {
                self.evaluate(a)?;
                let links = &self.graph.links;
                let mut found = vec![false; self.crew.shard.len() as usize];
                let queue = members(&self.truth[&a]);
                self.crew
                    .flood(links, STATES, queue, |slot, _, _| found[links.source(slot) as usize] = true)?;
                Ok(found)
            }
            Ctl::Until(a, b) => {
                self.evaluate(a)?;
                self.evaluate(b)?;
                let links = &self.graph.links;
                let (a, mut found) = (&self.truth[&a], self.truth[&b].clone());
                let queue = members(&found);
                self.crew.flood(links, STATES, queue, |slot, _, queue| {
                    let state = links.source(slot);
                    if a[state as usize] && !std::mem::replace(&mut found[state as usize], true) {
                        queue.push(state);
                    }
                })?;
                Ok(found)
            }
            // The greatest set of states in b that are in a or can stay in the set.
            Ctl::Release(a, b) => {
                self.evaluate(a)?;
                self.evaluate(b)?;
                let links = &self.graph.links;
                let (a, mut set) = (&self.truth[&a], self.truth[&b].clone());
                let mut ways = vec![0_u32; set.len()];
                let queue = members(&set);
                self.crew.flood(links, STATES, queue, |slot, _, _| ways[links.source(slot) as usize] += 1)?;
                let mut queue = Vec::new();
                for (state, ((member, a), ways)) in set.iter_mut().zip(a).zip(&ways).enumerate() {
                    if *member && !a && *ways == 0 {
                        *member = false;
                        queue.push(state as u32);
                    }
                }
                self.crew.flood(links, STATES, queue, |slot, _, queue| {
                    let state = links.source(slot) as usize;
                    ways[state] -= 1;
                    if ways[state] == 0 && !a[state] && std::mem::replace(&mut set[state], false) {
                        queue.push(state as u32);
                    }
                })?;
                Ok(set)
            }
        }
    }
}
