//! The formats of `audit`: readers that others wrote, schemas, and logs that mean harm.

use std::fs;

use roxmltree::Document;
use serde_json::Value;

use crate::audit::{audit, line, log, place};
use crate::program::{Ran, run};
use crate::schema::fits_all;

const FORMATS: [&str; 6] = ["text", "json", "jsonl", "junit", "sarif", "github"];

/// Texts that terminals, XML, annotations and JSON may stumble over.
fn hostile() -> String {
    let keys = [
        "\\u001b[31mred\\u001b[0m",
        "\\u202eright to left",
        "a\\nb\\r\\n::error::c",
        "\\u0000\\u0007\\u009b",
        "]]><x y='z'>&amp;",
        "%0A%25",
        "\\ud800",
        "\\\"\\\\/",
    ];
    let mut log: String = keys.iter().map(|key| line(key, "paid")).collect();
    log.push_str(&line(&"long".repeat(100_000), "paid"));
    log.push_str(&format!("{}1{}\n", "[".repeat(100_000), "]".repeat(100_000)));
    log.push_str(&format!("{{\"order\":{}1{},\"event\":\"paid\"}}\n", "[".repeat(5_000), "]".repeat(5_000)));
    log.push_str("{\"order\":12345678901234567890123,\"order\":1e999,\"event\":\"paid\"}\n\u{1b}[2J\n");
    log
}

fn runs(format: &str) -> Vec<(i32, Ran)> {
    let late = line("o", "ordered") + &line("o", "reminded");
    let logs = [
        (0, line("o", "ordered"), vec![]),
        (1, log(), vec!["--complete", "--stats"]),
        (1, log(), vec!["--explain", "-v"]),
        (2, hostile(), vec![]),
        (2, late.clone() + "{\n", vec![]),
        (1, late.clone(), vec!["--max-keys", "1"]),
        (3, line("o", "ordered"), vec!["--limit", "1"]),
        (3, late, vec!["--timeout", "0"]),
    ];
    let mut runs: Vec<(i32, Ran)> = logs
        .into_iter()
        .map(|(status, log, more)| {
            let directory = place(&log);
            (status, audit(directory.path(), &[&["--format", format], more.as_slice()].concat()))
        })
        .collect();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../library/mcp/2025-11-25/recordings/stdio");
    let mut recordings: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    recordings.sort();
    let all: Vec<&str> = recordings.iter().map(|path| path.to_str().unwrap()).collect();
    runs.push((1, run(&[&["audit", "--library", "mcp/2025-11-25", "--format", format], &all[..]].concat())));
    runs
}

#[test]
fn every_exit_status_in_every_format() {
    for format in FORMATS {
        for (number, (status, ran)) in runs(format).into_iter().enumerate() {
            assert_eq!(ran.status, status, "{format} {number}: {}", ran.stderr);
        }
    }
}

#[test]
fn json_fits_its_schemas() {
    fits_all("audit", runs("json").iter().map(|(_, ran)| ran.json()));
    for (_, ran) in runs("jsonl") {
        let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.last().unwrap()["type"], "summary");
        fits_all("audit-lines", lines.into_iter());
    }
}

#[test]
fn readers_of_others_understand_it() {
    for (status, ran) in runs("sarif") {
        let log: serde_sarif::sarif::Sarif = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(serde_json::to_value(&log).unwrap(), ran.json(), "nothing is lost");
        assert_eq!(
            log.runs[0].results.as_ref().is_none_or(Vec::is_empty),
            status == 0 || ran.stdout.contains("\"results\": []")
        );
    }
    for (status, ran) in runs("junit") {
        let report = quick_junit::Report::deserialize_from_str(&ran.stdout).unwrap();
        let document = Document::parse(&ran.stdout).unwrap();
        let number = |name: &str| document.root_element().attribute(name).unwrap().parse::<usize>().unwrap();
        let cases: usize = report.test_suites.iter().map(|suite| suite.test_cases.len()).sum();
        assert_eq!(
            (cases, report.failures, report.errors),
            (number("tests"), number("failures"), number("errors"))
        );
        assert_eq!(report.failures > 0 && report.errors == 0, status == 1, "{}", ran.stdout);
    }
}

#[test]
fn a_place_in_the_library_is_no_file() {
    let recording = "library/mcp/2025-11-25/recordings/stdio/progress-repeats.jsonl";
    let ran = run(&["audit", recording, "--library", "mcp/2025-11-25"]);
    assert!(ran.stdout.contains("· library mcp/"), "{}", ran.stdout);
    let log = run(&["audit", recording, "--library", "mcp/2025-11-25", "--format", "sarif"]).json();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], recording);
    assert!(result.get("relatedLocations").is_none(), "{result:#}");
    let directory = place(&(line("o", "ordered") + &line("o", "reminded")));
    let log = audit(directory.path(), &["--format", "sarif"]).json();
    let related = &log["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"];
    assert_eq!(related["artifactLocation"]["uri"], "order.pact");
    assert_eq!(related["region"]["startLine"], 12);
}

#[test]
fn nothing_in_a_log_speaks_to_the_reader() {
    for format in FORMATS {
        let directory = place(&hostile());
        let ran = audit(directory.path(), &["--format", format, "--explain"]);
        assert_eq!(ran.status, 2, "{format}: {}", ran.stderr);
        let turns = |letter: char| ('\u{202a}'..='\u{202e}').contains(&letter);
        let is_bad = |letter: char| (letter.is_control() && letter != '\n') || turns(letter);
        let bad = ran.stdout.chars().chain(ran.stderr.chars()).find(|letter| is_bad(*letter));
        assert_eq!(bad, None, "{format}");
        if format == "github" {
            assert!(ran.stdout.lines().all(|line| line.starts_with("::error ")), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_log_of_which_nothing_is_judged_is_green_in_no_format() {
    for (log, more) in [("", &[][..]), ("", &["--key", "o9"]), (&line("o", "ordered"), &["--key", "o9"])] {
        let told = |format: &str| {
            let ran = audit(place(log).path(), &[&["--format", format], more].concat());
            assert_eq!(ran.status, 3, "{format} of {log:?}");
            ran.stdout
        };
        let junit = told("junit");
        let document = Document::parse(&junit).unwrap();
        assert_eq!(document.root_element().attribute("errors"), Some("1"), "{junit}");
        assert!(junit.contains("nothing was judged"), "{junit}");
        assert!(told("github").starts_with("::error title=undecided::nothing was judged"));
        let sarif: Value = serde_json::from_str(&told("sarif")).unwrap();
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert!(invocation["exitCodeDescription"].as_str().unwrap().starts_with("nothing was judged"));
        assert!(!told("text").contains('✓'));
    }
}
