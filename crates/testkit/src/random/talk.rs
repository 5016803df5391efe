//! Random protocols of the second part of the language: messages with addressees and values, channels, exchange, clocks, private
//! machines and commitments, choices, ends, fairness of steps, parts and scenarios.
//!
//! A [`Talk`] is plain data. [`Talk::text`] writes it, [`Meaning`] says what it does without looking at the text, [`talks`] makes
//! random ones, which shrink by leaving things out.

mod formulas;
mod generate;
mod meaning;
mod outline;
mod shrink;
mod term;
mod write;

pub use formulas::{Phrase, Sort};
pub use meaning::{Done, Fault, Meaning, Place, Sent, bare};
pub use outline::{
    Act, Argument, Assignment, Channel, Clock, Commitment, Fairness, Label, Machine, Message, Moment, Part,
    Pattern, Said, Scenario, Side, Step, Talk, Target, Type, Value, Variable,
};
pub use shrink::talks;
pub use term::{Operator, Term};

use servanda_pact::{Loaded, load_with};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

impl Talk {
    /// Reads its text, with those of its parts.
    pub fn load(&self) -> Loaded {
        read(&self.text(), self)
    }
}

/// Reads a text that stands for a talk: its parts are found where the talk has them.
pub fn read(text: &str, talk: &Talk) -> Loaded {
    load_with(&mut SourceFile::new("talk.pact", text), &[], &mut |_, path| {
        let found = talk.files.iter().find(|(name, _)| name == path);
        let missing =
            || Box::new(Diagnostic::error(Code::CannotRead, "there is no such file", Span::default()));
        found.map(|(name, part)| (name.clone(), part.text())).ok_or_else(missing)
    })
}
