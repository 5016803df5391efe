//! A model without what is left out.

use std::sync::Arc;

use servanda_lower::Lowering;
use servanda_model::{
    AgentProgram, Behaviour, Block, Command, CommandId, CommitmentId, Domain, Effect, Expr, Field, Layout,
    Line, Model, Variable, VariableId,
};

use crate::cone::Cone;
use crate::slicer::Slicer;

/// The part of a model that a property depends on, as a model. Variables, labels, agents and commitments have the numbers they had.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The model.
    pub model: Model,
    cone: Cone,
    /// By variable the first of those that it is always equal to, where two are.
    firsts: Option<Arc<[VariableId]>>,
}

impl Slicer<'_> {
    /// Leaves out what is not in a cone.
    pub fn cut(&self, cone: &Cone) -> Slice {
        let mut model = self.model.clone();
        for (index, variable) in model.variables.iter_mut().enumerate() {
            if cone.places[index] {
                self.narrow(VariableId::from_index(index), variable);
            } else {
                freeze(variable);
            }
        }
        let all_kept = |read: &[u32]| read.iter().all(|place| cone.places[*place as usize]);
        let initial = self.initial.iter().filter(|(_, read)| all_kept(read));
        model.initial = Expr::and(initial.map(|(part, _)| part.clone()));
        model.behaviour = match &self.model.behaviour {
            Behaviour::Commands(_) => Behaviour::Commands(self.kept_commands(cone)),
            Behaviour::Rounds(programs) => {
                let program = |(program, active)| self.kept_program(cone, program, active);
                Behaviour::Rounds(programs.iter().zip(cone.actors.iter().copied()).map(program).collect())
            }
        };
        Slice { model, cone: cone.clone(), firsts: self.firsts.clone() }
    }

    /// Takes values from a number's domain that it never has, unless somebody might find out.
    fn narrow(&self, id: VariableId, variable: &mut Variable) {
        let writes = |command: &Command| command.updates.iter().any(|(to, _)| *to == id);
        let mut writers = self.commands.iter().zip(&self.footprints).filter(|(command, _)| writes(command));
        if matches!(variable.domain, Domain::Range { .. }) && !writers.any(|(_, own)| own.may_fault) {
            let (low, high) = self.bounds.of(id);
            variable.domain = Domain::Range { low, high };
        }
    }

    fn kept_commands(&self, cone: &Cone) -> Vec<Command> {
        let kept = (0..self.commands.len()).filter(|number| cone.commands[*number]);
        let mut commands: Vec<Command> = kept.map(|number| self.kept_command(cone, number)).collect();
        commands.extend(cone.idle.map(Command::new));
        commands
    }

    fn kept_command(&self, cone: &Cone, number: usize) -> Command {
        let command = &self.commands[number];
        let variables = self.model.variables.len();
        let in_force = |ids: &[CommitmentId]| {
            ids.iter().copied().filter(|id| cone.places[variables + id.index()]).collect()
        };
        let has_home = |machine: servanda_model::MachineId| {
            cone.places[self.model.machines[machine.index()].variable.index()]
        };
        Command {
            guard: self.guards[number].kept(|place| cone.places[place as usize]),
            updates: kept_updates(cone, &command.updates),
            effect: Effect { remove: in_force(&command.effect.remove), add: in_force(&command.effect.add) },
            home: command.home.filter(|(machine, _)| has_home(*machine)),
            ..command.clone()
        }
    }

    fn kept_program(&self, cone: &Cone, program: &AgentProgram, active: bool) -> AgentProgram {
        let line = |line: &Line| Line {
            guard: self.folded(&line.guard),
            updates: kept_updates(cone, &line.updates),
            ..line.clone()
        };
        let keeps = |block: &&Block| block.variables.iter().any(|variable| cone.places[variable.index()]);
        let block = |block: &Block| Block {
            variables: block.variables.iter().copied().filter(|v| cone.places[v.index()]).collect(),
            lines: block.lines.iter().map(line).collect(),
        };
        let evolution = program.evolution.iter().filter(keeps).map(block).collect();
        // Whatever it does makes no difference.
        let (permissions, otherwise) = match active {
            true => (program.permissions.clone(), program.otherwise.clone()),
            false => (Vec::new(), vec![0]),
        };
        AgentProgram { actions: program.actions.clone(), permissions, otherwise, evolution }
    }
}

fn kept_updates(cone: &Cone, updates: &[(VariableId, Expr)]) -> Vec<(VariableId, Expr)> {
    updates.iter().filter(|(variable, _)| cone.places[variable.index()]).cloned().collect()
}

/// Gives a variable one value, for good.
pub(crate) fn freeze(variable: &mut Variable) {
    variable.domain = Domain::Range { low: 0, high: 0 };
    variable.initial = vec![0];
}

/// How a state of the whole model is seen in a slice.
#[derive(Clone, Debug)]
pub struct Projection {
    fields: Vec<(Field, Field)>,
    words: usize,
}

impl Projection {
    /// The state of the slice that a state of the whole is.
    pub fn of(&self, state: &[u64]) -> Vec<u64> {
        let mut seen = vec![0; self.words];
        self.fields.iter().for_each(|(whole, own)| own.write(&mut seen, whole.read(state)));
        seen
    }
}

impl Slice {
    /// Formulas of the whole model as they are decided in the slice.
    pub fn formulas<'s, 'm: 's>(&'s self, whole: &Lowering<'m>) -> Lowering<'s> {
        whole.of_slice(&self.model).reading_first(self.firsts.as_ref())
    }

    /// How states of the whole model are seen in it.
    pub fn projection(&self, whole: &Layout) -> Projection {
        let own = Layout::new(&self.model);
        let variables = self.model.variables().map(|(id, _)| (whole.variable(id), own.variable(id)));
        let commitments = self.model.commitments().map(|(id, _)| (whole.commitment(id), own.commitment(id)));
        let fields = variables.chain(commitments).zip(&self.cone.places).filter(|(_, kept)| **kept);
        Projection { fields: fields.map(|(fields, _)| fields).collect(), words: own.words() }
    }

    /// For each agent, where they act in rounds: is what it does the same as in the whole model?
    pub fn actors(&self) -> &[bool] {
        &self.cone.actors
    }

    /// Is a command left out?
    pub fn leaves_out(&self, command: CommandId) -> bool {
        self.cone.commands.get(command.index()) == Some(&false)
    }

    /// The variables that are left out, by number.
    pub fn left_out_variables(&self) -> impl Iterator<Item = VariableId> {
        let kept = self.cone.places.iter().take(self.model.variables.len());
        kept.enumerate().filter(|(_, kept)| !**kept).map(|(index, _)| VariableId::from_index(index))
    }

    /// How many commitments are left out.
    pub fn left_out_commitments(&self) -> usize {
        self.cone.places.iter().skip(self.model.variables.len()).filter(|kept| !**kept).count()
    }

    /// How many commands are left out, of how many.
    pub fn left_out_commands(&self) -> (usize, usize) {
        (self.cone.commands.iter().filter(|kept| !**kept).count(), self.cone.commands.len())
    }
}
