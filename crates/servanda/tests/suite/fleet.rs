//! `check --jobs N`: models and settings spread over processes. What is told does not depend on it, and nobody takes others along.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{command_in, run_in, run_on};

const GOOD: &str = "roles A\nstart s\ns -- A: go --> s\nproperty fine expect true = AG in s\n";

/// Its second property is not decided soon.
const ENDLESS: &str = "roles A\nvar x : 0..1000000000 = 0\nstart s\ns -- A: add when x < 1000000000 set x = x + 1 --> s\n\
    property soon = EF x = 3\nproperty late = AG (x != 999999999)\n";

const BITS: &str = "protocol Bits\nparam N = 2\nroles Ann\nvar x[1..N] : 0..1 = 0\nstart s\n\
    for i in 1..N {\n  s -- Ann: up[i] when x[i] < 1 set x[i] = x[i] + 1 --> s\n}\n\
    property few = AG (x[1] = 0 | x[2] = 0)\nproperty up expect true = EF x[N] = 1\n";

const BROKEN: &str = "roles A, A\nstart s\ns -- B: go --> t\nproperty p = AG q\n";

/// A text without what differs from run to run: numbers with a point in them or a power of ten, large ones, and how much room there is
/// between words.
fn unmeasured(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        if first.is_ascii_digit() {
            let (number, after) = rest.split_at(digits);
            let power = after.strip_prefix("e-").map(|power| power.trim_start_matches(char::is_numeric));
            let measured = number.contains('.') || number.len() > 6 || power.is_some();
            shown.push_str(if measured { "#" } else { number });
            rest = power.unwrap_or(after);
        } else {
            if first != ' ' || !shown.ends_with(' ') {
                shown.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    shown
}

/// Compares line by line, so that what differs can be read.
fn assert_same(one: &str, other: &str, what: &str) {
    for (one, other) in one.lines().zip(other.lines()) {
        assert_eq!(one, other, "{what}");
    }
    assert_eq!(one.lines().count(), other.lines().count(), "{what}");
}

/// The lines of `jsonl` about single verdicts come when these are known.
fn in_order(format: &str, text: &str) -> String {
    let (verdicts, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| format == "jsonl" && line.starts_with(r#"{"type":"verdict""#));
    let mut verdicts = verdicts;
    verdicts.sort_unstable();
    [verdicts, others].concat().join("\n")
}

fn files() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("good.pact", GOOD),
        ("endless.pact", ENDLESS),
        ("bits.pact", BITS),
        ("broken.pact", BROKEN),
        ("empty.pact", ""),
    ] {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

const FORMATS: [&str; 7] = ["text", "json", "jsonl", "junit", "sarif", "csv", "github"];

/// Everything that is told, with so many jobs.
fn told(directory: &Path, arguments: &[&str], (format, jobs): (&str, &str)) -> (i32, String, String, String) {
    let output = directory.join("results");
    let there = ["--format", format, "--jobs", jobs];
    let ran = run_in(directory, &[arguments, &there].concat());
    let kept = run_in(directory, &[arguments, &there, &["--output", "results"]].concat());
    assert_eq!(kept.status, ran.status);
    let kept = fs::read_to_string(&output).unwrap();
    let plain = |text: &str| unmeasured(&in_order(format, text));
    // What a log is told of verdicts comes when these are known, so the lines of several processes come in turns.
    let mut log: Vec<String> = unmeasured(&ran.stderr).lines().map(str::to_owned).collect();
    if arguments.contains(&"-v") {
        log.sort_unstable();
    }
    (ran.status, plain(&ran.stdout), log.join("\n"), plain(&kept))
}

#[test]
fn what_is_told_does_not_depend_on_the_number_of_jobs() {
    let directory = files();
    let several: &[&[&str]] = &[
        &["check", "bits.pact", "--param", "N=2..6", "--trace"],
        &[
            "check",
            "good.pact",
            "broken.pact",
            "none.pact",
            "empty.pact",
            "bits.pact",
            "good.pact",
            "--stats",
        ],
        &["check", "bits.pact", "good.pact", "--param", "N=3,4", "-v"],
    ];
    for arguments in several {
        for format in FORMATS {
            let alone = told(directory.path(), arguments, (format, "1"));
            for jobs in ["2", "4"] {
                let spread = told(directory.path(), arguments, (format, jobs));
                let what = format!("{arguments:?} {format} {jobs}");
                assert_eq!(spread.0, alone.0, "{what}");
                assert_same(&spread.1, &alone.1, &what);
                assert_same(&spread.2, &alone.2, &what);
                assert_same(&spread.3, &alone.3, &what);
            }
        }
    }
}

#[test]
fn a_project_is_told_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for format in ["text", "jsonl", "sarif"] {
        let with = |jobs: &str| {
            let ran = run_in(&root, &["check", "--project", "examples", "--format", format, "--jobs", jobs]);
            (ran.status, unmeasured(&in_order(format, &ran.stdout)), ran.stderr)
        };
        let (spread, alone) = (with("3"), with("1"));
        assert_eq!((spread.0, spread.2), (alone.0, alone.2), "{format}");
        assert_same(&spread.1, &alone.1, format);
    }
}

#[test]
fn what_growth_looks_like_is_drawn_as_ever() {
    let directory = files();
    for jobs in ["1", "0"] {
        let ran = run_in(
            directory.path(),
            &["check", "bits.pact", "--param", "N=2..5", "--plot", "growth.svg", "--jobs", jobs],
        );
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        let drawn = fs::read_to_string(directory.path().join("growth.svg")).unwrap();
        assert!(drawn.contains("states"), "{drawn}");
        fs::remove_file(directory.path().join("growth.svg")).unwrap();
    }
}

/// Standard input belongs to this process, which reads it itself.
#[test]
fn what_comes_from_standard_input_is_checked_too() {
    for jobs in ["1", "2"] {
        let ran = run_on(GOOD, &["check", "examples/tunnel.pact", "--jobs", jobs]);
        assert!(ran.stdout.contains("✓ fine  true"), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn certificates_of_files_of_the_same_name_do_not_meet() {
    let directory = files();
    for part in ["a", "b"] {
        fs::create_dir(directory.path().join(part)).unwrap();
        fs::write(directory.path().join(part).join("x.pact"), GOOD).unwrap();
    }
    let written = |jobs: &str| {
        let place = format!("proofs{jobs}");
        let ran = run_in(
            directory.path(),
            &["check", "a/x.pact", "b/x.pact", "--certificate", &place, "--jobs", jobs],
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let files = fs::read_dir(directory.path().join(place)).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(written("2"), written("1"));
}

#[test]
fn limits_are_those_of_the_whole_run() {
    let directory = files();
    let started = Instant::now();
    let ran = run_in(
        directory.path(),
        &[
            "check",
            "endless.pact",
            "good.pact",
            "endless.pact",
            "endless.pact",
            "--jobs",
            "2",
            "--engine",
            "enumerate",
            "--timeout",
            "2s",
        ],
    );
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(
        ran.stdout.matches("? late  unknown: the time limit was reached").count(),
        3,
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("✓ fine  true"), "{}", ran.stdout);
}

/// A run that goes on until it is ended: a file that is decided soon, and two that are not.
fn endless(directory: &Path, more: &[&str]) -> Child {
    let files = ["check", "endless.pact", "good.pact", "endless.pact", "--jobs", "2", "--engine", "tableau"];
    let mut command = command_in(directory, &[&files, more].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The processes that a process has started and that are still there.
fn children(parent: u32) -> Vec<u32> {
    let all =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let of_parent = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let mut after = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        let state = after.next() != Some("Z");
        state && after.next() == Some(&parent.to_string())
    };
    all.filter_map(|name| name.parse().ok()).filter(of_parent).collect()
}

fn is_there(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Waits until so many processes are at work that will not end by themselves, and have told something.
fn at_work(run: &Child, many: usize) -> Vec<u32> {
    let begun = Instant::now();
    loop {
        let found = children(run.id());
        if found.len() == many {
            thread::sleep(Duration::from_millis(700));
            if children(run.id()) == found {
                return found;
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{found:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn send(signal: &str, id: u32) {
    let sent = std::process::Command::new("kill").args([signal, &id.to_string()]).status().unwrap();
    assert!(sent.success());
}

fn text(output: Output) -> (String, String, Option<i32>) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn gone(processes: &[u32], within: Duration) {
    let begun = Instant::now();
    while processes.iter().any(|id| is_there(*id)) {
        assert!(begun.elapsed() < within, "{processes:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Processes of a loaded machine are late.
const SOON: Duration = Duration::from_secs(10);

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_killed_takes_nobody_along() {
    let directory = files();
    let run = endless(directory.path(), &[]);
    // One after the other: the second file is done by then, and the third has begun.
    let begun = Instant::now();
    let mut killed = 0;
    while killed < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        for id in at_work(&run, 2 - killed) {
            send(["-KILL", "-ABRT"][killed], id);
            killed += 1;
            gone(&[id], SOON);
        }
    }
    let (stdout, stderr, status) = text(run.wait_with_output().unwrap());
    assert_eq!((status, stderr.as_str()), (Some(3), ""), "{stdout}");
    assert!(stdout.contains("✓ fine  true"), "{stdout}");
    assert!(stdout.contains("✓ soon  true"), "{stdout}");
    for signal in ["signal: 9 (SIGKILL)", "signal: 6 (SIGABRT)"] {
        let reason = format!("? late  unknown: the process that checked it ended with {signal}");
        assert!(stdout.contains(&reason), "{signal}: {stdout}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_end_all_processes_in_good_order() {
    for signal in ["-INT", "-TERM"] {
        let directory = files();
        let run = endless(directory.path(), &["--format", "json"]);
        let processes = at_work(&run, 2);
        send(signal, run.id());
        let begun = Instant::now();
        let (stdout, stderr, status) = text(run.wait_with_output().unwrap());
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        gone(&processes, SOON);
        assert_eq!((status, stderr.as_str()), (Some(3), ""), "{stdout}");
        let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        let words = |file: usize, property: usize| {
            let told = &document["files"][file]["properties"][property];
            (told["verdict"].as_str().unwrap().to_owned(), told["reason"].as_str().unwrap_or("").to_owned())
        };
        let interrupted = ("unknown".to_owned(), "the run was interrupted".to_owned());
        assert_eq!(words(0, 0).0, "true");
        assert_eq!(words(0, 1), interrupted);
        assert_eq!(words(1, 0).0, "true");
        assert_eq!(words(2, 1), interrupted);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_left_behind_when_the_parent_is_killed() {
    let directory = files();
    let mut run = endless(directory.path(), &[]);
    let processes = at_work(&run, 2);
    run.kill().unwrap();
    run.wait().unwrap();
    gone(&processes, SOON);
}

/// A process that cannot be told anything is not waited for.
#[test]
fn a_part_without_an_order_ends() {
    let directory = files();
    let ran = run_in(directory.path(), &["part", "--", "check", "good.pact"]);
    assert_ne!(ran.status, 0);
    assert_eq!(ran.stdout, "");
}

/// A file with so many hosts, all of them this machine.
fn hosts(directory: &Path, processes: usize) {
    let listeners: Vec<_> =
        (0..processes).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines = listeners.iter().map(|listener| format!("{}\n", listener.local_addr().unwrap()));
    fs::write(directory.join("hosts"), lines.collect::<String>()).unwrap();
}

/// Starts one of several hosts in a directory.
fn host(directory: &Path, number: usize, arguments: &[&str]) -> Child {
    let number = number.to_string();
    let place = ["--hosts", "hosts", "--process", &number];
    command_in(directory, &[arguments, &place].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn left(child: Child) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn hosts_share_the_models_and_tell_the_same() {
    let directory = files();
    let question = ["check", "good.pact", "broken.pact", "none.pact", "bits.pact", "good.pact", "bits.pact"];
    let alone = told(directory.path(), &question, ("text", "1"));
    for (processes, jobs) in [(2, "2"), (3, "0")] {
        hosts(directory.path(), processes);
        let question = [&question[..], &["--jobs", jobs]].concat();
        let all = (0..processes).rev().map(|number| host(directory.path(), number, &question));
        let mut all: Vec<_> = all.collect::<Vec<_>>().into_iter().map(left).collect();
        let (status, stdout, stderr) = all.pop().unwrap();
        assert_eq!(status, Some(alone.0), "{stderr}");
        assert_same(&unmeasured(&stdout), &alone.1, "standard output");
        assert_same(&unmeasured(&stderr), &alone.2, "standard error");
        for (status, stdout, stderr) in all {
            assert_eq!((status, stdout.as_str()), (Some(alone.0), ""), "{stderr}");
            assert!(stderr.contains("process 0 reports"), "{stderr}");
        }
    }
}

/// More models than one host has processes, none of which comes to an end.
const MANY: [&str; 9] = [
    "check",
    "endless.pact",
    "endless.pact",
    "endless.pact",
    "endless.pact",
    "--engine",
    "tableau",
    "--jobs",
    "2",
];

#[cfg(unix)]
#[test]
fn a_host_that_is_killed_takes_nobody_along() {
    let directory = files();
    hosts(directory.path(), 2);
    let question = [&MANY[..], &["--timeout", "8s"]].concat();
    let mut all: Vec<_> = (0..2).map(|number| host(directory.path(), number, &question)).collect();
    thread::sleep(Duration::from_secs(4));
    let mut victim = all.pop().unwrap();
    victim.kill().unwrap();
    victim.wait().unwrap();
    let (status, stdout, stderr) = left(all.pop().unwrap());
    assert_eq!(status, Some(3), "{stderr}");
    assert_eq!(stdout.matches("which checked it, is gone").count(), 2, "{stdout}");
    assert_eq!(stdout.matches("unknown: the time limit was reached").count(), 2, "{stdout}");
    // What was known by then stands.
    assert_eq!(stdout.matches("✓ soon").count(), 4, "{stdout}");
}

#[test]
fn hosts_with_other_texts_check_none_of_these() {
    let (directory, other) = (files(), files());
    hosts(directory.path(), 2);
    fs::copy(directory.path().join("hosts"), other.path().join("hosts")).unwrap();
    fs::write(other.path().join("endless.pact"), GOOD).unwrap();
    let question = [&MANY[..], &["--timeout", "5s"]].concat();
    let all = [host(directory.path(), 0, &question), host(other.path(), 1, &question)].map(left);
    let [(status, stdout, stderr), (other, ..)] = all;
    assert_eq!((status, other), (Some(3), Some(3)), "{stderr}");
    // Who says at once that it has another text may be given one more before the first host has begun with its second.
    let refused = stdout.matches("endless.pact has another text there, or none").count();
    assert!((2..4).contains(&refused), "{stdout}");
    assert_eq!(stdout.matches("✓ soon").count(), 4 - refused, "{stdout}");
}

#[test]
fn hosts_with_and_without_jobs_do_not_begin() {
    let directory = files();
    hosts(directory.path(), 2);
    let all = [&["check", "good.pact", "--jobs", "2"][..], &["check", "good.pact"]];
    let all = all.into_iter().enumerate().map(|(number, question)| host(directory.path(), number, question));
    for (status, _, stderr) in all.collect::<Vec<_>>().into_iter().map(left) {
        assert_eq!(status, Some(2), "{stderr}");
        assert!(stderr.contains("only one of them was given --jobs"), "{stderr}");
    }
}
