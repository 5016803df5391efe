//! What a process works on, short enough to be shown to others: all must show the same.

use servanda_engine::Options;
use servanda_model::Model;

use crate::fingerprint::fingerprint;

/// A model and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    /// The name of the model.
    pub(crate) name: String,
    /// A fingerprint of everything in it, parameters and all.
    pub(crate) model: u64,
    /// The readings, in words, and what is put on disk.
    pub(crate) options: String,
}

impl Card {
    /// `disk` is a fingerprint of what is put on disk, and of the checkpoint with which the work begins.
    pub(crate) fn new(model: &Model, options: Options, disk: u64) -> Self {
        let name = format!("{} with {} variables", model.name, model.variables.len());
        Card { name, model: fingerprint(model), options: format!("{options:?} {disk}") }
    }

    /// In what another one differs from this.
    pub(crate) fn difference(&self, other: &Card) -> Option<String> {
        if self.name != other.name {
            return Some(format!("works on another model, {} and not {}", other.name, self.name));
        }
        if self.model != other.model {
            return Some(format!("has another text of the model, or other parameters, of {}", self.name));
        }
        let differs = "was given other options, or goes on with another checkpoint";
        (self.options != other.options).then(|| differs.to_owned())
    }
}
