//! Models whose verdicts independent programs computed: a sample in this repository, and larger folders outside of it.

use std::path::{Path, PathBuf};

/// Every file of a folder with this ending, by name.
///
/// # Panics
/// When there is none: a test that has nothing to do has not passed.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|own| own == ending));
    files.sort();
    assert!(!files.is_empty(), "{} has no file that ends with .{ending}", folder.display());
    files
}

/// The examples of the project.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A sample in this repository: `pact`, `pact2` (real protocols: messages, channels, time, parts) or `ispl`.
pub fn sample(ending: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(ending)
}

/// A folder of the corpora outside of the repository: `random-pact`, `random-pact2`, `random-ispl` or `ispl`.
///
/// # Panics
/// When `SERVANDA_CORPUS` does not say where they are.
pub fn outside(folder: &str) -> PathBuf {
    match std::env::var_os("SERVANDA_CORPUS") {
        Some(root) => Path::new(&root).join(folder),
        None => panic!("set SERVANDA_CORPUS to the folder that holds `{folder}`"),
    }
}
