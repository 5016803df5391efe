//! Damaged inputs. The targets of the fuzzer on damaged corpora, and every command on damaged files: nothing panics, every exit status is one that
//! is documented, nothing takes longer than it may, and nothing floods the terminal.
//!
//! It runs for a moment; `SERVANDA_SECONDS=600` makes that ten minutes, `SERVANDA_SEED` gives other cases. Each case follows from the seed and
//! its number, which are told when it fails; `SERVANDA_CASE` then tries that case alone.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "long runs tell what they tried")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;
use std::time::{Duration, Instant};

use servanda_testkit::damage;
use servanda_testkit::random::Dice;

use crate::program::command_in;

mod commands;
#[path = "../../../../fuzz/targets.rs"]
mod targets;

use commands::{Attempt, Damaged, SECONDS, files, repository};

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

/// What a busy machine may add to the limit of a run.
const MORE: Duration = Duration::from_secs(20);

#[test]
fn every_command_stands_damaged_files() {
    let damaged = Damaged::read();
    let directory = tempfile::tempdir().unwrap();
    let (mut tried, mut statuses) = (0_u64, [0_u64; 4]);
    for (number, mut dice) in cases(Duration::from_secs(3)) {
        let Attempt { words, text } = damaged.attempt(directory.path(), &mut dice);
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        let begun = Instant::now();
        let mut command = command_in(directory.path(), &arguments);
        let ran = command.stdin(Stdio::null()).output().unwrap();
        let told = |what: &str| {
            let stderr = String::from_utf8_lossy(&ran.stderr);
            let shown: String = stderr.chars().take(2000).collect();
            format!("case {number}, {arguments:?}: {what}\n{shown}\n---\n{}", String::from_utf8_lossy(&text))
        };
        let status = ran.status.code().unwrap_or(-1);
        assert!((0..=3).contains(&status), "{}", told(&format!("status {status}")));
        let panicked = ran.stderr.windows(8).any(|words| words == b"panicked");
        assert!(!panicked, "{}", told("a panic"));
        let limit = Duration::from_secs(SECONDS);
        assert!(begun.elapsed() < limit + MORE, "{}", told(&format!("{:?}", begun.elapsed())));
        assert!(ran.stderr.len() < 2_000_000, "{}", told(&format!("{} bytes of errors", ran.stderr.len())));
        let escapes = ran.stderr.iter().filter(|byte| **byte == 0x1b).count();
        assert_eq!(escapes, 0, "{}", told("commands for the terminal"));
        tried += 1;
        statuses[status as usize] += 1;
    }
    println!("{tried} runs, by exit status: {statuses:?}");
    assert!(tried > 0);
}
