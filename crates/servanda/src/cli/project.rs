//! Projects: a file `servanda.toml` that says what is to be checked, and how.

mod questions;
mod read;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use servanda_report::Finding;
use servanda_syntax::SourceFile;

use super::args::{DemandArguments, EngineArguments, LimitArguments, ModelArguments, ReadingArguments};
use super::input;

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
    pub(crate) demands: DemandArguments,
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

/// The file that describes the project: the given one, else the nearest one from this directory upwards. The path leads there
/// from where the program runs, so that files are shown as the user could name them.
pub(crate) fn find(given: Option<&Path>) -> Result<PathBuf, String> {
    match given {
        Some(path) if path.is_dir() => Ok(path.join(FILE_NAME)),
        Some(path) => Ok(path.to_owned()),
        None => above().ok_or_else(|| {
            format!(
                "no file is named, and neither this directory nor one above it has a {FILE_NAME}\n  \
                 Help: name a file, or list the models of the project in {FILE_NAME}"
            )
        }),
    }
}

fn above() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut way = PathBuf::new();
    for directory in here.ancestors() {
        if directory.join(FILE_NAME).is_file() {
            return Some(way.join(FILE_NAME));
        }
        way.push("..");
    }
    None
}
