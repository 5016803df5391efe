//! States listed one after the other: one value per field from its list, such that a condition holds.

use std::borrow::Cow;
use std::convert::Infallible;

use crate::{Expr, Field, Layout, Model};

/// Iterates over states. Variables are assigned one after the other, and a choice after which the condition
/// is false whatever comes is not followed, so that conditions which fix many variables cost little.
pub struct States<'m> {
    condition: &'m Expr,
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
        let positions = Vec::new();
        let mut states = States { condition, choices, positions, values, state, reversed, done: false };
        states.done = states.verdict() == Some(0);
        states
    }

    /// The value of the condition, if the variables assigned so far decide it. Without a value (a division by zero) it does not hold.
    fn verdict(&self) -> Option<i64> {
        let known = self.condition.known(&|leaf: &Expr| match leaf {
            Expr::Variable(variable) if self.reversed => {
                self.values[self.values.len() - 1 - variable.index()]
            }
            Expr::Variable(variable) => self.values[variable.index()],
            // Nothing is in force and nothing is done at the start, and what is well formed does not depend on that.
            _ => Some(0),
        });
        known.unwrap_or(Some(0))
    }

    /// Gives a field the value at a position of its list, if there is one.
    fn assign(&mut self, field: usize, position: usize) -> bool {
        let (place, values) = &self.choices[field];
        self.values[field] = values.get(position).copied();
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
            if self.verdict() == Some(0) {
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
