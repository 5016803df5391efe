//! Rounds as a circuit: the choices are the joint action, and which enabled line each block takes.

use servanda_algebra::Guarded;
use servanda_engine::{Budget, Halt};
use servanda_model::{AgentProgram, Block};

use crate::system::heed;
use crate::{Edge, Fallible, Steps, System};

impl System<'_> {
    pub(crate) fn add_rounds(&mut self, programs: &[AgentProgram], budget: &dyn Budget) -> Result<(), Halt> {
        for (agent, _) in self.encoding.model.agents() {
            let row = self.add_choice(self.encoding.action_width(agent));
            self.encoding.set_action(agent, row);
        }
        self.next = self.encoding.state.clone();
        for (bit, in_force) in self.encoding.in_force_after_round(&mut self.graph)? {
            self.next[bit] = in_force;
        }
        let (mut permitted, mut some_action) = (Vec::new(), Vec::new());
        let (mut moves, mut loses) = (Vec::new(), Vec::new());
        for ((agent, _), program) in self.encoding.model.agents().zip(programs) {
            heed(budget, &self.graph)?;
            let protocol = self.encoding.protocol(&mut self.graph, agent, program)?;
            permitted.push(protocol.permitted);
            some_action.push(self.graph.any(&protocol.some_action));
            for block in &program.evolution {
                moves.push(self.evolution(block, &mut loses)?);
            }
        }
        let permitted = self.graph.all(&permitted);
        let some_action = self.graph.all(&some_action);
        let loses = self.graph.any(&loses);
        let moves = self.graph.all(&moves);
        self.valid = self.graph.and(permitted, moves);
        self.steps = Steps::Rounds(Fallible { some_action, permitted, loses });
        Ok(())
    }

    /// Sets the next bits of a block's variables; gives where the chosen line leads somewhere.
    fn evolution(&mut self, block: &Block, loses: &mut Vec<Edge>) -> Result<Edge, Halt> {
        let pick = self.add_pick(block.lines.len());
        let (mut enabled, mut moves) = (Vec::new(), Vec::new());
        let mut taken_lines: Vec<(Edge, Vec<(usize, Edge)>)> = Vec::new();
        for (number, line) in block.lines.iter().enumerate() {
            let Guarded { holds, fits, changes, .. } = self.encoding.line(&mut self.graph, line)?;
            let fits = self.graph.all(&fits);
            loses.push(self.graph.without(holds, fits));
            enabled.push(holds);
            let picked = self.spells(&pick, number)?;
            let taken = self.graph.and(picked, holds);
            moves.push(self.graph.and(taken, fits));
            taken_lines.push((taken, changes));
        }
        moves.push(!self.graph.any(&enabled));
        for variable in &block.variables {
            for bit in self.encoding.variable_bits(*variable) {
                let (mut changed, mut becomes) = (Vec::new(), Vec::new());
                for (taken, changes) in &taken_lines {
                    if let Some((_, value)) = changes.iter().rev().find(|(at, _)| at == bit) {
                        changed.push(*taken);
                        becomes.push(self.graph.and(*taken, *value));
                    }
                }
                let changed = self.graph.any(&changed);
                becomes.push(self.graph.without(self.encoding.state[*bit], changed));
                self.next[*bit] = self.graph.any(&becomes);
            }
        }
        Ok(self.graph.any(&moves))
    }
}
