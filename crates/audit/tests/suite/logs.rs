//! The recordings with the models and mappings made for them, where they are at hand.

use std::fs;
use std::path::PathBuf;

use servanda_audit::{Finding, Options};
use servanda_model::Level;

use crate::common::Setup;

pub(crate) fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/audit");
    if path.exists() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "what is not tested is said")]
    {
        eprintln!("skipped: the recordings are not here");
    }
    None
}

fn setup(mapping: &str) -> Option<Setup> {
    let models = shared()?.join("models");
    let text = fs::read_to_string(models.join(format!("{mapping}.audit.toml"))).ok()?;
    let model = |name: &str| fs::read_to_string(models.join(name)).unwrap();
    Some(Setup::new(&text, model).unwrap_or_else(|found| panic!("{mapping}: {found:#?}")))
}

/// What is to be found cannot be found with the mapping as it is: there is no timer, and what a stream showed is no part of the task.
const NOT_AS_GIVEN: [(&str, u64); 2] = [("a2a/bad-lingering.jsonl", 5), ("a2a/bad-cancel-finished.jsonl", 7)];

pub(crate) fn brief(findings: &[Finding]) -> String {
    let one = |finding: &Finding| {
        let why = finding.explanation.as_ref().map_or("", |it| it.text.as_str());
        let Finding { kind, at, key, message, level, .. } = finding;
        format!("{:?} {} {level:?} {key:?}: {message}; {why}\n", at.map(|at| at.line), kind.word())
    };
    findings.iter().map(one).collect()
}

pub(crate) fn word(level: Level) -> &'static str {
    Level::NAMED.iter().find(|(_, it)| *it == level).unwrap().0
}

fn shown(findings: &[Finding]) -> Vec<(u64, &'static str)> {
    let mut shown: Vec<_> = findings
        .iter()
        .filter(|finding| finding.level != Level::May)
        .map(|finding| (finding.at.unwrap().line, word(finding.level)))
        .collect();
    shown.sort();
    shown
}

#[test]
fn recordings_show_what_is_expected_and_nothing_else() {
    let Some(shared) = shared() else { return };
    let expected = fs::read_to_string(shared.join("logs/expected.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = expected
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    let mut logs: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[1])).collect();
    logs.dedup();
    let mut wrong = Vec::new();
    for (log, mapping) in logs {
        let Some(setup) = setup(mapping) else { continue };
        let text = fs::read_to_string(shared.join("logs").join(log)).unwrap();
        let (findings, _) = setup.audit(&text, Options::default(), false);
        let of_log = rows.iter().filter(|row| row[0] == log && row[2] != "-");
        let mut expected: Vec<(u64, &str)> = of_log.map(|row| (row[2].parse().unwrap(), row[3])).collect();
        expected.retain(|(line, _)| !NOT_AS_GIVEN.contains(&(log, *line)));
        expected.sort();
        if shown(&findings) != expected {
            wrong.push(format!("{log}: expected {expected:?}\n{}", brief(&findings)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn seven_of_fifty_chats_change_a_booking_without_a_yes() {
    let Some(shared) = shared() else { return };
    let setup = setup("tau-airline").unwrap();
    let text = fs::read_to_string(shared.join("logs/tau-bench/gpt-4o-airline-trial0.jsonl")).unwrap();
    let (findings, stats) = setup.audit(&text, Options::default(), false);
    // `looks_up_first` has no level and is expected to be false: an observation, no rule.
    let is_change = |finding: &&Finding| finding.level == Level::Must;
    let mut runs: Vec<&str> =
        findings.iter().filter(is_change).map(|finding| finding.key[0].as_str()).collect();
    runs.sort();
    runs.dedup();
    assert_eq!((runs.len(), stats.slices), (7, 50), "{}", brief(&findings));
    assert!(findings.iter().any(|finding| finding.at.unwrap().line == 105));
}
