//! Evidence from every engine, for every example and, where they are there, for the corpora: what an engine decides and a run can show
//! is shown. What is shown has been replayed and decided again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use servanda::{CheckOptions, Engine, Loaded, Means, NoClock, Traces, Watch, check};
use servanda_engine::{Monitor, Options, Progress, Stop};
use servanda_report::{Input, Trace};
use servanda_witness::Checked;

const ENGINES: [Engine; 5] = [Engine::Auto, Engine::Enumerate, Engine::Bdd, Engine::Tableau, Engine::Sat];

/// What was found for an engine's verdicts.
#[derive(Clone, Debug, Default)]
struct Count {
    decided: u64,
    shown: u64,
    nothing_to_show: u64,
    /// Something in it rests on the engine that found it.
    not_decided_again: u64,
    /// What was not found, and why.
    given_up: Vec<String>,
    /// Models looked at; none where the folder is not there.
    models: u64,
}

/// A monitor that stops what takes too long for a test.
struct Deadline(Instant);

impl Monitor for Deadline {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        if Instant::now() > self.0 { Err(Stop::Time) } else { Ok(()) }
    }
}

fn load(path: &Path) -> Loaded {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let name = path.display().to_string();
    let loaded = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pact") => Loaded::pact(name, text, &[]),
        _ => Loaded::ispl(name, text),
    };
    loaded.unwrap_or_else(|findings| panic!("{}: {findings:?}", path.display()))
}

/// The models of a folder; none where it is not there.
fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // Files of processes have no properties of their own.
    files.retain(|path| path.extension().is_some_and(|kind| kind == "pact" || kind == "ispl"));
    files.sort();
    files
}

fn evidence_for(folder: &str, engine: Engine, time: Duration) -> Count {
    let mut count = Count::default();
    for path in models(folder) {
        count.models += 1;
        let loaded = load(&path);
        let questions = loaded.questions(&[], &[]).expect("properties with a meaning");
        let readings = Options { validity: loaded.usual_validity(), ..Options::default() };
        let means = Means { engine, ..Means::default() };
        let options = CheckOptions { readings, means, traces: Traces::Shown, ..CheckOptions::default() };
        let deadline = Deadline(Instant::now() + time);
        let report = check(&loaded, &questions, options, Watch { monitor: &deadline, clock: &NoClock });
        assert_eq!(report.run.input, Input::Good, "{}: {:?}", path.display(), report.run.findings);
        for property in report.properties.iter().filter(|property| property.verdict.decided().is_some()) {
            count.decided += 1;
            match &property.trace {
                Trace::Evidence { evidence, .. } => {
                    count.shown += 1;
                    count.not_decided_again += u64::from(evidence.checked == Checked::ByEngine);
                }
                Trace::Nothing(reason) if reason.contains("given up") => {
                    count.given_up.push(format!("{}: `{}`: {reason}", path.display(), property.name));
                }
                Trace::Nothing(_) => count.nothing_to_show += 1,
                Trace::NotAsked => panic!("nobody asked"),
            }
        }
    }
    count
}

#[test]
fn every_engine_shows_what_it_decides_of_the_examples() {
    for engine in ENGINES {
        let count = evidence_for("examples", engine, Duration::from_secs(600));
        println!("{engine:?}: {count:?}");
        assert!(count.given_up.is_empty(), "{engine:?}: {count:?}");
        assert!(count.shown >= 15, "{engine:?}: {count:?}");
    }
}

#[test]
fn every_engine_shows_what_it_decides_of_the_random_corpora() {
    for engine in ENGINES {
        for corpus in ["random-pact", "random-ispl"] {
            let count = evidence_for(&format!("../shared/corpus/{corpus}"), engine, Duration::from_secs(600));
            if count.models == 0 {
                println!("{corpus} is not there: skipped");
            }
            println!("{corpus}, {engine:?}: {count:?}");
            assert!(count.given_up.is_empty(), "{engine:?}: {count:?}");
        }
    }
}

/// Among these are models that only diagrams can decide: then diagrams must find the evidence too.
#[test]
fn diagrams_show_what_they_decide_of_public_models() {
    let count = evidence_for("../shared/corpus/ispl", Engine::Bdd, Duration::from_secs(600));
    println!("{count:?}; no model means that the corpus is not there, and the test is skipped");
    assert!(count.given_up.is_empty(), "{count:?}");
}
