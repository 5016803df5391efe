//! ISPL models whose verdicts MCMAS gives, decided with diagrams and, where they are small, by the other engines.

use std::path::{Path, PathBuf};

use servanda_engine::{Deadlock, Halt, NoLimits, Options, Validity, Verdict};
use servanda_enumerate::Explored;
use servanda_ispl::{Dialect, System, verdicts_in_comments};
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;
use servanda_tableau::Tableau;

/// Where MCMAS's verdict is not that of the semantics. In m186 the property is `AX A(!E(x4 U x4) U EG K(Ag2, x1))` under a
/// fairness constraint that confines fair runs to states where Ag3.v2 holds: there x4 never holds and EG K(Ag2, x1) holds at
/// the latest one step on, so the property is true of all fair runs. MCMAS says false: its `A(. U .)` also looks at
/// paths into states that lie on no fair run.
const OTHERWISE: &[(&str, &str)] = &[("m186.ispl", "formula_4")];

/// The reference engine is asked about models up to this size.
const SMALL: u32 = 20_000;

// Tests may print; the lint does not know the helpers of a test for part of it.
#[allow(clippy::print_stdout)]
fn say(text: std::fmt::Arguments<'_>) {
    println!("{text}");
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

fn load(path: &Path) -> (String, System) {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let loaded = servanda_ispl::load(&SourceFile::new(path.display().to_string(), text.as_str()));
    match loaded.system {
        Some(system) => (text, system),
        None => panic!("{}: {:?}", path.display(), loaded.diagnostics),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ispl"));
    files.sort();
    files
}

/// Decides every formula with both engines and collects what differs from what is expected.
fn check(
    path: &Path,
    system: &System,
    expected: &[Option<bool>],
    deadlock: Deadlock,
    wrong: &mut Vec<String>,
) -> usize {
    let validity = if system.dialect == Dialect::Year2005 { Validity::Reachable } else { Validity::Initial };
    let options = Options { deadlock, validity, ..Options::default() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let started = std::time::Instant::now();
    let mut symbolic = match Symbolic::new(&system.model, options, 1 << 22, &NoLimits) {
        Ok(symbolic) => symbolic,
        Err(halt) => {
            wrong.push(format!("{name}: {halt:?}"));
            return 0;
        }
    };
    let small = symbolic.states() <= SMALL.into();
    let mut explored = small.then(|| Explored::new(&system.model, options, &NoLimits));
    let mut on_the_fly = small.then(|| Tableau::new(&system.model, options, 1, &NoLimits));
    let mut decided = 0;
    for (property, expected) in system.properties.iter().zip(expected) {
        let by_diagrams = symbolic.decide(&property.formula, &NoLimits);
        let reference = match &mut explored {
            Some(Ok(explored)) => Some(explored.decide(&property.formula, &NoLimits)),
            _ => None,
        };
        let by_tableau = match &mut on_the_fly {
            Some(Ok(engine)) => Some(engine.decide(&property.formula, &NoLimits)),
            _ => None,
        };
        let answers = [("bdd", Some(by_diagrams)), ("enumerate", reference), ("tableau", by_tableau)];
        for (engine, answer) in answers {
            let verdict = match answer {
                Some(Ok(Verdict::Unknown(reason))) => {
                    say(format_args!("{name} {}: {engine} does not know: {reason}", property.name));
                    continue;
                }
                Some(Ok(verdict)) => verdict,
                Some(Err(Halt::TooLarge(reason))) => {
                    say(format_args!("{name} {}: {engine} does not know: {reason}", property.name));
                    continue;
                }
                Some(Err(halt)) => {
                    wrong.push(format!("{name} {}: {engine} stopped: {halt:?}", property.name));
                    continue;
                }
                None => continue,
            };
            decided += 1;
            let otherwise = OTHERWISE.contains(&(name.as_str(), property.name.as_str()));
            if expected.is_some() && (verdict.decided() != *expected) != otherwise {
                wrong.push(format!("{name} {}: {engine} says {verdict:?}: {}", property.name, property.text));
            }
        }
    }
    if started.elapsed().as_secs_f64() > 1.0 {
        say(format_args!(
            "{name}: {:.2} s, {} states, {} nodes",
            started.elapsed().as_secs_f64(),
            symbolic.states(),
            symbolic.statistics().peak_nodes
        ));
    }
    decided
}

#[test]
fn every_verdict_of_the_random_ispl_corpus() {
    let folder = corpus().join("random-ispl");
    if !folder.is_dir() {
        println!("skipped: no corpus here");
        return;
    }
    let (mut wrong, mut decided) = (Vec::new(), 0);
    for path in files(&folder) {
        let (text, system) = load(&path);
        decided += check(&path, &system, &verdicts_in_comments(&text), Deadlock::Loop, &mut wrong);
    }
    println!("{decided} verdicts");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_verdict_of_the_examples() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut wrong, mut decided) = (Vec::new(), 0);
    for path in files(&examples) {
        let (text, system) = load(&path);
        decided += check(&path, &system, &verdicts_in_comments(&text), Deadlock::Loop, &mut wrong);
    }
    assert!(decided > 0, "no example was checked");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_verdict_of_the_public_ispl_models() {
    let folder = corpus().join("ispl");
    if !folder.is_dir() {
        println!("skipped: no corpus here");
        return;
    }
    let verdicts = std::fs::read_to_string(folder.join("verdicts.json")).expect("the verdicts");
    let verdicts: serde_json::Value = serde_json::from_str(&verdicts).expect("JSON");
    let only = std::env::var("SERVANDA_ONLY").unwrap_or_default();
    let (mut wrong, mut decided) = (Vec::new(), 0);
    for path in files(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let entry = &verdicts[&name];
        if entry.is_null() || !name.contains(&only) {
            continue;
        }
        let expected: Vec<Option<bool>> = entry["verdicts"]
            .as_array()
            .map(|all| {
                all.iter().map(|verdict| verdict.as_str().and_then(|word| word.parse().ok())).collect()
            })
            .unwrap_or_default();
        let deadlock = if entry["deadlock"] == true { Deadlock::Strict } else { Deadlock::Loop };
        let (_, system) = load(&path);
        println!("{name}");
        decided += check(&path, &system, &expected, deadlock, &mut wrong);
    }
    println!("{decided} verdicts");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
