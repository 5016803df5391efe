//! Strategic ability with perfect information: the fixpoints of what a coalition controls.

use oxidd::VarNo;
use servanda_engine::{Budget, Halt};
use servanda_lower::Goal;
use servanda_model::AgentId;

use crate::diagrams::{Bdd, Operations};
use crate::relation::Part;
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// Where the group can bring about the goal. Strategies look at states, so what is remembered is left out.
    pub(crate) fn able(&mut self, group: &[AgentId], goal: &Goal, budget: &dyn Budget) -> Result<Bdd, Halt> {
        if !self.fair.is_empty() {
            return Err(Halt::strategies_with_fairness());
        }
        if self.options.strategies.are_uniform() {
            return Err(Halt::uniform_strategies());
        }
        let able = match goal {
            Goal::Next(a) => {
                let a = self.evaluate(*a, budget)?;
                let a = self.states_of(&a)?;
                self.controls(group, &a)?
            }
            Goal::Globally(a) => {
                let a = self.evaluate(*a, budget)?;
                let mut stays = self.states_of(&a)?;
                loop {
                    self.poll(budget)?;
                    let again = stays.both(&self.controls(group, &stays)?)?;
                    if again == stays {
                        break stays;
                    }
                    stays = again;
                }
            }
            Goal::Until(a, b) => {
                let (a, b) = (self.evaluate(*a, budget)?, self.evaluate(*b, budget)?);
                let (a, mut wins) = (self.states_of(&a)?, self.states_of(&b)?);
                loop {
                    self.poll(budget)?;
                    let again = wins.either(&a.both(&self.controls(group, &wins)?)?)?;
                    if again == wins {
                        break wins;
                    }
                    wins = again;
                }
            }
        };
        able.both(&self.universe)
    }

    /// Where the coalition sees to it that the next state is in the set.
    fn controls(&self, group: &[AgentId], set: &Bdd) -> Result<Bdd, Halt> {
        let everywhere = self.encoding.diagrams.truth();
        let mut possible = self.encoding.diagrams.falsity();
        let mut safe = self.encoding.diagrams.truth();
        let mut members: Vec<(Bdd, Bdd)> =
            vec![(self.encoding.diagrams.falsity(), self.encoding.diagrams.falsity()); group.len()];
        for part in &self.parts {
            if part.is_round() {
                let (enabled, won) = self.controls_round(group, part, set)?;
                possible = possible.either(&enabled)?;
                safe = safe.without(&enabled.without(&won)?)?;
                continue;
            }
            let (enabled, into) = (part.preimage(&everywhere)?, part.preimage(set)?);
            possible = possible.either(&enabled)?;
            match group.iter().position(|agent| part.agent == Some(*agent)) {
                Some(member) => {
                    members[member].0 = members[member].0.either(&enabled)?;
                    members[member].1 = members[member].1.either(&into)?;
                }
                // Each part leads to one state, so what does not lead into the set leads out of it.
                None => safe = safe.without(&enabled.without(&into)?)?,
            }
        }
        for (enabled, into) in members {
            safe = safe.without(&enabled.without(&into)?)?;
        }
        safe.both(&possible)?.some(&self.recalled_bits()?)
    }

    /// Where a round is possible, and where the coalition can fix its part of it so that it leads into the set.
    fn controls_round(&self, group: &[AgentId], part: &Part, set: &Bdd) -> Result<(Bdd, Bdd), Halt> {
        let variables = |member: bool| -> Vec<VarNo> {
            let agents = self.encoding.model.agents().map(|(id, _)| id);
            let chosen = agents.filter(|id| group.contains(id) == member);
            chosen.flat_map(|id| self.encoding.action_variables(id).to_vec()).collect()
        };
        let own = self.encoding.diagrams.cube(variables(true))?;
        let others = self.encoding.diagrams.cube(variables(false))?;
        let enabled = part.preimage_with_actions(&self.encoding.diagrams.truth())?.some(&others)?;
        let escapes = part.preimage_with_actions(&set.complement()?)?.some(&others)?;
        Ok((enabled.some(&own)?, enabled.without(&escapes)?.some(&own)?))
    }
}
