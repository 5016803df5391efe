//! Strategic ability with perfect information: the fixpoints of what a coalition controls.

use servanda_circuit::{Edge, Steps};
use servanda_engine::{Budget, Halt};
use servanda_lower::Goal;
use servanda_model::AgentId;

use crate::effort::Effort;
use crate::project::{satisfiable, some};
use crate::sat::Sat;

impl Sat<'_> {
    /// Where the group can bring about the goal. Strategies look at states, so what is remembered is left out.
    pub(crate) fn able(&mut self, group: &[AgentId], goal: &Goal, budget: &dyn Budget) -> Result<Edge, Halt> {
        if !self.fair.is_empty() {
            return Err(Halt::strategies_with_fairness());
        }
        if self.options.strategies.are_uniform() {
            return Err(Halt::uniform_strategies());
        }
        self.narrow(budget)?;
        match goal {
            Goal::Next(a) => {
                let a = self.goal(*a, budget)?;
                self.controls(group, a, budget)
            }
            Goal::Globally(a) => {
                let mut stays = self.goal(*a, budget)?;
                loop {
                    let again = self.controls(group, stays, budget)?;
                    let again = self.system.graph.and(stays, again);
                    if self.within(stays, again, budget)? {
                        return Ok(stays);
                    }
                    stays = again;
                }
            }
            Goal::Until(a, b) => {
                let (a, mut wins) = (self.goal(*a, budget)?, self.goal(*b, budget)?);
                loop {
                    let again = self.controls(group, wins, budget)?;
                    let again = self.system.graph.and(a, again);
                    let again = self.system.graph.or(wins, again);
                    if self.within(again, wins, budget)? {
                        return Ok(wins);
                    }
                    wins = again;
                }
            }
        }
    }

    fn goal(&mut self, id: servanda_lower::StateFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        let set = self.evaluate(id, budget)?;
        Ok(self.forget(set))
    }

    /// Is one set part of another?
    fn within(&mut self, a: Edge, b: Edge, budget: &dyn Budget) -> Result<bool, Halt> {
        let care = self.care();
        let outside = self.system.graph.without(a, b);
        let outside = self.system.graph.and(outside, care);
        Ok(!satisfiable(&self.system.graph, outside, &Effort::new(budget, &self.calls))?)
    }

    /// Where the group can make sure that the next state is in the set.
    fn controls(&mut self, group: &[AgentId], set: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        let controlled = match self.system.steps.clone() {
            Steps::Commands(commands) => {
                let mut safe = Vec::new();
                let mut possible = Vec::new();
                let mut members = vec![(Vec::new(), Vec::new()); group.len()];
                for command in &commands {
                    let map =
                        command.changes.iter().map(|(bit, value)| (self.base.state[*bit].node(), *value));
                    let graph = &mut self.system.graph;
                    let arrives = graph.substitute(&[set], &map.collect())[0];
                    let into = graph.and(command.enabled, arrives);
                    possible.push(command.enabled);
                    match group.iter().position(|agent| command.by == Some(*agent)) {
                        Some(member) => {
                            members[member].0.push(command.enabled);
                            members[member].1.push(into);
                        }
                        None => safe.push(graph.implies(command.enabled, into)),
                    }
                }
                let graph = &mut self.system.graph;
                for (enabled, into) in members {
                    let (enabled, into) = (graph.any(&enabled), graph.any(&into));
                    safe.push(graph.implies(enabled, into));
                }
                safe.push(graph.any(&possible));
                graph.all(&safe)
            }
            Steps::Rounds(_) => self.controls_round(group, set, budget)?,
        };
        // In a deadlock that is continued the state stays.
        let graph = &mut self.system.graph;
        Ok(graph.choose(self.system.loops, set, controlled))
    }

    /// The same where all agents act together: some actions of the group such that whatever else happens leads into the
    /// set.
    fn controls_round(&mut self, group: &[AgentId], set: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        let own: Vec<Edge> =
            group.iter().flat_map(|agent| self.system.encoding.action(*agent).to_vec()).collect();
        let mut kept = self.base.state.clone();
        kept.extend(own);
        let care = self.care();
        let effort = Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let steps = graph.without(self.base.valid, self.system.loops);
        let next = self.base.at_next(graph, set);
        let out = graph.without(steps, next);
        let enabled = some(graph, steps, &kept, care, &effort)?;
        let escapes = some(graph, out, &kept, care, &effort)?;
        let won = graph.without(enabled, escapes);
        some(graph, won, &self.base.state, care, &effort)
    }
}
