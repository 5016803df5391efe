//! The generated models whose verdicts independent programs computed, and the examples, decided by a solver. What lies outside
//! of the repository is skipped where it is absent.

use std::path::{Path, PathBuf};

use servanda_engine::{Deadlock, NoLimits, Options, Validity, Verdict};
use servanda_ispl::{Dialect, verdicts_in_comments};
use servanda_sat::{Sat, SatOptions};
use servanda_syntax::SourceFile;

/// Where MCMAS's verdict is not that of the semantics; the tests of the symbolic engine say why.
const OTHERWISE: &[(&str, &str)] = &[("m186.ispl", "formula_4")];

// Tests may print; the lint does not know the helpers of a test for part of it.
#[allow(clippy::print_stdout)]
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("{} is not there and is skipped", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|own| own == extension));
    files.sort();
    files
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_verdict_of_the_random_pact_corpus() {
    let (mut decided, mut unknown, mut wrong) = (0, 0, Vec::new());
    for path in files(&repository().join("../shared/corpus/random-pact"), "pact") {
        let protocol = servanda_testkit::load(&std::fs::read_to_string(&path).expect("the file can be read"));
        let mut sat = Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits)
            .expect("a small model");
        for property in &protocol.properties {
            match sat.decide(&property.formula, &NoLimits).expect("no fault") {
                Verdict::Unknown(reason) => {
                    unknown += 1;
                    wrong.push(format!("{} {}: {reason}", path.display(), property.name));
                }
                verdict => {
                    decided += 1;
                    if verdict.decided() != property.expected {
                        wrong.push(format!("{} {}: {verdict:?}", path.display(), property.name));
                    }
                }
            }
        }
    }
    println!("{decided} decided, {unknown} unknown");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_verdict_of_the_random_ispl_corpus() {
    let (mut decided, mut wrong) = (0, Vec::new());
    for path in files(&repository().join("../shared/corpus/random-ispl"), "ispl") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let loaded = servanda_ispl::load(&SourceFile::new(path.display().to_string(), text.as_str()));
        let system = loaded.system.expect("a model");
        let expected = verdicts_in_comments(&text);
        let validity =
            if system.dialect == Dialect::Year2005 { Validity::Reachable } else { Validity::Initial };
        let options = Options { deadlock: Deadlock::Strict, validity, ..Options::default() };
        let mut sat =
            Sat::new(&system.model, options, SatOptions::default(), &NoLimits).expect("a small model");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (property, expected) in system.properties.iter().zip(expected) {
            let verdict = sat.decide(&property.formula, &NoLimits).expect("no fault");
            if let Some(value) = verdict.decided() {
                decided += 1;
                let otherwise = OTHERWISE.contains(&(name.as_str(), property.name.as_str()));
                if expected.is_some_and(|expected| (expected != value) != otherwise) {
                    wrong.push(format!("{name} {}: {verdict:?}: {}", property.name, property.text));
                }
            }
        }
    }
    println!("{decided} decided");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_property_of_the_paper_s_train_gate_controller() {
    let text = std::fs::read_to_string(repository().join("examples/tunnel.pact")).expect("an example");
    let protocol = servanda_testkit::load(&text);
    let mut sat = Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits)
        .expect("a small model");
    for property in &protocol.properties {
        let verdict = sat.decide(&property.formula, &NoLimits).expect("no fault");
        assert_eq!(verdict.decided(), property.expected, "{}", property.name);
    }
}
