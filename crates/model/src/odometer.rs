//! All combinations of values, one after the other.

use crate::{Field, Layout, Model};

/// Iterates over every state that takes each field from a given list of values.
pub struct Odometer {
    fields: Vec<(Field, Vec<i64>)>,
    positions: Vec<usize>,
    state: Vec<u64>,
    done: bool,
}

impl Odometer {
    pub(crate) fn new(layout: &Layout, fields: Vec<(Field, Vec<i64>)>) -> Self {
        let done = fields.iter().any(|(_, values)| values.is_empty());
        let mut state = vec![0; layout.words()];
        for (field, values) in &fields {
            if let Some(first) = values.first() {
                field.write(&mut state, *first);
            }
        }
        Odometer { positions: vec![0; fields.len()], fields, state, done }
    }

    /// All type-correct states: every value of every variable, every set of commitments.
    pub fn all(model: &Model, layout: &Layout) -> Self {
        let variables = model.variables().map(|(id, variable)| {
            let low = variable.domain.low();
            (layout.variable(id), (0..variable.domain.size()).map(|code| low + code as i64).collect())
        });
        let commitments = model.commitments().map(|(id, _)| (layout.commitment(id), vec![0, 1]));
        Odometer::new(layout, variables.chain(commitments).collect())
    }
}

impl Iterator for Odometer {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        if self.done {
            return None;
        }
        let result = self.state.clone();
        self.done = true;
        for ((field, values), position) in self.fields.iter().zip(&mut self.positions) {
            *position += 1;
            if *position < values.len() {
                field.write(&mut self.state, values[*position]);
                self.done = false;
                break;
            }
            *position = 0;
            field.write(&mut self.state, values[0]);
        }
        Some(result)
    }
}
