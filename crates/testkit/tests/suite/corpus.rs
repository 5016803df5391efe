//! Models whose verdicts independent programs computed, decided by every engine: the sample in this repository, and, when asked for,
//! the whole corpora outside of it.

use std::collections::BTreeMap;
use std::path::Path;

use servanda_engine::{Deadlock, NoLimits, Options, Validity};
use servanda_enumerate::Explored;
use servanda_ispl::{Dialect, System, verdicts_in_comments};
use servanda_logic::Features;
use servanda_model::{Model, Property};
use servanda_pact::Protocol;
use servanda_syntax::SourceFile;
use servanda_testkit::corpus::{examples, files, outside, sample};
use servanda_testkit::{Room, load_file, verdicts_of_all};

/// Where MCMAS's verdict is not that of the semantics. In m186 the property is `AX A(!E(x4 U x4) U EG K(Ag2, x1))` under a
/// fairness constraint that confines fair runs to states where Ag3.v2 holds: there x4 never holds and EG K(Ag2, x1) holds at
/// the latest one step on, so the property is true of all fair runs. MCMAS says false: its `A(. U .)` also looks at
/// paths into states that lie on no fair run.
const OTHERWISE: &[(&str, &str)] = &[("m186.ispl", "formula_4")];

/// What the engines said of the files of a folder.
#[derive(Default)]
struct Tally {
    asked: usize,
    /// For each engine, how many properties it decided.
    decided: Vec<(&'static str, usize)>,
    /// For each engine and what a formula uses, how many it did not decide.
    unknown: BTreeMap<(&'static str, String), usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn ask(
        &mut self,
        path: &Path,
        model: &Model,
        properties: &[Property],
        expected: &[Option<bool>],
        options: Options,
        room: Room,
    ) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        assert_eq!(properties.len(), expected.len(), "{file}: every property has a verdict");
        self.asked += properties.len();
        for (number, (engine, verdicts)) in
            verdicts_of_all(model, properties, options, room).into_iter().enumerate()
        {
            if self.decided.len() == number {
                self.decided.push((engine, 0));
            }
            for (property, (verdict, expected)) in properties.iter().zip(verdicts.into_iter().zip(expected)) {
                let Some(verdict) = verdict else {
                    let uses = format!("{:?}", Features::of(&property.formula));
                    *self.unknown.entry((engine, uses)).or_default() += 1;
                    continue;
                };
                self.decided[number].1 += 1;
                let otherwise = OTHERWISE.contains(&(&file, &property.name));
                if expected.is_some_and(|expected| (verdict != expected) != otherwise) {
                    let (name, text) = (&property.name, &property.text);
                    self.wrong.push(format!("{file} {name}: {engine} says {verdict}: {text}"));
                }
            }
        }
    }

    fn pact(folder: &Path) -> Tally {
        let mut tally = Tally::default();
        for path in files(folder, "pact") {
            let Protocol { mut model, properties, .. } = load_file(&path);
            tally.size(&path, &model);
            let (scenarios, others): (Vec<Property>, Vec<Property>) =
                properties.into_iter().partition(|property| property.scenario.is_some());
            let expected: Vec<Option<bool>> = others.iter().map(|own| own.expected).collect();
            tally.ask(&path, &model, &others, &expected, Options::default(), Room::SMALL);
            // A scenario is about the model as it is: does no initial state have such a run?
            (model.fairness, model.step_fairness) = (Vec::new(), Vec::new());
            let turned = |own: &Property| Property { formula: own.formula.clone().negated(), ..own.clone() };
            let scenarios: Vec<Property> = scenarios.iter().map(turned).collect();
            let expected: Vec<Option<bool>> =
                scenarios.iter().map(|own| own.expected.map(|own| !own)).collect();
            tally.ask(&path, &model, &scenarios, &expected, Options::default(), Room::SMALL);
        }
        tally
    }

    /// The numbers of states, transitions and deadlocks, where a comment says them.
    fn size(&mut self, path: &Path, model: &Model) {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let said = |what: &str| {
            let (_, rest) = text.split_once(&format!("// {what}: "))?;
            rest.lines().next()?.parse::<u64>().ok()
        };
        let wanted = ["states", "transitions", "deadlocks"].map(said);
        let explored = Explored::new(model, Options::default(), &NoLimits).expect("it can be explored");
        let space = &explored.space;
        let found = [space.reachable_len() as u64, space.transitions(), space.deadlocks().count() as u64];
        if wanted.iter().zip(found).any(|(wanted, found)| wanted.is_some_and(|wanted| wanted != found)) {
            self.wrong.push(format!("{}: the size is {found:?}, not {wanted:?}", path.display()));
        }
    }

