//! States without successor that are ends, not deadlocks.

use crate::{Layout, Model, Program};

/// Where control may rest for good (`Model::rest`), for packed states.
#[derive(Clone, Debug)]
pub struct Ends(Option<Program>);

impl Ends {
    /// Those of a model.
    pub fn new(model: &Model, layout: &Layout) -> Self {
        Ends(model.rest.as_ref().map(|rest| Program::new(rest, layout)))
    }

    /// Is a state that has no successor an end?
    pub fn contains(&self, state: &[u64]) -> bool {
        self.0.as_ref().is_some_and(|rest| rest.holds(state, &mut Vec::new()).unwrap_or(false))
    }
}
