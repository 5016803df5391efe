//! Where the project is.

use std::path::{Path, PathBuf};

use super::FILE_NAME;

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
