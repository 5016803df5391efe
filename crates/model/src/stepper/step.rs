//! A command ready to run: what is tested first, parts of guards that several commands share, what is changed.

use rustc_hash::FxHashMap;

use super::StepFault;
use crate::program::{Choice, Test};
use crate::{Command, CommandId, Domain, Expr, FaultKind, Field, Layout, Model, Program, VariableId};

/// A part of a guard that occurs in several is remembered for a state where it is at least so large.
const LEAST_SHARED: usize = 6;

/// Bits of one word that are cleared, and then some of them set.
#[derive(Clone, Copy)]
struct WordChange {
    word: usize,
    clear: u64,
    set: u64,
}

/// Bits of one word that go to places of another as they are, all by as much: values of variables that are assigned to others.
#[derive(Clone, Copy)]
struct WordMove {
    from: usize,
    bits: u64,
    /// So far to the left, around the end.
    by: u32,
    to: usize,
    clear: u64,
}

/// A command ready to run.
pub(super) struct Step {
    /// What is tested besides the gate.
    tests: Vec<Test>,
    /// The numbers of the parts of the guard that others have as well.
    shared: Vec<u32>,
    /// What is left of the guard.
    guard: Option<Program>,
    /// What does not depend on the old state: constants that are assigned, commitments that come and go.
    changes: Vec<WordChange>,
    moves: Vec<WordMove>,
    updates: Vec<Update>,
}

/// Parts of guards that several commands have, each asked at most once in a state.
#[derive(Default)]
pub(super) struct Shared {
    parts: Vec<Program>,
    /// For each part when it was asked last, and the answer.
    answers: Vec<(u64, bool)>,
    /// The states looked at so far.
    pub(super) clock: u64,
}

/// A guard taken apart. The first two always have a value, so it does not matter when they are asked.
struct Parts<'e> {
    choices: Vec<Choice>,
    others: Vec<&'e Expr>,
    /// From the first part on that may have none.
    rest: Vec<&'e Expr>,
}

/// A command that is one test and one change of the only word of a state.
#[derive(Clone, Copy)]
pub(super) struct FlatStep {
    pub(super) mask: u64,
    pub(super) code: u64,
    pub(super) clear: u64,
    pub(super) set: u64,
    pub(super) command: CommandId,
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

impl<'e> Parts<'e> {
    fn of(guard: &'e Expr, layout: &Layout) -> Self {
        let mut parts = Parts { choices: Vec::new(), others: Vec::new(), rest: Vec::new() };
        for part in guard.conjuncts() {
            if !parts.rest.is_empty() {
                parts.rest.push(part);
            } else if let Some(choice) = Choice::of(part, true, layout) {
                parts.choices.push(choice);
            } else if layout.range_of(part).is_some() {
                parts.others.push(part);
            } else {
                parts.rest.push(part);
            }
        }
        parts
    }
}

impl Shared {
    /// Compiles the parts that several guards have; gives the number of each.
    pub(super) fn new<'m>(model: &'m Model, layout: &Layout) -> (Self, FxHashMap<&'m Expr, u32>) {
        let mut times: FxHashMap<&Expr, u32> = FxHashMap::default();
        for (_, command) in model.commands() {
            // In most guards there is nothing of the kind, and few are worth taking apart.
            let large = |part: &Expr| part.size_up_to(LEAST_SHARED) == LEAST_SHARED;
            if command.guard.conjuncts().into_iter().any(large) {
                let others = Parts::of(&command.guard, layout).others;
                others
                    .into_iter()
                    .filter(|part| large(part))
                    .for_each(|part| *times.entry(part).or_default() += 1);
            }
        }
        let mut shared = Shared::default();
        times.retain(|part, times| {
            let is_shared = *times > 1;
            if is_shared {
                *times = shared.parts.len() as u32;
                shared.parts.push(Program::new(part, layout));
            }
            is_shared
        });
        shared.answers = vec![(0, false); shared.parts.len()];
        (shared, times)
    }

