//! Very many damaged files, and every command on them, within one process: a hundred times as many a second as processes would be.
//!
//! `SERVANDA_CASES` says how many (a million: `SERVANDA_CASES=1000000 cargo test --release -p servanda --test storm`), `SERVANDA_SEED` which.
//! Each case follows from the seed and its number. The work is done by this program started again: should it crash, be ended or hang, the case is
//! known, and the next one is gone on with. A run may end with the statuses 0 to 3, must not panic, and ends within its limit and half a
//! second, by the clock of the processor as well as that of the wall.

#![allow(clippy::print_stdout, reason = "it tells what was tried")]

#[path = "suite/fuzz/commands.rs"]
mod commands;
#[allow(
    dead_code,
    unused_imports,
    reason = "its beginning is another one here, and its own tests are not run"
)]
#[path = "../src/main.rs"]
mod program;

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use clap::Parser as _;
use servanda_testkit::random::Dice;

use commands::{Attempt, Damaged, SECONDS};
use program::cli;

/// So long a run may take beyond its limit.
const MORE: Duration = Duration::from_millis(500);

/// Who says nothing for so long hangs, also on a busy machine.
const HANGS: Duration = Duration::from_secs(60);

/// The status of a worker that met something that must not be.
const BROKEN: i32 = 99;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn main() {
    match env::var_os("SERVANDA_STORM") {
        Some(folder) => work(Path::new(&folder)),
        None => lead(),
    }
}

/// What a worker has done: the number of the case that it is at, and how often each status came up.
#[derive(Clone, Copy, Default)]
struct Record {
    at: u64,
    statuses: [u64; 4],
}

impl Record {
    const BYTES: usize = 40;

    fn write(&self, file: &mut fs::File) {
        let words = [self.at].into_iter().chain(self.statuses);
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&bytes)).expect("the record is written");
    }

    fn read(path: &Path) -> Self {
        let mut bytes = [0; Self::BYTES];
        let known = fs::File::open(path).and_then(|mut file| file.read_exact(&mut bytes)).is_ok();
        let word = |place: usize| u64::from_le_bytes(bytes[8 * place..][..8].try_into().expect("8 bytes"));
        if known {
            Record { at: word(0), statuses: [word(1), word(2), word(3), word(4)] }
        } else {
            Record::default()
        }
    }
}

fn dice(case: u64) -> Dice {
    let seed = number("SERVANDA_SEED").unwrap_or(2026);
    Dice::new(seed ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Tries one case after the other in a folder.
fn work(folder: &Path) {
    let damaged = Damaged::read();
    env::set_current_dir(folder).expect("the folder is there");
    let record_file = fs::OpenOptions::new().write(true).create(true).truncate(false).open("../record");
    let mut record_file = record_file.expect("the record");
    let mut record = Record::read(Path::new("../record"));
    let (from, until) = (number("SERVANDA_FROM").unwrap_or(0), number("SERVANDA_UNTIL").unwrap_or(0));
    let failed = |case: u64, Attempt { words, text }: &Attempt, what: &str| {
        let text = String::from_utf8_lossy(text);
        let _ = fs::write("../failure", format!("case {case}: {what}: {words:?}\n{text}"));
        process::exit(BROKEN)
    };
    for case in from..until {
        record.at = case;
        record.write(&mut record_file);
        let attempt = damaged.attempt(Path::new("."), &mut dice(case));
        let (begun, used) = (Instant::now(), processor_time());
        let all = ["servanda".to_owned()].into_iter().chain(attempt.words.iter().cloned());
        let ran = catch_unwind(AssertUnwindSafe(|| match cli::args::Arguments::try_parse_from(all) {
            Ok(arguments) => cli::run(arguments),
            Err(_) => 2,
        }));
        let Ok(status) = ran else { failed(case, &attempt, "a panic") };
        let Some(count) = record.statuses.get_mut(usize::from(status)) else {
            failed(case, &attempt, &format!("status {status}"))
        };
        *count += 1;
        let most = Duration::from_secs(SECONDS) + MORE;
        let used = processor_time().saturating_sub(used);
        if begun.elapsed() > most && used > most {
            failed(case, &attempt, &format!("{:?} for a limit of {SECONDS} s", begun.elapsed()));
        }
    }
    record.at = until;
    record.write(&mut record_file);
}

/// The time of the processor that this program has used, where the system says; otherwise the wall clock counts alone.
fn processor_time() -> Duration {
    let Ok(line) = fs::read_to_string("/proc/self/stat") else { return Duration::MAX };
    let fields: Vec<&str> = line.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: u64 = [11, 12].iter().filter_map(|place| fields.get(*place)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Has the cases tried, and tells what came of it.
fn lead() {
    let count = number("SERVANDA_CASES").unwrap_or(400);
    let only = number("SERVANDA_CASE");
    let place = tempfile::tempdir().expect("a directory");
    let folder = place.path().join("work");
    fs::create_dir(&folder).expect("a directory");
    let record_path = place.path().join("record");
    let (mut next, until) = only.map_or((0, count), |case| (case, case + 1));
    let (begun, mut ended, mut failures) = (Instant::now(), 0_u64, Vec::new());
    while next < until {
        let mut worker = Command::new(env::current_exe().expect("this program"))
            .env("SERVANDA_STORM", &folder)
            .env("SERVANDA_FROM", next.to_string())
            .env("SERVANDA_UNTIL", until.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(place.path().join("errors")).expect("a file"))
            .spawn()
            .expect("this program starts");
        let status = loop {
            let before = Record::read(&record_path).at;
            let since = Instant::now();
            let ended = loop {
                if let Some(status) = worker.try_wait().expect("the worker") {
                    break Some(status.code());
                }
                if Record::read(&record_path).at != before {
                    break None;
                }
                if since.elapsed() > HANGS {
                    let _ = worker.kill();
                    let _ = worker.wait();
                    fs::write(place.path().join("failure"), format!("case {before}: hangs")).expect("a file");
                    break Some(Some(BROKEN));
                }
                thread::sleep(Duration::from_millis(20));
            };
            if let Some(status) = ended {
                break status;
            }
        };
        let record = Record::read(&record_path);
        match status {
            Some(0) => break,
            // It was ended by its limits, from outside, with what it had found by then.
            Some(1..=3) => ended += 1,
            Some(BROKEN) => {
                failures.push(fs::read_to_string(place.path().join("failure")).unwrap_or_default())
            }
            other => failures.push(format!("case {}: ended with {other:?}", record.at)),
        }
        if failures.last().is_some_and(|last| last.starts_with(&format!("case {}:", record.at))) {
            println!("{}\n{}", failures[failures.len() - 1], kept(place.path()));
        }
        next = record.at + 1;
        let seconds = begun.elapsed().as_secs();
        println!("{next} cases after {seconds} s, {ended} ended from outside, {} failures", failures.len());
    }
    let (Record { statuses, .. }, seconds) = (Record::read(&record_path), begun.elapsed().as_secs_f64());
    println!("{} damaged inputs in {seconds:.0} s", until - only.unwrap_or(0));
    println!("by exit status: {statuses:?}, and {ended} that were ended by their limits, from outside");
    println!("panics, other statuses, overruns: {}", failures.len());
    failures.iter().for_each(|failure| println!("{failure}"));
    assert!(failures.is_empty(), "{} cases are not as they must be", failures.len());
}

/// The end of what was written to standard error.
fn kept(place: &Path) -> String {
    let path: PathBuf = place.join("errors");
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1500)..]).into_owned()
}
