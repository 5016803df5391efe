//! Who may know whom: what ARCHITECTURE.md promises, read from the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What every crate of the workspace depends on when it is built, tests apart.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(crates).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(path.join("Cargo.toml")) else { continue };
        let listed = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let lines = listed.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.split(['.', ' ']).next()).filter(|name| !name.is_empty());
        let names = names.map(|name| name.trim_start_matches("servanda-").to_owned());
        found.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), names.collect());
    }
    found
}

/// Everything that a crate needs, however indirectly.
fn needed(name: &str) -> BTreeSet<String> {
    let all = dependencies();
    let (mut needed, mut open) = (BTreeSet::new(), vec![name.to_owned()]);
    while let Some(next) = open.pop() {
        for other in all.get(&next).into_iter().flatten() {
            if needed.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    needed
}

const ENGINES: [&str; 7] = ["enumerate", "tableau", "symbolic", "sat", "oxidd", "oxidd-reorder", "cadical"];

#[test]
fn what_shows_results_needs_no_engine() {
    for name in ["evidence", "report", "chart"] {
        let needed = needed(name);
        assert!(needed.contains("model"), "{name}: the manifest was not read");
        let engines: Vec<_> = ENGINES.iter().filter(|engine| needed.contains(**engine)).collect();
        assert!(engines.is_empty(), "{name} needs {engines:?}");
    }
}

#[test]
fn front_ends_know_no_engine_and_engines_no_front_end() {
    let front_ends = ["pact", "ispl", "ccs", "aut"];
    for name in front_ends {
        assert!(ENGINES.iter().all(|engine| !needed(name).contains(*engine)), "{name} knows an engine");
    }
    for name in ["enumerate", "tableau", "symbolic", "sat", "witness"] {
        assert!(
            front_ends.iter().all(|front_end| !needed(name).contains(*front_end)),
            "{name} knows a language"
        );
    }
}
