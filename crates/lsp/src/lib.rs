//! The language server: what the language service knows, spoken to editors over the Language Server Protocol.
//!
//! [`serve`] talks over a connection until the editor says goodbye. Files, engines and clocks are the business of a [`Bench`], which the
//! program implements; checks run on threads of their own, and an edit ends them.

mod across;
mod answers;
mod documents;
mod jobs;
mod names;
mod places;
mod requests;
mod server;

use servanda_engine::{Budget, Verdict};
use servanda_service::Language;
use servanda_syntax::Diagnostic;

pub use lsp_server::Connection;
pub use server::serve;

/// A text to be worked on, as it stands in the editor.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its language.
    pub language: Language,
    /// Its path.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// The other texts that are open, with their paths: they go before what is on disk.
    pub open: Vec<(String, String)>,
}

/// What was found out about a property.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// In one word: `true`, `impossible`.
    pub word: &'static str,
    /// Is it as its author expects?
    pub as_wanted: bool,
    /// Who decided it.
    pub engine: &'static str,
    /// In what time.
    pub seconds: f64,
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The verdicts.
    pub verdicts: Vec<Decided>,
    /// What is suspicious about the model, at places of the text.
    pub findings: Vec<Diagnostic>,
}

/// Why a verdict is what it is.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// The verdict.
    pub checked: Checked,
    /// The chart in characters.
    pub text: String,
    /// The chart as a page.
    pub html: String,
    /// For each step of the first chart where it is written: file, line and column, both from 1. `None` where that is not known.
    pub steps: Vec<Option<(String, usize, usize)>>,
}

/// Where a walk through a model is.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    /// The state; `None` while an initial state is to be chosen.
    pub state: Option<String>,
    /// What has happened.
    pub taken: Vec<String>,
    /// What can happen next, with what it changes; or the initial states.
    pub choices: Vec<(String, String)>,
    /// What is watched, with what it is worth.
    pub watched: Vec<(String, String)>,
    /// May control rest here for good?
    pub is_end: bool,
    /// What stands in the way of a step that should be possible.
    pub trouble: Option<String>,
}

/// Who reads files and decides properties.
pub trait Bench: Send + Sync + 'static {
    /// What a file is called that the editor has at this path.
    fn name(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The path at which the editor has a file that is called so.
    fn place(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The Pact files, with what stands in them, that may use a file: those of the folders that the editor works in, or beside the file
    /// where there are none.
    fn neighbours(&self, name: &str, folders: &[String]) -> Vec<(String, String)>;

    /// The path of a file as it is named in another one.
    fn path(&self, user: &str, path: &str) -> String;

    /// A file that another one uses, from disk.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, without a place.
    fn find(&self, user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>>;

    /// Decides these properties; all where none is named.
    ///
    /// # Errors
    ///
    /// Why nothing can be decided, in words.
    fn check(&self, subject: &Subject, names: &[String], budget: &dyn Budget) -> Result<Checked, String>;

    /// Decides a property and says why the verdict is what it is.
    ///
    /// # Errors
    ///
    /// Why nothing can be decided, in words.
    fn explain(&self, subject: &Subject, name: &str, budget: &dyn Budget) -> Result<Explained, String>;

    /// Walks through the model from its beginning, by the numbers of what was chosen, from 0; the first is that of an initial state where
    /// there are several. The property, if there is one, is watched.
    ///
    /// # Errors
    ///
    /// Why there is no such walk, in words.
    fn simulate(
        &self,
        subject: &Subject,
        name: Option<&str>,
        choices: &[usize],
        budget: &dyn Budget,
    ) -> Result<Simulated, String>;
}
