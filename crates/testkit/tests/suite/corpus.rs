//! Generated Pact models with verdicts computed from the semantics by an independent program. They are kept outside of the
//! repository: where they are absent the test says so and passes.

use std::path::{Path, PathBuf};

use servanda_engine::{Options, Verdict};
use servanda_testkit::outcomes;

/// The folders of models: the shared corpus, and whatever `SERVANDA_CORPUS` names (separated by `:`).
fn folders() -> Vec<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/random-pact");
    let more = std::env::var("SERVANDA_CORPUS").unwrap_or_default();
    let named = more.split(':').filter(|name| !name.is_empty()).map(PathBuf::from);
    std::iter::once(shared).chain(named).filter(|folder| folder.is_dir()).collect()
}

#[test]
fn every_verdict_of_the_random_corpus() {
    let folders = folders();
    if folders.is_empty() {
        println!("skipped: no corpus here; set SERVANDA_CORPUS to a folder of .pact files with expectations");
        return;
    }
    let (mut properties, mut wrong) = (0, Vec::new());
    for folder in folders {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "pact"));
        files.sort();
        for path in files {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            for outcome in outcomes(&text, Options::default()) {
                properties += 1;
                if Some(&outcome.verdict) != outcome.expected.map(Verdict::from).as_ref() {
                    wrong.push(format!("{}: {outcome:?}", path.display()));
                }
            }
        }
    }
    println!("{properties} properties");
    assert!(wrong.is_empty(), "{} of {properties} properties are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
