//! The engine `cluster` in several processes: the same answers as one, and what becomes of a run when some of them do not work together.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program::{LARGE, command, command_in, run};

/// Machines under test are slow; who hangs would never end.
const SOON: Duration = Duration::from_secs(25);

#[test]
fn processes_say_what_one_thread_says() {
    let questions: [&[&str]; 6] = [
        &["check", "examples/netbill.pact", "--trace"],
        &["check", "examples/two_phase_commit.pact", "--trace"],
        &["check", "examples/muddy_children.pact"],
        &["check", "examples/dining3.ispl"],
        &["check", "examples/pnaws.ccs", "--process", "Closed", "--formula", "AG EF does(create)"],
        &["size", "examples/auction2.pact", "--param", "N=3"],
    ];
    for question in questions {
        let with = |more: &[&str]| run(&[question, more].concat());
        let expected = with(&["--engine", "cluster"]);
        for processes in [["--processes", "2", "--workers", "2"], ["--processes", "3", "--workers", "1"]] {
            let found = with(&processes);
            assert_eq!(found.transcript(), expected.transcript(), "{question:?} {processes:?}");
        }
    }
}

/// A directory with a file of so many hosts, all of them this machine, and a large model.
fn hosts(processes: usize) -> TempDir {
    let directory = TempDir::new().unwrap();
    let listeners: Vec<_> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines = listeners.iter().map(|listener| format!("{}\n", listener.local_addr().unwrap()));
    fs::write(directory.path().join("hosts"), lines.collect::<String>()).unwrap();
    fs::write(directory.path().join("large.pact"), LARGE).unwrap();
    let netbill = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/auction2.pact");
    fs::copy(netbill, directory.path().join("auction.pact")).unwrap();
    directory
}

