//! Real recordings and real mappings, damaged: nothing panics, nothing hangs, every finding has its place, and the same log gives the
//! same findings.
//!
//! It runs for a moment; `SERVANDA_SECONDS=600` makes that ten minutes, `SERVANDA_SEED` gives other cases. Each case follows from the
//! seed and its number, which are told when it fails; `SERVANDA_CASE` then tries that case alone.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "long runs tell what they tried")]

mod damage;
mod json;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use servanda_audit::mapping::Mapping;
use servanda_audit::propose::Survey;
use servanda_audit::{After, Auditor, Finding, Line, Options};
use servanda_engine::{Halt, NoLimits};
use servanda_library::{Entry, Recording, entries};
use servanda_syntax::SourceFile;
use servanda_testkit::random::Dice;

use crate::common::Setup;

/// A case that takes longer hangs; on a machine that is busy this is more than a hundred times what the longest takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was tried.
#[derive(Default, Debug)]
struct Tally {
    logs: u64,
    lines: u64,
    bytes: u64,
    findings: u64,
    bad_lines: u64,
    mappings: u64,
    mappings_in_order: u64,
    judged_by_damaged: u64,
    models_refused: u64,
}

/// A recording with the mapping that reads it.
struct Known {
    entry: &'static Entry,
    recording: &'static Recording,
    setup: Arc<Setup>,
}

fn known() -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    for entry in entries() {
        for recording in entry.recordings {
            let same = |it: &&Known| it.entry.name == entry.name && it.recording.source == recording.source;
            let setup = match known.iter().rfind(same) {
                Some(known) => known.setup.clone(),
                None => Arc::new(read(entry, recording.source, None).unwrap_or_else(|found| {
                    panic!("{}: {found:?}", entry.name);
                })),
            };
            known.push(Known { entry, recording, setup });
        }
    }
    known
}

/// The mapping of an entry, or another text in its place. Models that are not there are any model of the entry.
fn read(
    entry: &Entry,
    source: &str,
    instead: Option<&str>,
) -> Result<Setup, Vec<servanda_syntax::Diagnostic>> {
    let mapping = entry.mapping(source).expect("every recording has its mapping");
    let model = |name: &str| {
        entry
            .text_from(mapping.path, name)
            .unwrap_or(&entry.models[name.len() % entry.models.len()])
            .text
            .into()
    };
    Setup::new(instead.unwrap_or(mapping.text), model)
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

#[test]
fn damaged_recordings_and_mappings_break_nothing() {
    let seed = number("SERVANDA_SEED").unwrap_or(2026);
    let only = number("SERVANDA_CASE");
    let known = known();
    let case = Arc::new(AtomicU64::new(0));
    watch(case.clone(), seed);
    let until = Instant::now() + Duration::from_secs(number("SERVANDA_SECONDS").unwrap_or(2));
    let mut tally = Tally::default();
    let mut longest = (Duration::ZERO, 0);
    for number in only.unwrap_or(1).. {
        case.store(number, Ordering::Relaxed);
        let begun = Instant::now();
        let tried = catch_unwind(AssertUnwindSafe(|| attempt(&known, seed, number, &mut tally)));
        assert!(tried.is_ok(), "case {number}: SERVANDA_SEED={seed} SERVANDA_CASE={number} tries it alone");
        longest = longest.max((begun.elapsed(), number));
        if Instant::now() > until || only.is_some() {
            case.store(u64::MAX, Ordering::Relaxed);
            break;
        }
    }
    println!("{tally:?}, the longest case: {longest:?}");
    assert!(only.is_some() || tally.logs > 0 && tally.mappings > 0, "{tally:?}");
}

/// What cannot be caught, an endless loop, ends the test with the number of its case.
fn watch(case: Arc<AtomicU64>, seed: u64) {
    std::thread::spawn(move || {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let now = case.load(Ordering::Relaxed);
            if now == u64::MAX {
                return;
            }
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > PATIENCE {
                eprintln!("case {now} hangs: SERVANDA_SEED={seed} SERVANDA_CASE={now} tries it alone");
                std::process::abort();
            }
        }
    });
}

