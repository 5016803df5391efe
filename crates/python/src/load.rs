//! From files and texts to models.

use servanda::host::files;
use servanda::{ActsFile, Choices, Language, Loaded};
use servanda_model::Layout;
use servanda_report::Finding;
use servanda_syntax::{Code, SourceFile};

use pyo3::prelude::*;

use crate::fault::unknown;

/// A model with how its states are packed.
pub(crate) struct Subject {
    pub(crate) loaded: Loaded,
    pub(crate) layout: Layout,
}

impl Subject {
    pub(crate) fn new(loaded: Loaded) -> Self {
        let layout = Layout::new(loaded.model());
        Subject { loaded, layout }
    }

    /// Are the states of the one those of the other?
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same_text = || {
            self.loaded.source.texts().map(SourceFile::text).eq(other
                .loaded
                .source
                .texts()
                .map(SourceFile::text))
        };
        std::ptr::eq(self, other)
            || (self.loaded.parameters() == other.loaded.parameters()
                && self.loaded.model().name == other.loaded.model().name
                && same_text())
    }
}

/// What is to be read, and how.
#[derive(FromPyObject, Default)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    /// The name of a language; without it the ending of the file says it.
    language: Option<String>,
    params: Vec<(String, i64)>,
    process: Option<String>,
    /// The path of an acts file.
    acts: Option<String>,
}

/// Reads a file, or a text that is given with a name.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(crate) fn load(name: &str, text: Option<String>, reading: &Reading) -> Result<Loaded, Vec<Finding>> {
    let is_file = text.is_none();
    let language = match reading.language.as_deref() {
        Some(ending) => Language::with_ending(ending),
        None => files::by_ending(name),
    };
    let refused = |code, message: String| vec![Finding::error(code, format!("{name}: {message}"))];
    let language = language.ok_or_else(|| {
        let message =
            format!("the name does not show the language; files end with {}", Language::endings("or"));
        refused(Code::UnknownInput, message)
    })?;
    let front_end = language.front_end();
    let (article, called) = front_end.name;
    if !front_end.has_parameters && !reading.params.is_empty() {
        return Err(refused(
            Code::NoParameters,
            format!("params: {article} {called} text has no parameters"),
        ));
    }
    if let Some(process) = reading.process.as_deref().filter(|_| !front_end.has_processes) {
        let message = format!("only CCS texts have processes, and `{process}` is named");
        return Err(refused(Code::NoProcesses, message));
    }
    let acts = match &reading.acts {
        Some(_) if !front_end.has_acts => {
            let message = format!("{called} texts say themselves which acts there are");
            return Err(refused(Code::NoActsFile, message));
        }
        Some(file) => Some((file.clone(), files::read(file)?)),
        None if front_end.has_acts && is_file => files::acts_beside(name)?,
        None => None,
    };
    let text = text.map_or_else(|| files::read(name), Ok)?;
    let is_given = reading.acts.is_some();
    let acts = acts.as_ref().map(|(name, text)| ActsFile { name, text, is_given });
    let (parameters, process) = (reading.params.as_slice(), reading.process.as_deref());
    Loaded::read(language, name, text, Choices { parameters, process, acts, find: Some(&files::beside) })
}

impl Reading {
    /// Is the language one that there is?
    pub(crate) fn language(&self) -> PyResult<()> {
        let known = Language::ALL.iter().map(|language| language.front_end().ending);
        match &self.language {
            Some(name) if !known.clone().any(|known| known == name) => Err(unknown("language", name, known)),
            _ => Ok(()),
        }
    }
}
