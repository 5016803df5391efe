//! Inputs that want more than to be read: floods of mistakes, names that command the terminal, files without end.

use std::fs;
use std::time::{Duration, Instant};

use crate::program::{command_in, run_in};

#[test]
fn thousands_of_mistakes_are_counted_and_not_printed() {
    let directory = tempfile::tempdir().unwrap();
    // One line, so that every excerpt would be the whole file.
    let line = format!("roles A start s {}\n", "s -- A: go when q --> s ".repeat(4000));
    fs::write(directory.path().join("many.pact"), line).unwrap();
    let begun = Instant::now();
    let ran = run_in(directory.path(), &["check", "many.pact"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.len() < 150_000, "{} bytes", ran.stderr.len());
    assert_eq!(ran.stderr.matches("error[").count(), 101, "100 in full, and one kind is counted");
    assert!(
        ran.stderr.contains("… and 3900 more: 3900 error[unknown-name]"),
        "{}",
        &ran.stderr[ran.stderr.len() - 200..]
    );
    assert!(ran.stderr.lines().all(|line| line.chars().count() < 200));
    assert!(
        ran.stderr.contains("many.pact:1:96015 ") || ran.stderr.contains(":1:"),
        "places are those of the file"
    );
    let all = run_in(directory.path(), &["check", "many.pact", "--format", "json"]).json();
    assert_eq!(all["diagnostics"].as_array().unwrap().len(), 4000, "programs are told all of them");
    let columns: Vec<u64> = all["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["column"].as_u64().unwrap())
        .collect();
    assert!(
        columns.windows(2).all(|pair| pair[1] == pair[0] + 24),
        "columns count from the beginning of the line"
    );
    let junit = run_in(directory.path(), &["check", "many.pact", "--format", "junit"]).stdout;
    assert_eq!(junit.matches("error[unknown-name]").count(), 4000);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// The limit used to be that of each file, and a run has many.
#[test]
fn findings_are_counted_for_the_whole_run() {
    let directory = tempfile::tempdir().unwrap();
    let bad = format!("roles A\nstart s\n{}", "s -- A: go when q --> s\n".repeat(70));
    let odd: String = (0..70).map(|number| format!("n{number} -- A: go --> n{number}\n")).collect();
    for name in ["a", "b"] {
        fs::write(directory.path().join(format!("{name}.pact")), &bad).unwrap();
        let good = format!("roles A\nstart s\ns -- A: go --> s\n{odd}property p = AG in s\n");
        fs::write(directory.path().join(format!("{name}-odd.pact")), good).unwrap();
    }
    let ran = run_in(directory.path(), &["check", "a.pact", "b.pact", "a-odd.pact"]);
    assert_eq!(ran.stderr.matches("error[unknown-name]: ").count(), 100, "{}", ran.stderr);
    assert!(ran.stderr.contains("… and 40 more: 40 error[unknown-name]"), "{}", ran.stderr);
    assert!(ran.stdout.contains("… and 70 more: 70 warning[unreachable-state]"), "{}", ran.stdout);
    let ran = run_in(directory.path(), &["check", "a-odd.pact", "b-odd.pact"]);
    assert_eq!(ran.stdout.matches("warning[unreachable-state]: ").count(), 100, "{}", ran.stdout);
    assert!(ran.stdout.contains("… and 40 more: 40 warning[unreachable-state]"), "{}", ran.stdout);
}

#[test]
fn a_name_of_ten_megabytes_is_not_echoed() {
    let directory = tempfile::tempdir().unwrap();
    let name = "x".repeat(10_000_000);
    fs::write(directory.path().join("long.pact"), format!("roles A\nvar {name}y : bool\nprop p = {name}\n"))
        .unwrap();
    let ran = run_in(directory.path(), &["check", "long.pact"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.len() < 30_000, "{} bytes", ran.stderr.len());
    assert!(ran.stderr.contains("long.pact:3:10 "), "{}", ran.stderr);
}

#[test]
fn many_unreachable_states_are_found_in_time() {
    let directory = tempfile::tempdir().unwrap();
    let states: String = (0..12_000).map(|number| format!("n{number} -- A: go --> n{number}\n")).collect();
    fs::write(directory.path().join("wide.pact"), format!("roles A\nstart s\ns -- A: go --> s\n{states}"))
        .unwrap();
    let begun = Instant::now();
    let ran = run_in(directory.path(), &["check", "wide.pact", "--format", "json"]);
    assert_eq!(ran.status, 0);
    assert_eq!(ran.stdout.matches("\"unreachable-state\"").count(), 12_000);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[cfg(unix)]
#[test]
fn no_name_commands_the_terminal_or_forges_an_annotation() {
    let directory = tempfile::tempdir().unwrap();
    let name = "evil\n::error file=x::forged\u{1b}[2J\u{202e}.aut";
    fs::write(directory.path().join(name), "des (0, 2, 2)\n(0, \"a\u{1b}]0;t\u{7}\u{9b}\", 1)\n(1, b, 0)\n")
        .unwrap();
    let is_clean = |text: &str| {
        let hidden = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(hidden), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("::error file=x")), "{text:?}");
    };
    for arguments in [
        &["check", name, "--formula", "AG E does(b)", "--trace"][..],
        &["check", name, "--formula", "AG E does(b)", "--trace", "--format", "github"],
        &["check", name, "--formula", "AG (", "--format", "github"],
        &["check", name, "--formula", "AG E does(b)", "--format", "json"],
        &["check", name, "--property", "p"],
        &["check", name, "--quiet", "--formula", "AG E does(b)"],
        &["size", name],
        &["conform", name],
        &["fmt", name],
        &["explain", name, "--formula", "AG E does(b)"],
        &["sim", name, "--random", "3", "--seed", "1"],
        &["equiv", name, name],
        &["states", name, "--formula", "EX true"],
    ] {
        let ran = run_in(directory.path(), arguments);
        assert!((0..=3).contains(&ran.status), "{arguments:?}");
        is_clean(&ran.stdout);
        is_clean(&ran.stderr);
    }
    let missing = run_in(directory.path(), &["check", "no\n::error file=x::forged.pact"]);
    assert_eq!(missing.status, 2);
    is_clean(&missing.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_end_are_refused_and_pipes_that_say_nothing_are_left() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run_in(directory.path(), &["check", "/dev/zero", "--input", "pact"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("/dev/zero cannot be read: it is not text"), "{}", ran.stderr);
    let pipe = directory.path().join("pipe.pact");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let begun = Instant::now();
    let output = command_in(directory.path(), &["check", "pipe.pact", "--timeout", "1s"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("nothing is decided: the time limit was reached"), "{shown}");
}
