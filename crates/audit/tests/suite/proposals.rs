//! What is proposed for a log can be run as it is: everything in the log is possible.

use servanda_audit::Options;
use servanda_audit::propose::{Proposal, Survey};
use servanda_library::entries;

use crate::common::Setup;

fn proposal(log: &str) -> Proposal {
    let mut survey = Survey::default();
    log.lines().for_each(|line| survey.line(line.as_bytes()));
    survey.proposal("log", "log.pact").unwrap()
}

/// Audits a log by what is proposed for it; the proposed mapping comes back.
fn fits(log: &str) -> String {
    let Proposal { mapping, model } = proposal(log);
    let setup = Setup::new(&mapping, |_| model.clone());
    let setup = setup.unwrap_or_else(|found| panic!("{found:#?}\n{mapping}\n{model}"));
    let (findings, stats) = setup.audit(log, Options::default(), false);
    assert!(findings.is_empty(), "{findings:#?}\n{mapping}\n{model}");
    assert!(stats.labels > 0, "no line means anything:\n{mapping}");
    mapping
}

fn keys(mapping: &str) -> &str {
    mapping.lines().find_map(|line| line.strip_prefix("key   = ")).unwrap()
}

#[test]
fn for_every_recording_of_the_library() {
    let mut count = 0;
    for entry in entries() {
        for recording in entry.recordings {
            fits(recording.text);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_session_comes_before_an_id() {
    let line = |session: u8, id: u8| {
        format!("{{\"id\":{id},\"session\":\"s{session}\",\"provider\":\"p{id}\",\"type\":\"a\"}}\n")
    };
    let one: String = (0..8).map(|at| line(1, at / 3)).collect();
    assert_eq!(keys(&fits(&one)), "[\"session\"]");
    let two: String = (0..8).map(|at| line(at / 4, at / 2)).collect();
    assert_eq!(keys(&fits(&two)), "[\"session\"]");
    let camel = two.replace("session", "chatSessionId").replace("\"id\"", "\"rowId\"");
    assert_eq!(keys(&fits(&camel)), "[\"chatSessionId\"]");
}

#[test]
fn for_other_formats() {
    let csv = "order,who,event\no1,agent,asked\n\no1,\"the, boss\",approved\no2,agent,asked\no2,agent,paid\n";
    assert!(fits(csv).contains("format = \"csv\""));
    let sse = ": hello\ndata: {\"type\":\"a\",\"run\":1}\n\nevent: x\ndata: {\"type\":\"b\",\"run\":1}\n";
    assert!(fits(sse).contains("format = \"sse\""));
    let otlp = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"a\",\"traceId\":\"1\",\"spanId\":\"2\",\
        \"startTimeUnixNano\":\"1\",\"endTimeUnixNano\":\"2\"}]}]}]}";
    assert!(fits(otlp).contains("format = \"otlp\""));
    fits("[{\"type\":\"a\",\"from\":\"x\"},{\"type\":\"b\"}]\n[]\n[{\"type\":\"b\",\"from\":\"x\"}]\n");
}

#[test]
fn for_fields_and_words_of_any_name() {
    let names = [
        "if",
        "true",
        "has",
        "text",
        "number",
        "matches",
        "in",
        "a b",
        "a~b",
        "a/b",
        "0",
        "",
        "é",
        "_",
        "'",
        "\\\"",
        "recall",
        "contains",
        "each",
        "null",
        "P",
        "U",
        "A",
        "\\u001b[31m",
        "\\u202e",
        "version",
        "model",
        "key",
    ];
    let words = [
        "start",
        "final",
        "when",
        "set",
        "message",
        "property",
        "A",
        "F",
        "U",
        "true",
        "_",
        "Cr",
        "does",
        "in",
        "é",
        "'",
        "\\\"",
        "\\\\",
        "0",
        "\\u001b[31m",
        "\\u202e",
        "\\n",
        "protocol",
        "roles",
        "-->",
        "tau",
        "SC",
        "init",
    ];
    for name in names {
        let log: String = words
            .iter()
            .map(|word| format!("{{\"{name}\":\"{word}\",\"type\":\"{word}\",\"from\":\"{word}\"}}\n"))
            .collect();
        fits(&log);
    }
}

#[test]
fn nothing_is_proposed_for_nothing() {
    let refused = |log: &str| {
        let mut survey = Survey::default();
        log.lines().for_each(|line| survey.line(line.as_bytes()));
        survey.proposal("log", "log.pact").unwrap_err()
    };
    assert_eq!(refused(""), "log has no lines: nothing can be proposed");
    assert!(refused("just words\n").starts_with("log has no line that is"));
    assert!(refused("{}\n[]\n17\n").starts_with("log has no line that is"));
}
