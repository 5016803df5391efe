//! Successors of packed states.

use crate::{
    Command, CommandId, Comparison, Expr, FaultKind, Field, InitialStates, Layout, Model, Program, VariableId,
};

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

/// Part of a guard decided by one masked comparison of a word.
#[derive(Clone, Copy)]
struct WordTest {
    word: usize,
    mask: u64,
    code: u64,
}

/// A command ready to run.
#[derive(Clone)]
struct Step {
    tests: Vec<WordTest>,
    guard: Option<Program>,
    updates: Vec<Update>,
    remove: Vec<Field>,
    add: Vec<Field>,
}

#[derive(Clone)]
struct Update {
    variable: VariableId,
    field: Field,
    low: i64,
    high: i64,
    value: Program,
}

/// Enumerates initial states and successors. Cloning it gives another thread its own scratch space.
#[derive(Clone)]
pub struct Stepper<'m> {
    model: &'m Model,
    layout: Layout,
    steps: Vec<Step>,
    /// For each machine its field and, by control state, the commands that leave it.
    homes: Vec<(Field, Vec<Vec<CommandId>>)>,
    /// The commands that leave no particular control state.
    homeless: Vec<CommandId>,
    next: Vec<u64>,
    stack: Vec<i64>,
}

impl<'m> Stepper<'m> {
    /// Compiles every command of the model.
    pub fn new(model: &'m Model) -> Self {
        let layout = Layout::new(model);
        let steps = model.commands.iter().map(|command| Step::new(model, command, &layout)).collect();
        let mut homes: Vec<(Field, Vec<Vec<CommandId>>)> = model
            .machines
            .iter()
            .map(|machine| {
                let locations = model.variable(machine.variable).domain.size() as usize;
                (layout.variable(machine.variable), vec![Vec::new(); locations])
            })
            .collect();
        let mut homeless = Vec::new();
        for (id, command) in model.commands() {
            match command.home {
                Some((machine, location)) => homes[machine.index()].1[location as usize].push(id),
                None => homeless.push(id),
            }
        }
        let next = vec![0; layout.words()];
        Stepper { model, layout, steps, homes, homeless, next, stack: Vec::new() }
    }

    /// The model it was made from.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How its states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All initial states.
    pub fn initial_states(&self) -> InitialStates<'m> {
        InitialStates::new(self.model, &self.layout)
    }

    /// Calls `visit` with every transition of `state` and the state it leads to, machine by machine, in the order
    /// of declaration. Stops at the first transition that cannot be made.
    pub fn for_each_successor(
        &mut self,
        state: &[u64],
        mut visit: impl FnMut(CommandId, &[u64]),
    ) -> Result<(), StepFault> {
        for (field, by_location) in &self.homes {
            for &id in &by_location[field.read(state) as usize] {
                if self.steps[id.index()].run(id, state, &mut self.next, &mut self.stack)? {
                    visit(id, &self.next);
                }
            }
        }
        for &id in &self.homeless {
            if self.steps[id.index()].run(id, state, &mut self.next, &mut self.stack)? {
                visit(id, &self.next);
            }
        }
        Ok(())
    }

    /// As [`Stepper::for_each_successor`], but a transition that cannot be made is none: the rule for states that
    /// are not reachable (docs/formulas.md section 6, `--past all`).
    pub fn for_each_possible_successor(&mut self, state: &[u64], mut visit: impl FnMut(CommandId, &[u64])) {
        for index in 0..self.steps.len() {
            let id = CommandId::from_index(index);
            if self.steps[index].run(id, state, &mut self.next, &mut self.stack) == Ok(true) {
                visit(id, &self.next);
            }
        }
    }
}

impl Step {
    fn new(model: &Model, command: &Command, layout: &Layout) -> Self {
        let conjuncts = match &command.guard {
            Expr::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        // Only a leading run of simple tests is taken out: a later one may protect what stands before it from
        // nothing, but an earlier test may protect a later division from a zero.
        let simple = conjuncts.iter().map_while(|part| WordTest::new(model, part, layout));
        let mut tests: Vec<WordTest> = Vec::new();
        let mut taken = 0;
        for test in simple {
            taken += 1;
            match tests.iter_mut().find(|other| other.word == test.word && other.mask & test.mask == 0) {
                Some(other) => {
                    other.mask |= test.mask;
                    other.code |= test.code;
                }
                None => tests.push(test),
            }
        }
        let rest = Expr::and(conjuncts[taken..].iter().cloned());
        let guard = (rest != Expr::TRUE).then(|| Program::new(&rest, layout));
        let updates = command
            .updates
            .iter()
            .map(|(variable, value)| {
                let domain = &model.variable(*variable).domain;
                let (low, high) = (domain.low(), domain.high());
                let field = layout.variable(*variable);
                Update { variable: *variable, field, low, high, value: Program::new(value, layout) }
            })
            .collect();
        let fields = |ids: &[crate::CommitmentId]| ids.iter().map(|id| layout.commitment(*id)).collect();
        Step {
            tests,
            guard,
            updates,
            remove: fields(&command.effect.remove),
            add: fields(&command.effect.add),
        }
    }

    /// Writes the successor to `next` and says whether there is one.
    fn run(
        &self,
        command: CommandId,
        state: &[u64],
        next: &mut [u64],
        stack: &mut Vec<i64>,
    ) -> Result<bool, StepFault> {
        if !self.tests.iter().all(|test| state[test.word] & test.mask == test.code) {
            return Ok(false);
        }
        let no_value = |kind| StepFault::NoValue { command, kind };
        if let Some(guard) = &self.guard
            && !guard.holds(state, stack).map_err(no_value)?
        {
            return Ok(false);
        }
        next.copy_from_slice(state);
        for update in &self.updates {
            let value = update.value.evaluate(state, stack).map_err(no_value)?;
            if value < update.low || value > update.high {
                return Err(StepFault::OutOfRange { command, variable: update.variable, value });
            }
            update.field.write(next, value);
        }
        for field in &self.remove {
            field.write(next, 0);
        }
        for field in &self.add {
            field.write(next, 1);
        }
        Ok(true)
    }
}

impl WordTest {
    /// `variable = constant`, a boolean variable or its negation.
    fn new(model: &Model, part: &Expr, layout: &Layout) -> Option<Self> {
        let (variable, value) = match part {
            Expr::Variable(variable) => (*variable, 1),
            Expr::Not(inner) => match **inner {
                Expr::Variable(variable) => (variable, 0),
                _ => return None,
            },
            Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
                (Expr::Variable(variable), Expr::Constant(value))
                | (Expr::Constant(value), Expr::Variable(variable)) => (*variable, *value),
                _ => return None,
            },
            _ => return None,
        };
        if !model.variable(variable).domain.contains(value) {
            return None;
        }
        let field = layout.variable(variable);
        Some(WordTest { word: field.word(), mask: field.bits_in_word(), code: field.code_in_word(value) })
    }
}
