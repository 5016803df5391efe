//! Where test texts come from.

use std::path::{Path, PathBuf};

use servanda_ispl::{System, load};
use servanda_syntax::SourceFile;

/// Every `.ispl` file of a directory given relative to this crate, by name; empty when there is no such directory.
pub(crate) fn files(directory: &str) -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let Ok(entries) = std::fs::read_dir(&directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ispl"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), std::fs::read_to_string(&path).expect("a readable file")))
        .collect()
}

/// The examples of the project.
pub(crate) fn examples() -> Vec<(PathBuf, String)> {
    files("../../examples")
}

/// The models that others wrote, and the generated ones; they lie outside of the project and may be absent.
pub(crate) fn corpus() -> Vec<(PathBuf, String)> {
    let mut all = files("../../../shared/corpus/ispl");
    all.extend(files("../../../shared/corpus/random-ispl"));
    if all.is_empty() {
        println!("the corpus is not here: nothing to test");
    }
    all
}

/// Findings as `line:column severity code message | help`.
pub(crate) fn findings(text: &str) -> Vec<String> {
    let source = SourceFile::new("test.ispl", text);
    let loaded = load(&source);
    assert_eq!(loaded.system.is_none(), loaded.diagnostics.iter().any(|found| found.is_error()), "{text}");
    let show = |found: &servanda_syntax::Diagnostic| {
        let place = source.place(found.span.start);
        let severity = if found.is_error() { "" } else { "warning " };
        let help = found.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        format!("{}:{} {severity}{} {}{help}", place.line, place.column, found.code, found.message)
    };
    loaded.diagnostics.iter().map(show).collect()
}

/// What a text without mistakes means.
pub(crate) fn system(text: &str) -> System {
    let loaded = load(&SourceFile::new("test.ispl", text));
    match loaded.system {
        Some(system) => system,
        None => panic!("{:#?}\n{text}", loaded.diagnostics),
    }
}
