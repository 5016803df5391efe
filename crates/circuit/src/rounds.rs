//! Rounds as a circuit: the choices are the joint action, and which enabled line each block takes.

use servanda_model::{AgentId, AgentProgram, Block};

use crate::{Edge, Fallible, Steps, System, TooWide};

impl System<'_> {
    pub(crate) fn add_rounds(&mut self, programs: &[AgentProgram]) -> Result<(), TooWide> {
        self.add_actions(programs.iter().map(|program| program.actions.len().max(1)));
        self.next = self.state.clone();
        let (mut permitted, mut some_action) = (Vec::new(), Vec::new());
        let (mut moves, mut loses) = (Vec::new(), Vec::new());
        for (index, program) in programs.iter().enumerate() {
            let (may, some) = self.protocol(AgentId::from_index(index), program)?;
            permitted.push(may);
            some_action.push(some);
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

    /// The agent's action is permitted; and some action is.
    fn protocol(&mut self, agent: AgentId, program: &AgentProgram) -> Result<(Edge, Edge), TooWide> {
        let row = self.action_edges(agent).to_vec();
        let mut may = Vec::new();
        let mut some = Vec::new();
        let mut applies = Vec::new();
        for permission in &program.permissions {
            let condition = self.truth(&permission.condition)?;
            // A condition without a value does not hold.
            let holds = self.graph.and(condition.value, condition.defined);
            applies.push(holds);
            let actions = self.one_of(&row, &permission.actions);
            may.push(self.graph.and(holds, actions));
            if !permission.actions.is_empty() {
                some.push(holds);
            }
        }
        let none = !self.graph.any(&applies);
        let otherwise = self.one_of(&row, &program.otherwise);
        may.push(self.graph.and(none, otherwise));
        if !program.otherwise.is_empty() {
            some.push(none);
        }
        Ok((self.graph.any(&may), self.graph.any(&some)))
    }

    fn one_of(&mut self, row: &[Edge], actions: &[usize]) -> Edge {
        let spelt: Vec<Edge> = actions.iter().map(|action| self.graph.spells(row, *action as u64)).collect();
        self.graph.any(&spelt)
    }

    /// Sets the next bits of a block's variables; gives where the chosen line leads somewhere.
    fn evolution(&mut self, block: &Block, loses: &mut Vec<Edge>) -> Result<Edge, TooWide> {
        let pick = self.add_pick(block.lines.len());
        let mut enabled_lines = Vec::new();
        let mut moves = Vec::new();
        let mut chosen_lines: Vec<(Edge, Vec<(usize, Edge)>)> = Vec::new();
        for (number, line) in block.lines.iter().enumerate() {
            let guard = self.truth(&line.guard)?;
            let enabled = self.graph.and(guard.value, guard.defined);
            let exists = self.truth(&line.defined)?;
            let mut fits = self.graph.and(exists.value, exists.defined);
            let mut changes = Vec::new();
            for (variable, value) in &line.updates {
                let assigned = self.assigned(*variable, value)?;
                fits = self.graph.and(fits, assigned.defined);
                changes.extend(assigned.value);
            }
            let lost = self.graph.without(enabled, fits);
            loses.push(lost);
            enabled_lines.push(enabled);
            let picked = self.graph.spells(&pick, number as u64);
            let taken = self.graph.and(picked, enabled);
            moves.push(self.graph.and(taken, fits));
            chosen_lines.push((taken, changes));
        }
        let none = !self.graph.any(&enabled_lines);
        moves.push(none);
        for variable in &block.variables {
            for bit in self.variable_bits(*variable).to_vec() {
                let mut changed = Vec::new();
                let mut becomes = Vec::new();
                for (taken, changes) in &chosen_lines {
                    if let Some((_, value)) = changes.iter().rev().find(|(at, _)| *at == bit) {
                        changed.push(*taken);
                        becomes.push(self.graph.and(*taken, *value));
                    }
                }
                let changed = self.graph.any(&changed);
                becomes.push(self.graph.without(self.state[bit], changed));
                self.next[bit] = self.graph.any(&becomes);
            }
        }
        Ok(self.graph.any(&moves))
    }
}