fn attempt(known: &[Known], seed: u64, number: u64, tally: &mut Tally) {
    let mut dice = Dice::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let it = &known[dice.below(known.len())];
    let other = &known[dice.below(known.len())];
    let log = damage::log(it.recording.text, other.recording.text, &mut dice);
    // Most of the time goes into building judges, so a damaged mapping is tried with one log and a whole one with several.
    if dice.chance(30) {
        let mapping = it.entry.mapping(it.recording.source).expect("every recording has its mapping");
        let text = damage::mapping(mapping.text, &mut dice);
        mapping_is_read(&text, tally);
        if let Ok(setup) = read(it.entry, it.recording.source, Some(&text)) {
            tally.mappings_in_order += 1;
            if judge(&setup, &log, &mut dice, tally) {
                tally.judged_by_damaged += 1;
            }
        }
    } else {
        assert!(judge(&it.setup, &log, &mut dice, tally), "the models of the library can be followed");
    }
    let mut survey = Survey::default();
    log.iter().for_each(|line| survey.line(line));
    if let Ok(proposal) = survey.proposal("log.jsonl", "model.pact") {
        let (mapping, found) = Mapping::read(&SourceFile::new("proposed", proposal.mapping.clone()));
        assert!(mapping.is_some(), "{found:?}\n{}", proposal.mapping);
    }
}

/// A mapping is read, or it is said why not, at a place in it.
fn mapping_is_read(text: &str, tally: &mut Tally) {
    tally.mappings += 1;
    let (mapping, found) = Mapping::read(&SourceFile::new("damaged.audit.toml", text));
    assert!(mapping.is_some() || !found.is_empty());
    for it in &found {
        let (start, end) = (it.span.start as usize, it.span.end as usize);
        assert!(start <= end && end <= text.len(), "{it:?}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{it:?}");
    }
}

/// Judges a log twice: what is found is at its lines, and the same both times. Not where a model cannot be followed.
fn judge(setup: &Setup, log: &[Vec<u8>], dice: &mut Dice, tally: &mut Tally) -> bool {
    let after = [After::Resync, After::Stop, After::Skip][dice.below(3)];
    let max_keys = [1_000_000, 1_000_000, 0, 1, 3][dice.below(5)];
    let max_sets = if dice.chance(10) { dice.below(4) } else { Options::default().max_sets };
    let options = Options { after, max_keys, max_sets, ..Options::default() };
    let complete = dice.chance(50);
    let run = || -> Result<Vec<Finding>, Halt> {
        let mut findings = Vec::new();
        let mut auditor = Auditor::new(&setup.mapping, &setup.asked(), options.clone(), &NoLimits)?;
        for (line, number) in log.iter().zip(1..) {
            auditor.push(line, Line { file: 0, line: number }, &mut findings, &NoLimits)?;
        }
        auditor.finish(complete, &mut findings, &NoLimits)?;
        let stats = auditor.stats();
        assert_eq!(stats.lines, log.len() as u64);
        assert!(!complete || stats.live == 0, "{stats:?}");
        Ok(findings)
    };
    let (first, second) = match (run(), run()) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(_), Err(_)) => {
            tally.models_refused += 1;
            return false;
        }
        _ => panic!("the same log can be judged once only"),
    };
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    for finding in &first {
        let line = finding.at.map_or(1, |at| at.line);
        assert!(1 <= line && line <= log.len() as u64, "{finding:?}");
    }
    tally.logs += 1;
    tally.lines += log.len() as u64;
    tally.bytes += log.iter().map(|line| line.len() as u64).sum::<u64>();
    tally.findings += first.len() as u64;
    tally.bad_lines += first.iter().filter(|it| it.code == "bad-line").count() as u64;
    true
}
