//! How far a run has come, for programs: `--progress jsonl`, and what `--stats` says of workers.

use serde_json::Value;

use crate::program::{LARGE, Ran, run, run_in, run_on};

fn lines(ran: &Ran) -> Vec<Value> {
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    // A run that was stopped says so besides.
    ran.stderr.lines().filter(|line| line.starts_with('{')).map(read).collect()
}

#[test]
fn a_cluster_says_how_far_each_worker_is() {
    let asked = ["size", "--engine", "cluster", "--workers", "3", "--timeout", "6s", "--progress", "jsonl"];
    let ran = run_on(LARGE, &asked);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    let lines = lines(&ran);
    assert!(lines.iter().all(|line| line["type"] == "progress" && line["seconds"].as_f64().unwrap() >= 0.4));
    let last = lines.iter().rfind(|line| line["workers"].is_array()).expect("workers have told");
    assert!(last["states"].as_u64().unwrap() > 0 && last["transitions"].as_u64().unwrap() > 0, "{last}");
    assert!(last["level"].as_u64().unwrap() > 0, "{last}");
    assert!((1.0..1.1).contains(&last["balance"].as_f64().unwrap()), "{last}");
    let workers = last["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 3);
    assert!(
        workers
            .iter()
            .all(|worker| worker["states"].as_u64() > Some(0) && worker["bytes"].as_u64() > Some(0))
    );
}

#[test]
fn other_engines_say_what_they_count() {
    let ran = run_on(LARGE, &["size", "--engine", "enumerate", "--timeout", "2s", "--progress", "jsonl"]);
    let lines = lines(&ran);
    let last = lines.last().expect("it has run for a while");
    assert!(last["states"].as_u64().unwrap() > 0 && last.get("workers").is_none(), "{last}");
    let silent = run_on(LARGE, &["size", "--engine", "enumerate", "--timeout", "1s", "--progress", "never"]);
    assert_eq!(silent.stderr, "");
}

#[test]
fn a_fleet_says_how_many_are_done() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("large.pact"), LARGE).unwrap();
    let ran = run_in(
        directory.path(),
        &[
            "check",
            "large.pact",
            "--param",
            "N=1,2,9",
            "--jobs",
            "2",
            "--engine",
            "enumerate",
            "--timeout",
            "4s",
            "--progress",
            "jsonl",
        ],
    );
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let lines = lines(&ran);
    let last = lines.last().expect("it has run for a while");
    assert_eq!(last["of"], 3, "{last}");
    assert!(last["done"].as_u64().unwrap() + last["at_work"].as_u64().unwrap() <= 3, "{last}");
}

#[test]
fn statistics_have_what_each_worker_holds() {
    for command in ["check", "size"] {
        let asked =
            [command, "examples/two_phase_commit.pact", "--engine", "cluster", "--workers", "3", "--stats"];
        let document = run(&[&asked[..], &["--format", "json"]].concat()).json();
        let stats = &document["stats"];
        let held = |worker: &Value| worker["states"].as_str().unwrap().parse::<u64>().unwrap();
        let workers = stats["workers"].as_array().unwrap();
        assert_eq!(workers.len(), 3);
        let sum: u64 = workers.iter().map(held).sum();
        assert_eq!(document["model"]["states"], sum.to_string(), "{stats}");
        assert!(stats["balance"].as_f64().unwrap() >= 1.0, "{stats}");
        let text = run(&asked).stdout;
        assert!(text.contains("worker") && text.contains("of the mean"), "{text}");
    }
}
