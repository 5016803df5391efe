//! Successors of packed states by guarded commands.

mod step;

pub(crate) use step::Update;
use step::{FlatStep, Shared, Step};

use crate::program::Test;
use crate::{CommandId, FaultKind, Field, Layout, Model, VariableId};

/// With more commands than this it is faster to look only at those that leave the current control states.
const MOST_FLAT_STEPS: usize = 128;

/// A transition that cannot be made although its guard holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepFault {
    /// An assignment gives a variable a value outside its domain.
    OutOfRange {
        /// Which transition.
        command: CommandId,
        /// Which variable.
        variable: VariableId,
        /// The value it would get.
        value: i64,
    },
    /// A guard or an assigned expression has no value.
    NoValue {
        /// Which transition.
        command: CommandId,
        /// Why.
        kind: FaultKind,
    },
}

impl StepFault {
    /// The transition that cannot be made.
    pub fn command(&self) -> CommandId {
        match self {
            StepFault::OutOfRange { command, .. } | StepFault::NoValue { command, .. } => *command,
        }
    }

    /// Why it cannot be made, for users.
    pub fn reason(&self, model: &Model) -> String {
        match self {
            StepFault::OutOfRange { variable, value, .. } => {
                let variable = model.variable(*variable);
                let domain = variable.domain.describe();
                format!("`{}` is set to {value}, outside of its range {domain}", variable.name)
            }
            StepFault::NoValue { kind, .. } => kind.reason().to_owned(),
        }
    }
}

/// A command, and what must hold first of all.
#[derive(Clone, Copy)]
struct Gated {
    gate: Test,
    command: CommandId,
}

/// The commands of a model ready to run, with the scratch space they need.
pub(crate) struct Stepper {
    steps: Vec<Step>,
    /// For each machine its field and, by control state, the commands that leave it.
    homes: Vec<(Field, Vec<Vec<Gated>>)>,
    /// The commands that leave no particular control state.
    homeless: Vec<Gated>,
    /// The commands by number, where each is flat.
    flat: Option<Vec<FlatStep>>,
    /// The same in the order in which they are tried, where they are few; otherwise nothing.
    flat_in_order: Vec<FlatStep>,
    shared: Shared,
    next: Vec<u64>,
    stack: Vec<i64>,
}

impl Stepper {
    /// Compiles every command of the model.
    pub(crate) fn new(model: &Model, layout: &Layout) -> Self {
        let (shared, numbers) = Shared::new(model, layout);
        let compiled = model.commands().map(|(_, command)| Step::new(model, command, layout, &numbers));
        let (gates, steps): (Vec<Test>, Vec<Step>) = compiled.unzip();
        let mut homes: Vec<(Field, Vec<Vec<Gated>>)> = model
            .machines
            .iter()
            .map(|machine| {
                let locations = model.variable(machine.variable).domain.size() as usize;
                (layout.variable(machine.variable), vec![Vec::new(); locations])
            })
            .collect();
        let mut homeless = Vec::new();
        for (command, model_command) in model.commands() {
            let gated = Gated { gate: gates[command.index()], command };
            match model_command.home {
                Some((machine, location)) => homes[machine.index()].1[location as usize].push(gated),
                None => homeless.push(gated),
            }
        }
        let in_order =
            homes.iter().flat_map(|(_, by_location)| by_location.iter().flatten()).chain(&homeless);
        let by_number =
            model.commands().map(|(command, _)| steps[command.index()].flat(gates[command.index()], command));
        let flat = if layout.words() == 1 { by_number.collect::<Option<Vec<FlatStep>>>() } else { None };
        let flat_in_order = match &flat {
            Some(flat) if flat.len() <= MOST_FLAT_STEPS => {
                in_order.map(|gated| flat[gated.command.index()]).collect()
            }
            _ => Vec::new(),
        };
        let next = vec![0; layout.words()];
        Stepper { steps, homes, homeless, flat, flat_in_order, shared, next, stack: Vec::new() }
    }

    /// Calls `visit` with every transition of `state` and the state it leads to, machine by machine, in the order
    /// of declaration. Stops at the first transition that cannot be made.
    #[inline]
    pub(crate) fn for_each_successor(
        &mut self,
        state: &[u64],
        mut visit: impl FnMut(CommandId, &[u64]),
    ) -> Result<(), StepFault> {
        if let (Some(flat), [word]) = (&self.flat, state) {
            let mut run = |step: &FlatStep| {
                if word & step.mask == step.code {
                    visit(step.command, &[word & !step.clear | step.set]);
                }
            };
            if flat.len() <= MOST_FLAT_STEPS {
                self.flat_in_order.iter().for_each(run);
                return Ok(());
            }
            for (field, by_location) in &self.homes {
                let gated = by_location[field.read(state) as usize].iter();
                gated.for_each(|gated| run(&flat[gated.command.index()]));
            }
            self.homeless.iter().for_each(|gated| run(&flat[gated.command.index()]));
            return Ok(());
        }
        self.shared.clock += 1;
        let (shared, next, stack) = (&mut self.shared, &mut self.next, &mut self.stack);
        let mut run = |gated: &Gated| {
            let id = gated.command;
            if gated.gate.holds(state) && self.steps[id.index()].run(id, state, shared, next, stack)? {
                visit(id, next);
            }
            Ok(())
        };
        for (field, by_location) in &self.homes {
            by_location[field.read(state) as usize].iter().try_for_each(&mut run)?;
        }
        self.homeless.iter().try_for_each(run)
    }

    /// As [`Stepper::for_each_successor`], but a transition that cannot be made is none: the rule for states that
    /// are not reachable (docs/formulas.md section 6, `--past all`).
    pub(crate) fn for_each_possible_successor(
        &mut self,
        state: &[u64],
        mut visit: impl FnMut(CommandId, &[u64]),
    ) {
        self.shared.clock += 1;
        let (shared, next, stack) = (&mut self.shared, &mut self.next, &mut self.stack);
        let by_home = self.homes.iter().flat_map(|(_, by_location)| by_location.iter().flatten());
        let mut all: Vec<Gated> = by_home.chain(&self.homeless).copied().collect();
        all.sort_unstable_by_key(|gated| gated.command);
        for Gated { gate, command } in all {
            let step = &self.steps[command.index()];
            if gate.holds(state) && step.run(command, state, shared, next, stack) == Ok(true) {
                visit(command, next);
            }
        }
    }
}
