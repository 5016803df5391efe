//! Projects: a file `servanda.toml` that says what is to be checked, and how.

mod find;
mod questions;
mod read;
mod table;

use std::path::Path;
use std::sync::Arc;

use servanda_report::Finding;
use servanda_syntax::SourceFile;

use super::args::{EngineArguments, LimitArguments, ModelArguments, ReadingArguments};
use super::input;

pub(crate) use find::find;
pub(crate) use questions::Asked;

/// The name of the file that describes a project.
pub(crate) const FILE_NAME: &str = "servanda.toml";

/// What is to be checked.
#[derive(Debug)]
pub(crate) struct Project {
    /// The limits of the whole run.
    pub(crate) limits: LimitArguments,
    /// The models, in the order of the file.
    pub(crate) models: Vec<Model>,
}

/// One model, and how it is to be checked; what is said of all models is in it.
#[derive(Debug)]
pub(crate) struct Model {
    /// The file, as a path from where the program runs.
    pub(crate) file: String,
    pub(crate) model: ModelArguments,
    pub(crate) engine: EngineArguments,
    /// The limits of this model alone.
    pub(crate) limits: LimitArguments,
    pub(crate) readings: ReadingArguments,
    /// What the project asks; `None`: what the command line asks.
    pub(crate) asked: Option<Asked>,
}

/// Reads a project. Files are named from its directory.
pub(crate) fn open(path: &Path) -> Result<Project, Vec<Finding>> {
    let name = path.display().to_string();
    let text = input::read_text(&name)?;
    let source = Arc::new(SourceFile::new(name, text));
    let directory = path.parent().unwrap_or(Path::new(""));
    read::read(&source, directory).map_err(|errors| Finding::all_placed(errors, &source))
}
