//! States listed one after the other: one value per field from its list, such that a condition holds.

mod condition;

use std::borrow::Cow;
use std::convert::Infallible;

use crate::{Expr, Field, Layout, Model, Range};

use self::condition::{Condition, Known};

/// Iterates over states. Variables are assigned one after the other, and a choice after which the condition
/// is false whatever comes is not followed, so that conditions which fix many variables cost little. After each choice only those
/// parts of the condition are looked at that read what was chosen.
pub struct States<'m> {
    /// All these must hold.
    conditions: Vec<Condition<'m>>,
    /// For each field the conditions that read it, where it has more than one value to choose from.
    readers: Vec<Vec<u32>>,
    /// For each field the conditions on sums that it is a part of, and how often it is added.
    weights: Vec<Vec<(u32, i64)>>,
    choices: Vec<(Field, Cow<'m, [i64]>)>,
    /// For each field the least and the greatest value that it can have.
    extents: Vec<Range>,
    /// For each field assigned so far the position in its list.
    positions: Vec<usize>,
    known: Known,
    state: Vec<u64>,
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
        let extent = |(_, values): &(Field, Cow<'_, [i64]>)| {
            (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0))
        };
        let extents: Vec<Range> = choices.iter().map(extent).collect();
        let (readers, weights) = (vec![Vec::new(); choices.len()], vec![Vec::new(); choices.len()]);
        let known = Known { ranges: extents.clone(), reversed };
        let (conditions, positions, state) = (Vec::new(), Vec::new(), vec![0; layout.words()]);
        let mut states =
            States { conditions, readers, weights, choices, extents, positions, known, state, done: false };
        // What cannot be chosen is known from the beginning.
        for field in 0..states.choices.len() {
            if states.choices[field].1.len() == 1 {
                states.assign(field, 0);
            }
        }
        for (number, part) in (0..).zip(condition.conjuncts()) {
            let fields = states.known.fields_of(part).into_iter();
            for field in fields.filter(|field| states.choices[*field].1.len() > 1) {
                states.readers[field].push(number);
            }
            let (condition, weights) = Condition::new(part, &states.known);
            for (field, weight) in weights {
                states.weights[field].push((number, weight));
            }
            states.done |= condition.is_ruled_out_at_first(&states.known);
            states.conditions.push(condition);
        }
        states
    }

    /// Is a state not wanted, or none that agrees in what is assigned, because of what was assigned last?
    fn is_over(&mut self) -> bool {
        let assigned = self.positions.len();
        let States { conditions, readers, known, .. } = self;
        let mut reading = assigned.checked_sub(1).map_or(&[][..], |field| &readers[field]).iter();
        reading.any(|number| conditions[*number as usize].is_ruled_out(assigned, known))
    }

    /// Gives a field the value at a position of its list, if there is one.
    fn assign(&mut self, field: usize, position: usize) -> bool {
        let (place, values) = &self.choices[field];
        let value = values.get(position).copied();
        // What cannot be chosen stays known when there is nothing more to choose.
        if value.is_none() && values.len() == 1 {
            return false;
        }
        value.inspect(|value| place.write(&mut self.state, *value));
        let now = value.map_or(self.extents[field], |value| (value, value));
        let before = std::mem::replace(&mut self.known.ranges[field], now);
        for (number, weight) in &self.weights[field] {
            self.conditions[*number as usize].moves(*weight, before, now);
        }
        value.is_some()
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
