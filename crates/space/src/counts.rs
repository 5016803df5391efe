//! The size of a model.

use crate::Space;

/// The size of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reachable states.
    pub states: u64,
    /// Distinct transitions between them, implicit loops not counted.
    pub transitions: u64,
    /// Reachable states without a transition.
    pub deadlocks: u64,
    /// Initial states.
    pub initial: u64,
    /// The longest of the shortest ways from an initial state.
    pub diameter: u64,
    /// Memory held for the states, in bytes.
    pub bytes: u64,
}

impl Space<'_> {
    /// The size of what has been expanded.
    pub fn counts(&self) -> Counts {
        Counts {
            states: self.reachable_len() as u64,
            transitions: self.transitions(),
            deadlocks: self.deadlocks().count() as u64,
            initial: self.initial().len() as u64,
            diameter: self.diameter(),
            bytes: self.bytes(),
        }
    }
}

impl From<Counts> for servanda_engine::Counts {
    fn from(counts: Counts) -> Self {
        let Counts { states, transitions, deadlocks, initial, diameter, bytes } = counts;
        servanda_engine::Counts {
            states: states.into(),
            transitions: Some(transitions.into()),
            deadlocks: deadlocks.into(),
            initial: Some(initial),
            diameter: Some(diameter),
            bytes: Some(bytes),
        }
    }
}
