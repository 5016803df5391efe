//! The generated Pact models whose verdicts an independent program computed, decided on the fly; and the examples.

use std::path::{Path, PathBuf};

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_tableau::Tableau;

#[test]
fn every_verdict_of_the_random_corpus() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/random-pact");
    let more = std::env::var("SERVANDA_CORPUS").unwrap_or_default();
    let named = more.split(':').filter(|name| !name.is_empty()).map(PathBuf::from);
    let (mut decided, mut unknown, mut wrong) = (0, 0, Vec::new());
    for folder in std::iter::once(shared).chain(named).filter(|folder| folder.is_dir()) {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        for path in files {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            let protocol = servanda_testkit::load(&text);
            for property in &protocol.properties {
                let mut engine =
                    Tableau::new(&protocol.model, Options::default(), 1, &NoLimits).expect("a small model");
                match engine.decide(&property.formula, &NoLimits).expect("no fault") {
                    Verdict::Unknown(_) => unknown += 1,
                    verdict => {
                        decided += 1;
                        if verdict.decided() != property.expected {
                            wrong.push(format!("{} {}: {verdict:?}", path.display(), property.name));
                        }
                    }
                }
            }
        }
    }
    println!("{decided} decided, {unknown} unknown");
    assert_eq!(unknown, 0);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_expectation_of_every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(&folder).expect("there are examples");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pact"));
    assert!(!files.is_empty(), "there are no examples");
    for path in files {
        let protocol =
            servanda_testkit::load(&std::fs::read_to_string(&path).expect("the example can be read"));
        let mut engine =
            Tableau::new(&protocol.model, Options::default(), 1, &NoLimits).expect("it can be prepared");
        for property in &protocol.properties {
            let verdict = engine.decide(&property.formula, &NoLimits).expect("no fault");
            assert_eq!(verdict.decided(), property.expected, "{} {}", path.display(), property.name);
        }
    }
}
