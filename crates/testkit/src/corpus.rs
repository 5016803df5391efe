//! Generated protocols whose verdicts an independent program computed. They are kept outside of the project.

use std::path::{Path, PathBuf};

use servanda_pact::Protocol;

/// The protocols of the corpus beside the project and of the folders named in `SERVANDA_CORPUS`, with their files; none where
/// there is neither.
///
/// # Panics
/// When a file cannot be read or has mistakes.
pub fn random_corpus() -> impl Iterator<Item = (PathBuf, Protocol)> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/random-pact");
    let more = std::env::var("SERVANDA_CORPUS").unwrap_or_default();
    let named: Vec<PathBuf> = more.split(':').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    let folders = std::iter::once(shared).chain(named).filter(|folder| folder.is_dir());
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| std::fs::read_dir(folder).expect("the folder can be read"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files.into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let protocol = crate::load(&text);
        (path, protocol)
    })
}
