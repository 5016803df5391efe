//! The library: every mapping fits its models, every recording shows what it is said to show, and so do recordings of others where they
//! are at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use servanda_audit::mapping::{Mapping, Vocabulary};
use servanda_audit::{Finding, Kind, Options};
use servanda_library::{Entry, entries, entry};
use servanda_pact::Protocol;
use servanda_syntax::{Diagnostic, SourceFile};

use crate::common::Setup;
use crate::logs::{brief, shared, word};

/// A mapping of an entry with its models.
fn setup(entry: &Entry, source: &str) -> Setup {
    let mapping = entry.mapping(source).unwrap();
    let model = |name: &str| entry.text_from(mapping.path, name).unwrap().text.to_owned();
    Setup::new(mapping.text, model).unwrap_or_else(|found| panic!("{}: {found:#?}", mapping.path))
}

/// What is found, as `expected.tsv` says it: line, level, view, code.
pub(crate) fn rows(findings: &[Finding]) -> Vec<(u64, &str, &str, &str)> {
    let row = |finding| {
        let Finding { at, level, view, code, .. }: &Finding = finding;
        (at.map_or(0, |at| at.line), word(*level), view.as_deref().unwrap_or_default(), code.as_str())
    };
    findings.iter().map(row).collect()
}

#[test]
fn mappings_have_neither_mistakes_nor_warnings() {
    for entry in entries() {
        for mapping in entry.mappings {
            let (read, mut found) = Mapping::read(&SourceFile::new(mapping.path, mapping.text));
            let read = read.unwrap();
            let load = |name: &str| {
                let text = entry.text_from(mapping.path, name).unwrap();
                let loaded = servanda_pact::load(&SourceFile::new(text.path, text.text), &[]);
                assert_eq!(loaded.diagnostics, [], "{}", text.path);
                loaded.protocol.unwrap()
            };
            let protocols: Vec<Protocol> = read.views.iter().map(|view| load(&view.model.text)).collect();
            let names = |it: &Protocol| it.properties.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
            let words = protocols.iter().map(|it| Vocabulary::new(&it.model, names(it)).ok());
            found.extend(read.check(&mut words.collect::<Vec<_>>()));
            assert_eq!(found, Vec::<Diagnostic>::new(), "{}", mapping.path);
        }
    }
}

