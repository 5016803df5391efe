//! Runs that do not come to their end: limits, Ctrl-C, closed pipes.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{LARGE, command, run_on};

#[test]
fn a_time_limit_is_kept_and_what_was_reached_is_told() {
    let started = Instant::now();
    let ran = run_on(LARGE, &["check", "--engine", "enumerate", "--timeout", "300ms", "--format", "json"]);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(ran.status, 3);
    let reached = ran.json()["model"]["reached"]["states"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(reached > 0);
}

#[test]
fn a_memory_limit_is_kept() {
    let ran = run_on(
        LARGE,
        &["size", "--engine", "enumerate", "--memory", "100M", "--timeout", "60s", "--format", "json"],
    );
    assert_eq!(ran.status, 3);
    let object = ran.json();
    assert_eq!(object["model"]["reached"]["reason"], "the memory limit was reached");
    // The watcher looks now and then, so it may be passed a little.
    assert!(object["peak_memory_bytes"].as_u64().unwrap() < 400 << 20);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_still_reports() {
    let mut child = command(&["check", "-", "--input", "pact", "--engine", "enumerate", "--timeout", "60s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LARGE.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("? low  unknown: the run was interrupted"), "{stdout}");
}

/// `servanda check ... | head -0` used to be the classic way to make a program panic.
#[test]
fn a_closed_pipe_is_no_error() {
    for format in ["text", "json"] {
        let mut child = command(&["check", "-", "--input", "pact", "--format", format])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // The program writes after it has read, so the pipe is closed by then.
        let text = "protocol P\nroles A\nstart s\ns -- A: go --> s\nproperty p = AG in s\n";
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.status.code(), Some(0));
    }
}