/// Starts a process of a cluster.
fn start(directory: &TempDir, number: usize, arguments: &[&str]) -> Child {
    let number = number.to_string();
    let place = ["--hosts", "hosts", "--process", &number];
    command_in(directory.path(), &[arguments, &place].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What is left of processes: status, standard output, standard error.
fn ended(processes: Vec<Child>) -> Vec<(Option<i32>, String, String)> {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let left = |child: Child| {
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        (status.code(), text(stdout), text(stderr))
    };
    processes.into_iter().map(left).collect()
}

#[test]
fn the_first_of_the_hosts_reports_and_the_others_end_as_it_does() {
    let directory = hosts(3);
    let question = ["check", "auction.pact", "--param", "N=2", "--formula", "AG !won[1]", "--workers", "2"];
    let all = ended((0..3).rev().map(|number| start(&directory, number, &question)).collect());
    let (status, stdout, stderr) = &all[2];
    assert_eq!((*status, stderr.as_str()), (Some(1), ""), "{stdout}");
    assert!(stdout.contains("false"), "{stdout}");
    for (number, (status, stdout, stderr)) in [2, 1].into_iter().zip(&all) {
        assert_eq!((*status, stdout.as_str()), (Some(1), ""));
        assert_eq!(*stderr, format!("process {number} of 3, with 2 workers: process 0 reports\n"));
    }
}

#[test]
fn processes_that_differ_do_not_begin() {
    let same = ["size", "auction.pact", "--param", "N=2", "--workers", "1"];
    let others: [(&[&str], &str); 3] = [
        (
            &["size", "auction.pact", "--param", "N=2", "--workers", "2"],
            "has 2 workers, process 0 has 1 worker",
        ),
        (&["size", "auction.pact", "--param", "N=3", "--workers", "1"], "works on another model"),
        (&["check", "auction.pact", "--param", "N=3"], "works on another model"),
    ];
    for (other, reason) in others {
        let directory = hosts(3);
        let started = Instant::now();
        let all = (0..3).map(|number| start(&directory, number, if number == 1 { other } else { &same }));
        for (status, _, stderr) in ended(all.collect()) {
            assert_eq!(status, Some(2), "{stderr}");
            assert!(stderr.contains("process 1 (127.0.0.1:") && stderr.contains(reason), "{stderr}");
        }
        assert!(started.elapsed() < SOON);
    }
}

#[test]
fn who_does_not_show_up_is_not_waited_for_beyond_the_limit() {
    let directory = hosts(2);
    let all = ended(vec![start(&directory, 0, &["size", "auction.pact", "--timeout", "1s"])]);
    assert_eq!(all[0], (Some(3), String::new(), "undecided: the time limit was reached\n".to_owned()));
}

#[test]
fn mistakes_with_hosts_are_explained() {
    let directory = hosts(2);
    fs::write(directory.path().join("bad"), "127.0.0.1:4000\n  nowhere\n").unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["--hosts", "hosts"], "--hosts: say with --process which of them this is"),
        (&["--hosts", "hosts", "--process", "2"], "--process 2: hosts has the processes 0 to 1"),
        (&["--hosts", "bad", "--process", "0"], "bad:2:3"),
        (&["--hosts", "none", "--process", "0"], "none"),
        (&["--process", "1"], "--process 1: a number needs --hosts"),
        (&["--processes", "2", "--engine", "bdd"], "--processes: only the engine cluster"),
        (&["--hosts", "hosts", "--processes", "2"], "cannot be used with"),
        (&["--processes", "2", "--jobs", "2"], "--jobs: spreads models, and --processes the states of one"),
    ];
    for (arguments, message) in cases {
        let arguments = [&["check", "auction.pact"], arguments].concat();
        let output = command_in(directory.path(), &arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[cfg(unix)]
fn signal(signal: &str, process: u32) {
    let sent = std::process::Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn a_run_without_one_of_its_processes_ends_with_what_was_found() {
    for victim in [1, 2] {
        let directory = hosts(3);
        let question = ["size", "large.pact", "--timeout", "60s", "--format", "json"];
        let mut all: Vec<Child> = (0..3).map(|number| start(&directory, number, &question)).collect();
        std::thread::sleep(Duration::from_millis(2500));
        let killed = Instant::now();
        let mut dead = all.remove(victim);
        signal("-KILL", dead.id());
        dead.wait().unwrap();
        let left = ended(all);
        assert!(killed.elapsed() < SOON);
        for (status, _, stderr) in &left {
            assert_eq!(*status, Some(3));
            assert!(!stderr.contains("panicked"), "{stderr}");
        }
        let report: serde_json::Value = serde_json::from_str(&left[0].1).unwrap();
        let reached = &report["model"]["reached"];
        let reason = reached["reason"].as_str().unwrap();
        assert!(
            reason.starts_with(&format!("process {victim} (")) && reason.ends_with("is gone"),
            "{reason}"
        );
        assert!(reached["states"].as_str().unwrap().parse::<u64>().unwrap() > 0);
    }
}

#[cfg(unix)]
#[test]
fn a_process_that_rests_is_waited_for() {
    let directory = hosts(2);
    let question = ["size", "auction.pact", "--param", "N=3"];
    let mut all = vec![start(&directory, 1, &question)];
    std::thread::sleep(Duration::from_millis(100));
    signal("-STOP", all[0].id());
    all.push(start(&directory, 0, &question));
    std::thread::sleep(Duration::from_secs(2));
    assert!(all[1].try_wait().unwrap().is_none(), "it waits");
    signal("-CONT", all[0].id());
    let alone =
        command(&["size", "examples/auction2.pact", "--param", "N=3", "--workers", "1"]).output().unwrap();
    let states = |text: &str| text.lines().find(|line| line.contains("states")).map(str::to_owned);
    let all = ended(all);
    assert_eq!(all[1].0, Some(0), "{}", all[1].2);
    assert_eq!(states(&all[1].1), states(&String::from_utf8(alone.stdout).unwrap()));
}

#[cfg(target_os = "linux")]
#[test]
fn processes_end_with_the_one_that_has_started_them() {
    let directory = hosts(1);
    let question = ["size", "large.pact", "--processes", "3", "--timeout", "60s"];
    let mut first =
        command_in(directory.path(), &question).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let tasks = fs::read_to_string(format!("/proc/{0}/task/{0}/children", first.id())).unwrap();
    let children: Vec<&str> = tasks.split_whitespace().collect();
    assert_eq!(children.len(), 2);
    signal("-KILL", first.id());
    first.wait().unwrap();
    let killed = Instant::now();
    // What has ended and was not yet waited for has no command line.
    let lives = |child: &&str| fs::read(format!("/proc/{child}/cmdline")).is_ok_and(|line| !line.is_empty());
    while children.iter().any(&lives) {
        assert!(killed.elapsed() < SOON, "they live on");
        std::thread::sleep(Duration::from_millis(50));
    }
}
