//! Initial states: one value per variable from its initial set, such that the model's initial condition holds.

use std::convert::Infallible;

use crate::{Expr, Field, Layout, Model};

/// Iterates over the initial states. Variables are assigned one after the other, and a choice after which the condition
/// is false whatever comes is not followed, so that conditions which fix many variables cost little.
pub struct InitialStates<'m> {
    condition: &'m Expr,
    choices: Vec<(Field, &'m [i64])>,
    /// For each variable assigned so far the position in its list.
    positions: Vec<usize>,
    values: Vec<Option<i64>>,
    state: Vec<u64>,
    done: bool,
}

impl<'m> InitialStates<'m> {
    /// The initial states of a model.
    pub fn new(model: &'m Model, layout: &Layout) -> Self {
        let choices: Vec<(Field, &[i64])> = model
            .variables()
            .map(|(id, variable)| (layout.variable(id), variable.initial.as_slice()))
            .collect();
        let values = vec![None; choices.len()];
        let mut states = InitialStates {
            condition: &model.initial,
            choices,
            positions: Vec::new(),
            values,
            state: vec![0; layout.words()],
            done: false,
        };
        states.done = states.verdict() == Some(0);
        states
    }

    /// The value of the condition, if the variables assigned so far decide it.
    fn verdict(&self) -> Option<i64> {
        partial(self.condition, &self.values)
    }

    /// Moves the last assigned variable to its next value, going back where there is none.
    fn advance(&mut self) {
        while let Some(position) = self.positions.last_mut() {
            *position += 1;
            let variable = self.positions.len() - 1;
            let (field, values) = self.choices[variable];
            if let Some(value) = values.get(self.positions[variable]) {
                field.write(&mut self.state, *value);
                self.values[variable] = Some(*value);
                return;
            }
            self.values[variable] = None;
            self.positions.pop();
        }
        self.done = true;
    }

    /// Assigns the first value to the next variable; where it has none there is no state here.
    fn descend(&mut self) {
        let variable = self.positions.len();
        let (field, values) = self.choices[variable];
        match values.first() {
            Some(value) => {
                field.write(&mut self.state, *value);
                self.values[variable] = Some(*value);
                self.positions.push(0);
            }
            None => self.done = true,
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
                // A condition without a value (a division by zero) does not hold.
                let holds = self.verdict().is_some();
                let state = self.state.clone();
                self.advance();
                if holds {
                    return Ok(Some(state));
                }
            }
        }
        Ok(None)
    }
}

impl Iterator for InitialStates<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let Ok(state) = self.try_next(|| Ok::<(), Infallible>(()));
        state
    }
}

/// The value of an expression where only some variables have one.
fn partial(expr: &Expr, values: &[Option<i64>]) -> Option<i64> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Variable(variable) => values[variable.index()],
        // Nothing is in force and nothing is done at the start.
        Expr::InForce(_) | Expr::Action(_) => Some(0),
        Expr::Not(inner) => partial(inner, values).map(|value| i64::from(value == 0)),
        Expr::And(parts) => connective(parts, values, 0),
        Expr::Or(parts) => connective(parts, values, 1),
        Expr::Compare(comparison, left, right) => {
            let (left, right) = (partial(left, values)?, partial(right, values)?);
            Some(i64::from(comparison.holds(left, right)))
        }
        Expr::Arithmetic(arithmetic, left, right) => {
            let (left, right) = (partial(left, values)?, partial(right, values)?);
            arithmetic.calculate(left, right)
        }
    }
}

/// A conjunction (`decisive` is 0) or disjunction (1): decided by one decisive part, or by all parts.
fn connective(parts: &[Expr], values: &[Option<i64>], decisive: i64) -> Option<i64> {
    let mut undecided = false;
    for part in parts {
        match partial(part, values) {
            Some(value) if (value != 0) == (decisive != 0) => return Some(decisive),
            Some(_) => {}
            None => undecided = true,
        }
    }
    (!undecided).then_some(1 - decisive)
}