    /// Does a part hold in the state that is looked at?
    fn holds(&mut self, number: u32, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, FaultKind> {
        let (asked, answer) = &mut self.answers[number as usize];
        if *asked != self.clock {
            *answer = self.parts[number as usize].holds(state, stack)?;
            *asked = self.clock;
        }
        Ok(*answer)
    }
}

impl Step {
    /// A command ready to run behind its gate.
    pub(super) fn new(
        model: &Model,
        command: &Command,
        layout: &Layout,
        numbers: &FxHashMap<&Expr, u32>,
    ) -> (Test, Self) {
        let Parts { choices, others, rest } = Parts::of(&command.guard, layout);
        let mut tests = Test::all(&choices);
        let gate = if tests.is_empty() { Test::ALWAYS } else { tests.remove(0) };
        let (mut shared, mut left) = (Vec::new(), Vec::new());
        for part in others {
            match numbers.get(part) {
                Some(number) => shared.push(*number),
                None => left.push(part),
            }
        }
        let rest = Expr::and(left.into_iter().chain(rest).cloned());
        let guard = (rest != Expr::TRUE).then(|| Program::new(&rest, layout));
        let mut changes: Vec<WordChange> = Vec::new();
        let (mut moves, mut updates) = (Vec::new(), Vec::new());
        for (variable, value) in &command.updates {
            let domain = &model.variable(*variable).domain;
            let field = layout.variable(*variable);
            let fits = |source: &Domain| source.low() == domain.low() && source.high() <= domain.high();
            match value {
                Expr::Constant(value) if domain.contains(*value) => change(&mut changes, field, *value),
                Expr::Variable(source) if fits(&model.variable(*source).domain) => {
                    move_field(&mut moves, layout.variable(*source), field)
                }
                _ => updates.push(Update::new(model, *variable, value, layout)),
            }
        }
        for removed in &command.effect.remove {
            change(&mut changes, layout.commitment(*removed), 0);
        }
        for added in &command.effect.add {
            change(&mut changes, layout.commitment(*added), 1);
        }
        (gate, Step { tests, shared, guard, changes, moves, updates })
    }

    /// The same for states of one word, where nothing has to be computed.
    pub(super) fn flat(&self, gate: Test, command: CommandId) -> Option<FlatStep> {
        let computes = self.guard.is_some()
            || !self.moves.is_empty()
            || !self.updates.is_empty()
            || !self.shared.is_empty();
        if computes || !self.tests.is_empty() || self.changes.len() > 1 {
            return None;
        }
        let Test::Word { mask, code, .. } = gate else { return None };
        let (clear, set) = self.changes.first().map_or((0, 0), |change| (change.clear, change.set));
        Some(FlatStep { mask, code, clear, set, command })
    }

    /// Writes the successor to `next` and says whether there is one. The gate must be open.
    pub(super) fn run(
        &self,
        command: CommandId,
        state: &[u64],
        shared: &mut Shared,
        next: &mut [u64],
        stack: &mut Vec<i64>,
    ) -> Result<bool, StepFault> {
        if !self.tests.iter().all(|test| test.holds(state)) {
            return Ok(false);
        }
        let no_value = |kind| StepFault::NoValue { command, kind };
        for part in &self.shared {
            if !shared.holds(*part, state, stack).map_err(no_value)? {
                return Ok(false);
            }
        }
        if let Some(guard) = &self.guard
            && !guard.holds(state, stack).map_err(no_value)?
        {
            return Ok(false);
        }
        next.copy_from_slice(state);
        for change in &self.changes {
            next[change.word] = next[change.word] & !change.clear | change.set;
        }
        for WordMove { from, bits, by, to, clear } in &self.moves {
            next[*to] = next[*to] & !clear | (state[*from] & bits).rotate_left(*by);
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

/// Adds the move of a field's bits to the moves; the value must have the same code there.
fn move_field(moves: &mut Vec<WordMove>, from: Field, to: Field) {
    let by = to.shift().wrapping_sub(from.shift()) % u64::BITS;
    let (bits, clear) = (from.bits_in_word(), to.bits_in_word());
    let is_like = |other: &&mut WordMove| (other.from, other.by, other.to) == (from.word(), by, to.word());
    match moves.iter_mut().find(is_like) {
        Some(other) => {
            other.bits |= bits;
            other.clear |= clear;
        }
        None => moves.push(WordMove { from: from.word(), bits, by, to: to.word(), clear }),
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
