//! The code that differs by operating system is listed: ARCHITECTURE.md names the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// By these words such code is known.
const SIGNS: [&str; 9] = [
    "cfg(unix",
    "cfg(windows",
    "cfg(not(unix",
    "cfg(not(windows",
    "cfg!(unix",
    "cfg!(windows",
    "target_os",
    "std::os::",
    "\"/proc/",
];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The files that are compiled into the program and differ, relative to `crates`.
fn differing() -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    assert!(files.len() > 300, "the sources were not found");
    let differs = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        // Tests stand at the end of files, or in files of their own.
        let end = text.find("#[cfg(test)]").into_iter().chain(text.find("#[cfg(all(test")).min();
        let code = &text[..end.unwrap_or(text.len())];
        SIGNS.iter().any(|sign| code.contains(sign))
    };
    let name = |path: PathBuf| path.strip_prefix(crates).unwrap().to_str().unwrap().replace('\\', "/");
    files.into_iter().filter(differs).map(name).filter(|name| !name.ends_with("/tests.rs")).collect()
}

#[test]
fn the_page_lists_the_code_that_differs_by_system() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("\n## Operating systems\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let listed: BTreeSet<String> = rows.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(listed, differing());
}
