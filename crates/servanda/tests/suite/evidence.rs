//! Evidence from every engine, for every example, a sample of generated models and, when asked for, the corpora: what an engine decides and a run can show
//! is shown. What is shown has been replayed and decided again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use servanda::{
    BDD, CheckOptions, Choices, ENUMERATE, EngineChoice, EngineOptions, Language, Loaded, NoClock, SAT,
    TABLEAU, Traces, Watch, check,
};
use servanda_engine::{Budget, Options, Progress, Stop};
use servanda_report::{Input, Trace};
use servanda_syntax::Diagnostic;
use servanda_testkit::corpus;
use servanda_witness::Checked;

const ENGINES: [EngineChoice; 5] = [
    EngineChoice::Auto,
    EngineChoice::Only(ENUMERATE),
    EngineChoice::Only(BDD),
    EngineChoice::Only(TABLEAU),
    EngineChoice::Only(SAT),
];

/// What one file may take.
const TIME: Duration = Duration::from_secs(600);

/// As long for those that are not made for every engine.
const SHORT_TIME: Duration = Duration::from_secs(4);

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
}

/// A budget that stops what takes too long for a test.
struct Deadline(Instant);

impl Budget for Deadline {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        if Instant::now() > self.0 { Err(Stop::Time) } else { Ok(()) }
    }
}

/// The text of a file beside another.
fn beside(user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
    let path = Path::new(user).with_file_name(path);
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    Ok((path.display().to_string(), text))
}

fn load(path: &Path) -> Loaded {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let name = path.display().to_string();
    let loaded = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pact") => {
            let choices = Choices { find: Some(&beside), ..Choices::default() };
            Loaded::read(Language::Pact, name, text, choices)
        }
        _ => Loaded::read(Language::Ispl, name, text, Choices::default()),
    };
    loaded.unwrap_or_else(|findings| panic!("{}: {findings:?}", path.display()))
}

fn evidence_for(paths: &[PathBuf], engine: EngineChoice, time: Duration) -> Count {
    let mut count = Count::default();
    for path in paths {
        let loaded = load(path);
        let questions = loaded.questions(&[], &[]).expect("properties with a meaning");
        let readings = Options { validity: loaded.usual_validity(), ..Options::default() };
        let engine = EngineOptions { engine, ..EngineOptions::default() };
        let options = CheckOptions { readings, engine, traces: Traces::Shown, ..CheckOptions::default() };
        let deadline = Deadline(Instant::now() + time);
        let report = check(&loaded, &questions, options, Watch { budget: &deadline, clock: &NoClock });
        assert_eq!(report.run.input, Input::Good, "{}: {:?}", path.display(), report.run.findings);
        for property in report.properties.iter().filter(|property| property.verdict.decided().is_some()) {
            count.decided += 1;
            match &property.trace {
                Trace::Evidence { evidence, .. } => {
                    count.shown += 1;
                    count.not_decided_again += u64::from(evidence.checked == Checked::ByEngine);
                }
                // Not every engine is fast on every example.
                Trace::GivenUp(_) if Instant::now() > deadline.0 => {}
                Trace::GivenUp(reason) => {
                    count.given_up.push(format!("{}: `{}`: {reason}", path.display(), property.name));
                }
                Trace::Nothing(_) => count.nothing_to_show += 1,
                Trace::NotAsked => panic!("nobody asked"),
            }
        }
    }
    count
}

fn assert_nothing_is_given_up(paths: &[PathBuf], engines: &[EngineChoice], time: Duration, shown: u64) {
    for engine in engines {
        let count = evidence_for(paths, *engine, time);
        assert!(count.given_up.is_empty(), "{engine:?}: {count:?}");
        assert!(count.shown >= shown, "{engine:?}: {count:?}");
    }
}

#[test]
fn every_engine_shows_what_it_decides_of_the_examples() {
    let mut paths = corpus::files(&corpus::examples(), "pact");
    paths.extend(corpus::files(&corpus::examples(), "ispl"));
    assert_nothing_is_given_up(&paths, &ENGINES, SHORT_TIME, 15);
}

#[test]
fn every_engine_shows_what_it_decides_of_the_samples() {
    for ending in ["pact", "ispl"] {
        // A third of the sample: evidence is costly, and other tests look at the rest.
        let paths: Vec<PathBuf> =
            corpus::files(&corpus::sample(ending), ending).into_iter().step_by(3).collect();
        assert_nothing_is_given_up(&paths, &ENGINES, TIME, 10);
    }
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_engine_shows_what_it_decides_of_the_random_corpora() {
    for (folder, ending) in [("random-pact", "pact"), ("random-ispl", "ispl")] {
        assert_nothing_is_given_up(&corpus::files(&corpus::outside(folder), ending), &ENGINES, TIME, 100);
    }
}

/// Among these are models that only diagrams can decide: then diagrams must find the evidence too.
#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn diagrams_show_what_they_decide_of_public_models() {
    assert_nothing_is_given_up(
        &corpus::files(&corpus::outside("ispl"), "ispl"),
        &[EngineChoice::Only(BDD)],
        TIME,
        50,
    );
}
