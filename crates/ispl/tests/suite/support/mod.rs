//! Where test texts come from.

use std::path::{Path, PathBuf};

use servanda_ispl::{System, load};
use servanda_syntax::SourceFile;
use servanda_testkit::corpus;

/// Every `.ispl` file of a folder, by name.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        (path, text)
    };
    corpus::files(folder, "ispl").into_iter().map(read).collect()
}

/// The examples of the project.
pub(crate) fn examples() -> Vec<(PathBuf, String)> {
    texts(&corpus::examples())
}

/// Generated models, a sample of them.
pub(crate) fn sample() -> Vec<(PathBuf, String)> {
    texts(&corpus::sample("ispl"))
}

/// The models that others wrote, and all the generated ones; they lie outside of the project.
pub(crate) fn outside() -> Vec<(PathBuf, String)> {
    ["ispl", "random-ispl"].into_iter().flat_map(|folder| texts(&corpus::outside(folder))).collect()
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
