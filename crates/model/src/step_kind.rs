//! The kinds of steps that a run is made of.

use serde::{Deserialize, Serialize};

use crate::LabelId;

/// What a step of a run is, whoever found it: evidence, the reference and the diagrams say it in the same words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepKind {
    /// A move of a command with this label.
    Labelled(LabelId),
    /// A joint action: the position of each agent's action, in the order of agents.
    Joint(Vec<usize>),
    /// No move: the implicit loop of a deadlock.
    Stutter,
}