    fn ispl(folder: &Path) -> Tally {
        let mut tally = Tally::default();
        for path in files(folder, "ispl") {
            let (text, system) = read_ispl(&path);
            tally.system(&path, &system, &verdicts_in_comments(&text), Deadlock::Loop, Room::SMALL);
        }
        tally
    }

    fn system(
        &mut self,
        path: &Path,
        system: &System,
        expected: &[Option<bool>],
        deadlock: Deadlock,
        room: Room,
    ) {
        let old = system.dialect == Dialect::Year2005;
        let validity = if old { Validity::Reachable } else { Validity::Initial };
        let options = Options { deadlock, validity, ..Options::default() };
        self.ask(path, &system.model, &system.properties, expected, options, room);
    }

    /// Nothing is wrong, and each engine decided at least so many of a hundred properties.
    fn assert(self, percent: &[(&str, usize)]) {
        let Tally { asked, decided, unknown, wrong } = self;
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
        let found = format!("{asked} properties, decided: {decided:?}, undecided: {unknown:#?}");
        for (engine, percent) in percent {
            let decided = decided.iter().find(|(own, _)| own == engine).map_or(0, |(_, count)| *count);
            assert!(decided * 100 >= asked * percent, "{engine} decided only {decided} of {asked}: {found}");
        }
    }
}

fn read_ispl(path: &Path) -> (String, System) {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let loaded = servanda_ispl::load(&SourceFile::new(path.display().to_string(), text.as_str()));
    match loaded.system {
        Some(system) => (text, system),
        None => panic!("{}: {:?}", path.display(), loaded.diagnostics),
    }
}

/// Diagrams do not decide the past over what lies further ahead than a step, of which the sample of protocols has some.
const ALL: &[(&str, usize)] = &[("enumerate", 100), ("tableau", 100), ("bdd", 97), ("sat", 90)];

/// As [`ALL`], with messages under way, time and fairness of steps.
const REAL: &[(&str, usize)] = &[("enumerate", 100), ("tableau", 100), ("bdd", 95), ("sat", 80)];

#[test]
fn every_verdict_of_the_sample_of_protocols() {
    Tally::pact(&sample("pact")).assert(ALL);
}

#[test]
fn every_verdict_and_size_of_the_sample_of_real_protocols() {
    Tally::pact(&sample("pact2")).assert(REAL);
}

#[test]
fn every_verdict_of_the_sample_of_ispl_models() {
    Tally::ispl(&sample("ispl")).assert(ALL);
}

#[test]
fn every_verdict_of_the_ispl_examples() {
    Tally::ispl(&examples()).assert(&[("enumerate", 100), ("tableau", 100), ("bdd", 100)]);
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_verdict_of_the_generated_protocols() {
    Tally::pact(&outside("random-pact")).assert(ALL);
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_verdict_and_size_of_the_generated_real_protocols() {
    Tally::pact(&outside("random-pact2")).assert(REAL);
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_verdict_of_the_generated_ispl_models() {
    Tally::ispl(&outside("random-ispl")).assert(ALL);
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_verdict_of_the_public_ispl_models() {
    let folder = outside("ispl");
    let verdicts = std::fs::read_to_string(folder.join("verdicts.json")).expect("the verdicts");
    let verdicts: serde_json::Value = serde_json::from_str(&verdicts).expect("JSON");
    let mut tally = Tally::default();
    for path in files(&folder, "ispl") {
        let entry = &verdicts[path.file_name().unwrap_or_default().to_string_lossy().as_ref()];
        let Some(expected) = entry["verdicts"].as_array() else { continue };
        let read = |verdict: &serde_json::Value| verdict.as_str().and_then(|word| word.parse().ok());
        let expected: Vec<Option<bool>> = expected.iter().map(read).collect();
        let deadlock = if entry["deadlock"] == true { Deadlock::Strict } else { Deadlock::Loop };
        tally.system(&path, &read_ispl(&path).1, &expected, deadlock, Room::LARGE);
    }
    tally.assert(&[("bdd", 100)]);
}
