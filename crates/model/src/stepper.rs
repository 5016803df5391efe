//! Successors of packed states by guarded commands.

use crate::{Command, CommandId, Comparison, Expr, FaultKind, Field, Layout, Model, Program, VariableId};

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

/// Part of a guard decided by one masked comparison of a word.
#[derive(Clone, Copy)]
struct WordTest {
    word: usize,
    mask: u64,
    code: u64,
}

/// Bits of one word that are cleared, and then some of them set.
#[derive(Clone, Copy)]
struct WordChange {
    word: usize,
    clear: u64,
    set: u64,
}

/// A command ready to run.
struct Step {
    tests: Vec<WordTest>,
    guard: Option<Program>,
    /// What does not depend on the old state: constants that are assigned, commitments that come and go.
    changes: Vec<WordChange>,
    updates: Vec<Update>,
}

/// A command that is one test and one change of the only word of a state.
#[derive(Clone, Copy)]
struct FlatStep {
    mask: u64,
    code: u64,
    clear: u64,
    set: u64,
    command: CommandId,
}

/// An assignment ready to run.
pub(crate) struct Update {
    variable: VariableId,
    field: Field,
    low: i64,
    high: i64,
    value: Program,
}

impl Update {
    pub(crate) fn new(model: &Model, variable: VariableId, value: &Expr, layout: &Layout) -> Self {
        let domain = &model.variable(variable).domain;
        let (low, high) = (domain.low(), domain.high());
        Update { variable, field: layout.variable(variable), low, high, value: Program::new(value, layout) }
    }

    /// The field and the value it gets; `Ok(Err(value))` where the value does not fit.
    #[inline]
    pub(crate) fn value(
        &self,
        row: &[u64],
        stack: &mut Vec<i64>,
    ) -> Result<Result<(Field, i64), i64>, FaultKind> {
        let value = self.value.evaluate(row, stack)?;
        Ok(if self.low <= value && value <= self.high { Ok((self.field, value)) } else { Err(value) })
    }
}

/// The commands of a model ready to run, with the scratch space they need.
pub(crate) struct Stepper {
    steps: Vec<Step>,
    /// For each machine its field and, by control state, the commands that leave it.
    homes: Vec<(Field, Vec<Vec<CommandId>>)>,
    /// The commands that leave no particular control state.
    homeless: Vec<CommandId>,
    /// The commands by number, where each is flat.
    flat: Option<Vec<FlatStep>>,
    /// The same in the order in which they are tried, where they are few; otherwise nothing.
    flat_in_order: Vec<FlatStep>,
    next: Vec<u64>,
    stack: Vec<i64>,
}

impl Stepper {
    /// Compiles every command of the model.
    pub(crate) fn new(model: &Model, layout: &Layout) -> Self {
        let steps: Vec<Step> =
            model.commands().map(|(_, command)| Step::new(model, command, layout)).collect();
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
        let in_order =
            homes.iter().flat_map(|(_, by_location)| by_location.iter().flatten()).chain(&homeless);
        let by_number = model.commands().map(|(id, _)| steps[id.index()].flat(id));
        let flat = if layout.words() == 1 { by_number.collect::<Option<Vec<FlatStep>>>() } else { None };
        let flat_in_order = match &flat {
            Some(flat) if flat.len() <= MOST_FLAT_STEPS => in_order.map(|id| flat[id.index()]).collect(),
            _ => Vec::new(),
        };
        let next = vec![0; layout.words()];
        Stepper { steps, homes, homeless, flat, flat_in_order, next, stack: Vec::new() }
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
                by_location[field.read(state) as usize].iter().for_each(|id| run(&flat[id.index()]));
            }
            self.homeless.iter().for_each(|id| run(&flat[id.index()]));
            return Ok(());
        }
        let mut run = |id: CommandId| {
            if self.steps[id.index()].run(id, state, &mut self.next, &mut self.stack)? {
                visit(id, &self.next);
            }
            Ok(())
        };
        for (field, by_location) in &self.homes {
            by_location[field.read(state) as usize].iter().try_for_each(|id| run(*id))?;
        }
        self.homeless.iter().try_for_each(|id| run(*id))
    }

    /// As [`Stepper::for_each_successor`], but a transition that cannot be made is none: the rule for states that
    /// are not reachable (docs/formulas.md section 6, `--past all`).
    pub(crate) fn for_each_possible_successor(
        &mut self,
        state: &[u64],
        mut visit: impl FnMut(CommandId, &[u64]),
    ) {
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
        let mut changes: Vec<WordChange> = Vec::new();
        let mut updates = Vec::new();
        for (variable, value) in &command.updates {
            let domain = &model.variable(*variable).domain;
            let field = layout.variable(*variable);
            match value {
                Expr::Constant(value) if domain.contains(*value) => change(&mut changes, field, *value),
                _ => updates.push(Update::new(model, *variable, value, layout)),
            }
        }
        for removed in &command.effect.remove {
            change(&mut changes, layout.commitment(*removed), 0);
        }
        for added in &command.effect.add {
            change(&mut changes, layout.commitment(*added), 1);
        }
        Step { tests, guard, changes, updates }
    }

    /// The same for states of one word, where nothing has to be computed.
    fn flat(&self, command: CommandId) -> Option<FlatStep> {
        if self.guard.is_some() || !self.updates.is_empty() || self.tests.len() > 1 || self.changes.len() > 1
        {
            return None;
        }
        let (mask, code) = self.tests.first().map_or((0, 0), |test| (test.mask, test.code));
        let (clear, set) = self.changes.first().map_or((0, 0), |change| (change.clear, change.set));
        Some(FlatStep { mask, code, clear, set, command })
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
        for change in &self.changes {
            next[change.word] = next[change.word] & !change.clear | change.set;
        }
        for update in &self.updates {
            let fits = update.value(state, stack).map_err(no_value)?;
            let variable = update.variable;
            let (field, value) = fits.map_err(|value| StepFault::OutOfRange { command, variable, value })?;
            field.write(next, value);
        }
        Ok(true)
    }
}

/// Adds the change of a field to a constant to the changes, after those that are there.
fn change(changes: &mut Vec<WordChange>, field: Field, value: i64) {
    let (bits, code) = (field.bits_in_word(), field.code_in_word(value));
    match changes.iter_mut().find(|other| other.word == field.word()) {
        Some(other) => {
            other.clear |= bits;
            other.set = other.set & !bits | code;
        }
        None => changes.push(WordChange { word: field.word(), clear: bits, set: code }),
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