#[test]
fn recordings_show_what_they_are_said_to_show() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let sources: BTreeSet<&str> = entry.recordings.iter().map(|recording| recording.source).collect();
        for source in sources {
            let setup = setup(entry, source);
            for recording in entry.recordings.iter().filter(|recording| recording.source == source) {
                let (findings, _) = setup.audit(recording.text, Options::default(), false);
                let expected = entry.expected(recording);
                let expected: Vec<_> =
                    expected.iter().map(|it| (it.line, it.level, it.view, it.code)).collect();
                if rows(&findings) != expected {
                    wrong.push(format!("{}: expected {expected:?}\n{}", recording.path, brief(&findings)));
                }
                let uncited = findings.iter().find(|finding| finding.citation.is_none());
                assert!(uncited.is_none(), "{}: {uncited:?}", recording.path);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What breaks no rule breaks none either where the log is known to be whole.
#[test]
fn good_recordings_are_good_to_their_end() {
    for entry in entries() {
        for recording in entry.recordings.iter().filter(|recording| entry.expected(recording).is_empty()) {
            let (findings, _) =
                setup(entry, recording.source).audit(recording.text, Options::default(), true);
            assert!(findings.is_empty(), "{}: {}", recording.path, brief(&findings));
        }
    }
}

/// A stream stays open for a second after its end here as well (the message that was sent is `lingering`), though the list does not say so.
const NOT_LISTED: [(&str, u64); 1] = [("a2a/bad-cancel-finished.jsonl", 5)];

#[test]
fn recordings_of_others_show_what_is_expected_and_nothing_else() {
    let Some(logs) = shared().map(|shared| shared.join("logs")) else { return };
    let list = fs::read_to_string(logs.join("expected.tsv")).unwrap();
    let mut expected: BTreeMap<(&str, &str), Vec<(u64, &str)>> = BTreeMap::new();
    for row in list.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let of_log = expected.entry((columns[0], columns[1])).or_default();
        of_log.extend(columns[2].parse().ok().map(|line| (line, columns[3])));
    }
    let mut wrong = Vec::new();
    for ((log, name), mut expected) in expected {
        expected.extend(NOT_LISTED.iter().filter(|(of, _)| *of == log).map(|(_, line)| (*line, "must")));
        expected.sort_unstable();
        let entry = entry(&name.replacen('-', "/", 1)).unwrap();
        let source = if log.starts_with("mcp/") { "stdio" } else { "http" };
        let text = fs::read_to_string(logs.join(log)).unwrap();
        let (findings, _) = setup(entry, source).audit(&text, Options::default(), false);
        let found: Vec<(u64, &str)> =
            rows(&findings).iter().map(|(line, level, ..)| (*line, *level)).collect();
        if found != expected {
            wrong.push(format!("{log}: expected {expected:?}\n{}", brief(&findings)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spans_of_others_show_nothing_wrong() {
    let Some(logs) = shared().map(|shared| shared.join("logs/otel")) else { return };
    let files = [
        ("mcp-sdk-2.3.0-legacy.otlp.jsonl", "mcp/2025-11-25"),
        ("mcp-sdk-2.3.0-2026-07-28.otlp.jsonl", "mcp/2026-07-28"),
        ("a2a-sdk-1.3.0.otlp.jsonl", "a2a/1.0"),
    ];
    for (file, name) in files {
        let text = fs::read_to_string(logs.join(file)).unwrap();
        let (findings, stats) = setup(entry(name).unwrap(), "otlp").audit(&text, Options::default(), false);
        assert!(findings.is_empty(), "{file}: {}", brief(&findings));
        // The spans of the SDK for A2A say nothing that could be judged.
        assert_eq!(stats.labels > 0, name.starts_with("mcp"), "{file}: {stats:?}");
    }
}

/// 7 of 50 conversations have a change without a yes just before.
#[test]
fn a_policy_over_chats_of_others() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(shared.join("logs/tau-bench/gpt-4o-airline-trial0.jsonl")).unwrap();
    let (findings, stats) =
        setup(entry("agents/confirm").unwrap(), "chat").audit(&text, Options::default(), false);
    let rash = findings.iter().filter(|finding| finding.kind == Kind::NotPossible);
    let conversations: BTreeSet<&[String]> = rash.map(|finding| finding.key.as_slice()).collect();
    assert_eq!((conversations.len(), stats.slices), (7, 50), "{}", brief(&findings));
}

/// What is stored of a session over HTTP and of its connections goes with them; what was asked, and that the session was, stays.
#[test]
fn tables_forget_sessions_that_are_over() {
    for name in ["mcp/2025-03-26", "mcp/2025-06-18", "mcp/2025-11-25"] {
        let entry = entry(name).unwrap();
        let is_good = |it: &&servanda_library::Recording| it.path.ends_with("/http/good.jsonl");
        let good = entry.recordings.iter().find(is_good).unwrap().text;
        assert!(good.contains("\"DELETE\""), "{name}");
        let lines = || good.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let requests = lines().filter(|it| it["msg"]["method"].is_string() && !it["msg"]["id"].is_null());
        let tokens = lines().filter(|it| !it["msg"]["params"]["_meta"]["progressToken"].is_null());
        let stays = (requests.count() + tokens.count() + 1) as u64;
        let (_, stats) = setup(entry, "http").audit(good, Options::default(), false);
        assert!(stats.stored <= stays, "{name}: {} entries are left, expected {stays}", stats.stored);
    }
}
