//! What a process works on, short enough to be shown to others: all must show the same.

use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hasher};

use servanda_engine::Options;
use servanda_model::Model;

/// A model and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    /// The name of the model.
    pub(crate) name: String,
    /// A fingerprint of everything in it, parameters and all.
    pub(crate) model: u64,
    /// The readings, in words.
    pub(crate) options: String,
}

impl Card {
    pub(crate) fn new(model: &Model, options: Options) -> Self {
        let name = format!("{} with {} variables", model.name, model.variables.len());
        Card { name, model: fingerprint(model), options: format!("{options:?}") }
    }

    /// In what another one differs from this.
    pub(crate) fn difference(&self, other: &Card) -> Option<String> {
        if self.name != other.name {
            return Some(format!("works on another model, {} and not {}", other.name, self.name));
        }
        if self.model != other.model {
            return Some(format!("has another text of the model, or other parameters, of {}", self.name));
        }
        (self.options != other.options).then(|| "was given other options".to_owned())
    }
}

/// What two things have in common that look the same.
pub(crate) fn fingerprint(thing: &impl Debug) -> u64 {
    struct Hashed(DefaultHasher);
    impl Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hashed = Hashed(DefaultHasher::new());
    // It writes to nothing that could fail.
    let _ = write!(hashed, "{thing:?}");
    hashed.0.finish()
}
