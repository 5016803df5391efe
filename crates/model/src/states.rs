//! States listed one after the other: one value per field from its list, such that a condition holds.

use std::borrow::Cow;
use std::convert::Infallible;

use crate::{Expr, Field, Layout, Model, VariableId};

/// Iterates over states. Variables are assigned one after the other, and a choice after which the condition
/// is false whatever comes is not followed, so that conditions which fix many variables cost little. After each choice only those
/// parts of the condition are looked at that read what was chosen.
pub struct States<'m> {
    /// The condition is that all these hold.
    parts: Vec<&'m Expr>,
    /// For each field the parts that read it, where it has more than one value to choose from.
    readers: Vec<Vec<u32>>,
    choices: Vec<(Field, Cow<'m, [i64]>)>,
    /// For each field assigned so far the position in its list.
    positions: Vec<usize>,
    values: Vec<Option<i64>>,
    state: Vec<u64>,
    /// Do the choices stand in the opposite order of variables and commitments?
    reversed: bool,
    done: bool,
}

impl<'m> States<'m> {
    /// The initial states of a model.
    pub fn initial(model: &'m Model, layout: &Layout) -> Self {
        let choice = |(id, variable): (_, &'m crate::Variable)| {
            (layout.variable(id), Cow::Borrowed(variable.initial.as_slice()))
        };
        States::new(&model.initial, model.variables().map(choice).collect(), layout, false)
    }

    /// All type-correct states: every value of every variable, every set of commitments, as far as they are well formed. The first
    /// variable changes fastest.
    pub fn all(model: &'m Model, layout: &Layout) -> Self {
        let variables = model.variables().map(|(id, variable)| {
            let low = variable.domain.low();
            (layout.variable(id), (0..variable.domain.size()).map(|code| low + code as i64).collect())
        });
        let commitments =
            model.commitments().map(|(id, _)| (layout.commitment(id), Cow::Borrowed(&[0, 1][..])));
        let mut choices: Vec<(Field, Cow<'m, [i64]>)> = variables.chain(commitments).collect();
        choices.reverse();
        States::new(&model.well_formed, choices, layout, true)
    }

    fn new(
        condition: &'m Expr,
        choices: Vec<(Field, Cow<'m, [i64]>)>,
        layout: &Layout,
        reversed: bool,
    ) -> Self {
        let (values, state) = (vec![None; choices.len()], vec![0; layout.words()]);
        let parts = condition.conjuncts();
        let (readers, positions) = (vec![Vec::new(); choices.len()], Vec::new());
        let mut states = States { parts, readers, choices, positions, values, state, reversed, done: false };
        // What cannot be chosen is known from the beginning.
        for field in 0..states.choices.len() {
            if states.choices[field].1.len() == 1 {
                states.assign(field, 0);
            }
        }
        for part in 0..states.parts.len() {
            let mut fields = Vec::new();
            states.parts[part].for_each_variable(&mut |variable| fields.push(states.field_of(variable)));
            fields.sort_unstable();
            fields.dedup();
            for field in fields.into_iter().filter(|field| states.choices[*field].1.len() > 1) {
                states.readers[field].push(part as u32);
            }
            states.done |= states.is_ruled_out(part as u32);
        }
        states
    }

    /// The place of a variable among the choices.
    fn field_of(&self, variable: VariableId) -> usize {
        if self.reversed { self.choices.len() - 1 - variable.index() } else { variable.index() }
    }

    /// Does a part not hold, whatever the variables become that are not assigned yet? Without a value (a division by zero) it does not.
    fn is_ruled_out(&self, part: u32) -> bool {
        // Nothing is in force and nothing is done at the start, and what is well formed does not depend on that.
        let known = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => self.values[self.field_of(*variable)],
            _ => Some(0),
        };
        let range = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => match self.values[self.field_of(*variable)] {
                Some(value) => Some((value, value)),
                None => {
                    let values = &self.choices[self.field_of(*variable)].1;
                    Some((*values.iter().min()?, *values.iter().max()?))
                }
            },
            _ => Some((0, 0)),
        };
        let part = self.parts[part as usize];
        part.range(&range) == Some((0, 0)) || matches!(part.known(&known), Ok(Some(0)) | Err(_))
    }

    /// Is a state not wanted, or none that agrees in what is assigned, because of what was assigned last?
    fn is_over(&self) -> bool {
        let last = self.positions.len().checked_sub(1);
        last.is_some_and(|field| self.readers[field].iter().any(|part| self.is_ruled_out(*part)))
    }

    /// Gives a field the value at a position of its list, if there is one.
    fn assign(&mut self, field: usize, position: usize) -> bool {
        let (place, values) = &self.choices[field];
        // What cannot be chosen stays known when there is nothing more to choose.
        if values.len() != 1 {
            self.values[field] = values.get(position).copied();
        } else if position == 0 {
            self.values[field] = Some(values[0]);
        } else {
            return false;
        }
        self.values[field].inspect(|value| place.write(&mut self.state, *value)).is_some()
    }

    /// Moves the last assigned field to its next value, going back where there is none.
    fn advance(&mut self) {
        while let Some(position) = self.positions.pop() {
            if self.assign(self.positions.len(), position + 1) {
                return self.positions.push(position + 1);
            }
        }
        self.done = true;
    }

    /// Assigns the first value to the next field; where it has none there is no state here.
    fn descend(&mut self) {
        match self.assign(self.positions.len(), 0) {
            true => self.positions.push(0),
            false => self.done = true,
        }
    }

    /// The next state, as long as `go_on` agrees. A condition may rule out very many choices before it admits one, so it is asked
    /// at every choice.
    ///
    /// # Errors
    ///
    /// When `go_on` does not agree.
    pub fn try_next<E>(&mut self, mut go_on: impl FnMut() -> Result<(), E>) -> Result<Option<Vec<u64>>, E> {
        while !self.done {
            go_on()?;
            if self.is_over() {
                self.advance();
            } else if self.positions.len() < self.choices.len() {
                self.descend();
            } else {
                let state = self.state.clone();
                self.advance();
                return Ok(Some(state));
            }
        }
        Ok(None)
    }
}

impl Iterator for States<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let Ok(state) = self.try_next(|| Ok::<(), Infallible>(()));
        state
    }
}
