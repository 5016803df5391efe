//! The generated Pact models whose verdicts an independent program computed, decided on the fly; and the examples.

use std::path::{Path, PathBuf};

use servanda_engine::{NoLimits, Options};
use servanda_tableau::Tableau;
use servanda_testkit::random_corpus;

/// It decides all of them.
#[test]
fn every_verdict_of_the_random_corpus() {
    let (mut decided, mut wrong) = (0, Vec::new());
    for (path, protocol) in random_corpus() {
        let mut engine =
            Tableau::new(&protocol.model, Options::default(), 1, &NoLimits).expect("a small model");
        for property in &protocol.properties {
            decided += 1;
            let verdict = engine.decide(&property.formula, &NoLimits).expect("no fault");
            if verdict.decided() != property.expected {
                wrong.push(format!("{} {}: {verdict:?}", path.display(), property.name));
            }
        }
    }
    println!("{decided} decided (nothing at all where there is no corpus)");
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
