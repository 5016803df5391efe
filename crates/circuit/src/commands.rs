//! Guarded commands as a circuit: the choices spell the number of a command.

use rustc_hash::FxHashMap;
use servanda_algebra::Guarded;
use servanda_engine::{Budget, Halt};

use crate::system::heed;
use crate::{Chosen, Edge, Steps, System};

impl System<'_> {
    pub(crate) fn add_commands(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let model = self.encoding.model;
        let pick = self.add_pick(model.behaviour.commands().len());
        let mut commands = Vec::with_capacity(model.behaviour.commands().len());
        for (id, command) in model.commands() {
            heed(budget, &self.graph)?;
            let Guarded { defined, holds, fits, changes } =
                self.encoding.command(&mut self.graph, command)?;
            let fits = self.graph.all(&fits);
            let misfits = self.graph.without(holds, fits);
            let states = self.graph.or(!defined, misfits);
            if states != Edge::FALSE {
                self.faults.push(states);
            }
            let enabled = self.graph.and(holds, fits);
            let chosen = self.spells(&pick, id.index())?;
            commands.push(Chosen { label: command.label, by: command.by, enabled, chosen, changes });
        }
        let possible: Vec<Edge> =
            commands.iter().map(|command| self.graph.and(command.chosen, command.enabled)).collect();
        self.valid = self.graph.any(&possible);
        self.next = self.next_bits(&commands, budget)?;
        self.steps = Steps::Commands(commands);
        Ok(())
    }

    /// Each bit becomes what the chosen command says, or stays.
    fn next_bits(&mut self, commands: &[Chosen], budget: &dyn Budget) -> Result<Vec<Edge>, Halt> {
        let mut changed_by: Vec<FxHashMap<Edge, Vec<Edge>>> =
            vec![FxHashMap::default(); self.encoding.state.len()];
        for (at, command) in commands.iter().enumerate() {
            if at.is_multiple_of(4096) {
                heed(budget, &self.graph)?;
            }
            for (bit, value) in &command.changes {
                changed_by[*bit].entry(*value).or_default().push(command.chosen);
            }
        }
        let mut next = Vec::with_capacity(self.encoding.state.len());
        for (bit, changes) in changed_by.into_iter().enumerate() {
            heed(budget, &self.graph)?;
            let mut by_value: Vec<(Edge, Vec<Edge>)> = changes.into_iter().collect();
            // The order of a hash table must not decide how a circuit looks.
            by_value.sort_unstable();
            let mut changed = Vec::new();
            let mut becomes = Vec::new();
            for (value, by) in by_value {
                let some = self.graph.any(&by);
                changed.push(some);
                becomes.push(self.graph.and(some, value));
            }
            let changed = self.graph.any(&changed);
            let keeps = self.graph.without(self.encoding.state[bit], changed);
            becomes.push(keeps);
            next.push(self.graph.any(&becomes));
        }
        Ok(next)
    }

    /// The states without a step, where no quantification is needed to say which; commands only.
    pub fn no_command(&mut self) -> Option<Edge> {
        let Steps::Commands(commands) = &self.steps else { return None };
        let enabled: Vec<Edge> = commands.iter().map(|command| command.enabled).collect();
        Some(!self.graph.any(&enabled))
    }
}
