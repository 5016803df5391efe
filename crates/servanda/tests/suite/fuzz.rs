//! Damaged inputs. The targets of the fuzzer on damaged corpora, and every command on damaged files: nothing panics, every exit status is one that
//! is documented, nothing takes longer than it may, and nothing floods the terminal.
//!
//! It runs for a moment; `SERVANDA_SECONDS=600` makes that ten minutes, `SERVANDA_SEED` gives other cases. Each case follows from the seed and
//! its number, which are told when it fails; `SERVANDA_CASE` then tries that case alone.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "long runs tell what they tried")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use servanda_testkit::random::Dice;

use crate::program::command_in;

#[path = "../../../../fuzz/targets.rs"]
mod targets;

/// Pieces that matter to some parser.
const PIECES: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "..",
    "\"",
    "'",
    "_",
    "--",
    "-->",
    "->",
    "=",
    "!",
    "//",
    "/*",
    "\n",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "AG",
    "E[",
    "U",
    "in",
    "all i in 1..3 :",
    "SC(",
    "K(",
    "<{",
    "for i in 1..9 {",
    "machine M {",
    "∧",
    "\u{0}",
    "\u{1b}[2J",
    "end Agent",
];

fn environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// The cases that are tried: those of the seed until the time is up, or one.
fn cases(moment: Duration) -> impl Iterator<Item = (u64, Dice)> {
    let seed = environment("SERVANDA_SEED").unwrap_or(2026);
    let until = Instant::now() + environment("SERVANDA_SECONDS").map_or(moment, Duration::from_secs);
    let only = environment("SERVANDA_CASE");
    let numbers = only.map_or(0..u64::MAX, |case| case..case + 1);
    let dice = move |number: u64| (number, Dice::new(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    numbers.take_while(move |_| Instant::now() < until).map(dice)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a directory with one of these endings, or all, in the order of their names.
fn files(directory: &Path, endings: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let ending =
        |path: &Path| path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_owned();
    let wanted = paths
        .iter()
        .filter(|path| path.is_file() && (endings.is_empty() || endings.contains(&ending(path).as_str())));
    wanted.map(|path| (ending(path), fs::read(path).unwrap())).collect()
}

/// Bytes are taken away, changed, repeated and moved, pieces are put in, and the end of another text may follow.
fn damage(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    for _ in 0..=dice.below(5) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + dice.below(24)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.insert(at, dice.below(256) as u8),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            3 => {
                let again = bytes[at..end].repeat(1 + dice.below(4));
                bytes.splice(at..at, again);
            }
            4 => {
                let from = dice.below(bytes.len() + 1);
                let moved = bytes[from..(from + dice.below(60)).min(bytes.len())].to_vec();
                bytes.splice(at..end, moved);
            }
            5 => {
                bytes.truncate(at);
                bytes.extend_from_slice(&other[dice.below(other.len() + 1)..]);
            }
            _ => {
                let piece = PIECES[dice.below(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
        }
    }
}

/// A target with the files that are damaged for it.
type Corpus = (&'static str, fn(&[u8]), Vec<Vec<u8>>);

#[test]
fn the_targets_of_the_fuzzer_keep_their_promises_on_damaged_corpora() {
    let corpora: Vec<Corpus> = targets::ALL
        .iter()
        .map(|(name, target)| {
            let files = files(&repository().join("fuzz/corpus").join(name), &[]);
            assert!(!files.is_empty(), "{name} has no corpus");
            (*name, *target, files.into_iter().map(|(_, bytes)| bytes).collect())
        })
        .collect();
    for (name, target, corpus) in &corpora {
        corpus.iter().for_each(|bytes| target(bytes));
        println!("{name}: {} files", corpus.len());
    }
    let mut tried = 0_u64;
    for (number, mut dice) in cases(Duration::from_secs(2)) {
        let (name, target, corpus) = &corpora[number as usize % corpora.len()];
        let mut bytes = corpus[dice.below(corpus.len())].clone();
        let other = &corpus[dice.below(corpus.len())];
        damage(&mut bytes, other, &mut dice);
        let begun = Instant::now();
        let kept = catch_unwind(AssertUnwindSafe(|| target(&bytes)));
        let text = String::from_utf8_lossy(&bytes);
        assert!(kept.is_ok(), "target {name}, case {number}: a promise is broken:\n{text}");
        assert!(begun.elapsed() < Duration::from_secs(60), "target {name}, case {number}: hangs:\n{text}");
        tried += 1;
    }
    println!("{tried} damaged inputs");
    assert!(tried > 0);
}

/// Every command that reads a file, with what it is asked.
const COMMANDS: [&[&str]; 22] = [
    &["check", "FILE", "--trace"],
    &["check", "FILE", "--format", "json"],
    &["check", "FILE", "--format", "jsonl", "--engine", "bdd"],
    &["check", "FILE", "--format", "junit", "--engine", "tableau"],
    &["check", "FILE", "--format", "sarif", "--engine", "enumerate"],
    &["check", "FILE", "--format", "github", "--engine", "sat"],
    &["check", "FILE", "--formula", "AG EF does(_)", "--deadlock", "strict"],
    &["size", "FILE"],
    &["conform", "FILE"],
    &["fmt", "FILE"],
    &["equiv", "FILE", "OTHER", "--relation", "weak"],
    &["minimise", "FILE", "--relation", "strong"],
    &["sim", "FILE", "--random", "20", "--seed", "1"],
    &["explain", "FILE", "--formula", "AG EX true"],
    &["states", "FILE", "--formula", "EX true"],
    &["convert", "FILE", "--to", "dot"],
    &["convert", "FILE", "--to", "aut"],
    &["convert", "FILE", "--to", "ispl"],
    &["convert", "FILE", "--to", "smv"],
    &["convert", "FILE", "--to", "json"],
    &["check", "--project", "TOML"],
    &["audit", "FILE", "--map", "TOML"],
];

/// The limit of a run, and what a busy machine may add to it.
const LIMIT: Duration = Duration::from_secs(2);
const MORE: Duration = Duration::from_secs(20);

#[test]
fn every_command_stands_damaged_files() {
    let root = repository();
    let models = files(&root.join("examples"), &["pact", "ispl", "ccs", "aut"]);
    let small: Vec<_> = ["pact", "ispl", "ccs", "aut"]
        .iter()
        .flat_map(|kind| {
            let corpus = files(&root.join("fuzz/corpus").join(kind), &[]);
            corpus.into_iter().map(|(_, bytes)| ((*kind).to_owned(), bytes))
        })
        .collect();
    let models: Vec<(String, Vec<u8>)> = models.into_iter().chain(small).collect();
    let tables = files(&root.join("fuzz/corpus/project"), &[]);
    let directory = tempfile::tempdir().unwrap();
    let (mut tried, mut statuses) = (0_u64, [0_u64; 4]);
    for (number, mut dice) in cases(Duration::from_secs(3)) {
        let (kind, text) = &models[dice.below(models.len())];
        let mut bytes = text.clone();
        if !dice.chance(5) {
            damage(&mut bytes, &models[dice.below(models.len())].1, &mut dice);
        }
        let (_, table) = &tables[dice.below(tables.len())];
        let mut table = table.clone();
        damage(&mut table, text, &mut dice);
        let names = [format!("damaged.{kind}"), "other.pact".to_owned(), "servanda.toml".to_owned()];
        let contents = [&bytes, text, &table];
        for (name, content) in names.iter().zip(contents) {
            fs::write(directory.path().join(name), content).unwrap();
        }
        let arguments: Vec<&str> = COMMANDS[dice.below(COMMANDS.len())]
            .iter()
            .map(|word| match *word {
                "FILE" => names[0].as_str(),
                "OTHER" => names[1].as_str(),
                "TOML" => names[2].as_str(),
                word => word,
            })
            .collect();
        let limited = !["fmt", "sim"].contains(&arguments[0]);
        let limits: &[&str] = if limited { &["--timeout", "2s", "--memory", "1G"] } else { &[] };
        let begun = Instant::now();
        let mut command = command_in(directory.path(), &[&arguments[..], limits].concat());
        let ran = command.stdin(Stdio::null()).output().unwrap();
        let told = |what: &str| {
            let stderr = String::from_utf8_lossy(&ran.stderr);
            let shown: String = stderr.chars().take(2000).collect();
            format!("case {number}, {arguments:?}: {what}\n{shown}\n---\n{}", String::from_utf8_lossy(&bytes))
        };
        let status = ran.status.code().unwrap_or(-1);
        assert!((0..=3).contains(&status), "{}", told(&format!("status {status}")));
        let panicked = ran.stderr.windows(8).any(|words| words == b"panicked");
        assert!(!panicked, "{}", told("a panic"));
        assert!(begun.elapsed() < LIMIT + MORE, "{}", told(&format!("{:?}", begun.elapsed())));
        assert!(ran.stderr.len() < 2_000_000, "{}", told(&format!("{} bytes of errors", ran.stderr.len())));
        let escapes = ran.stderr.iter().filter(|byte| **byte == 0x1b).count();
        assert_eq!(escapes, 0, "{}", told("commands for the terminal"));
        tried += 1;
        statuses[status as usize] += 1;
    }
    println!("{tried} runs, by exit status: {statuses:?}");
    assert!(tried > 0);
}
