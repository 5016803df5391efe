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
    reached(&dependencies(), name)
}

/// Everything that lies behind a name.
fn reached(all: &BTreeMap<String, Vec<String>>, name: &str) -> BTreeSet<String> {
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

/// The drawing leaves out what follows from the rest, so what counts is who needs whom however indirectly.
#[test]
fn the_graph_in_the_architecture_page_is_the_one_of_the_manifests() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let drawing = page.split("## Who needs whom").nth(1).and_then(|part| part.split("```").nth(1)).unwrap();
    let mut drawn: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in drawing.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let (name, others) = line.split_once("->").unwrap_or((line, ""));
        let others = others.split(',').map(|other| other.trim().to_owned()).filter(|other| !other.is_empty());
        drawn.insert(name.trim().to_owned(), others.collect());
    }
    let ours = dependencies();
    let names: Vec<&String> = ours.keys().collect();
    assert_eq!(drawn.keys().collect::<Vec<_>>(), names, "the crates that are drawn");
    for name in names {
        let needed: BTreeSet<String> =
            reached(&ours, name).into_iter().filter(|other| ours.contains_key(other)).collect();
        assert_eq!(reached(&drawn, name), needed, "what {name} needs");
    }
}
