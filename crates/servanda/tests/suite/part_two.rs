//! The examples of what real protocols need, in `examples/part2`: every verdict and every count that is written in them, with every engine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::program::run;

/// What engines leave open, by the reason that they give. `auto` and the reference leave nothing open.
const OPEN: &[(&str, &str)] = &[];

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/part2");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "pact")).collect();
    files.sort();
    assert!(files.len() >= 28, "{files:?}");
    files
}

/// The numbers of the comment `// states: 9, transitions: 10, deadlocks: 1`.
fn counts(text: &str) -> Vec<(&str, &str)> {
    let line = text.lines().find_map(|line| line.strip_prefix("// states: ")).expect("counts in a comment");
    let pairs = line.split(", ").map(|part| part.split_once(": ").unwrap_or(("states", part)));
    let counts: Vec<(&str, &str)> = pairs.collect();
    assert_eq!(
        counts.iter().map(|(what, _)| *what).collect::<Vec<_>>(),
        ["states", "transitions", "deadlocks"]
    );
    counts
}

#[test]
fn every_verdict_and_every_count_with_every_engine() {
    let mut open = BTreeSet::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = format!("examples/part2/{}", path.file_name().unwrap().to_str().unwrap());
        for engine in ["auto", "enumerate", "tableau", "bdd", "sat"] {
            let object = run(&["check", &file, "--engine", engine, "--stats", "--format", "json"]).json();
            for property in object["properties"].as_array().unwrap() {
                let verdict = property["verdict"].as_str().unwrap();
                if verdict == "unknown" {
                    let reason = property["reason"].as_str().unwrap().to_owned();
                    assert!(!matches!(engine, "auto" | "enumerate"), "{file} {engine}: {property}");
                    open.insert((engine, reason));
                } else {
                    assert_eq!(property["expected"], verdict, "{file} {engine}: {property}");
                }
            }
            for (what, wanted) in counts(&text) {
                let found = &object["model"][what];
                let may_be_open = engine == "sat" && found.is_null();
                assert!(may_be_open || found == wanted, "{file} {engine}: {found} {what}, not {wanted}");
            }
        }
    }
    let open: Vec<(&str, &str)> = open.iter().map(|(engine, reason)| (*engine, reason.as_str())).collect();
    assert_eq!(open, OPEN);
}

#[test]
fn the_standard_form_is_stable_and_means_the_same() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let standard = servanda_pact::format(&text).unwrap();
        assert_eq!(servanda_pact::format(&standard).as_ref(), Ok(&standard), "{}", path.display());
    }
}
