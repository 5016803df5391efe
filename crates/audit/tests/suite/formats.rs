//! Logs that are not JSON lines: OTLP, server-sent events, CSV; and lines with several records.

use std::fs;
use std::path::PathBuf;

use servanda_audit::{Finding, Options};

use crate::common::Setup;

const MODEL: &str = "roles A, B\nstart s\ns -- A: ask --> t\nt -- B: answer --> s\n";

fn audit(source: &str, fields: &str, key: &str, ask: &str, answer: &str, log: &str) -> Vec<(u64, String)> {
    let mapping = format!(
        "version = 1\n[source]\n{source}\n[fields]\n{fields}\n[[view]]\nname = \"v\"\nmodel = \"m\"\nkey = [\"{key}\"]\nevent = [\n{{ when = '{ask}', label = \"A: ask\" }},\n{{ when = '{answer}', label = \"B: answer\" }},\n]\n"
    );
    let setup = Setup::new(&mapping, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"));
    let (findings, _) = setup.audit(log, Options::default(), false);
    let one = |it: &Finding| (it.at.unwrap().line, format!("{} {}", it.kind.word(), it.key.join(".")));
    findings.iter().map(one).collect()
}

#[test]
fn csv_rows_are_records() {
    let log = "time,who,\"what, exactly\"\n1,x,ask\n2,x,\"answer\"\n\n3,y,\"a\nnswer\"\n4,y,answer\n5,x,ask,more\n6,\"open\n";
    let fields = "who = \"/who\"\nwhat = \"/what, exactly\"\ntime = \"/time\"";
    let found = audit(
        "format = \"csv\"",
        fields,
        "who",
        "what = \"ask\" & number(time) < 10",
        "what = \"answer\"",
        log,
    );
    let expected =
        [(7, "not-possible y".to_owned()), (8, "bad-line ".to_owned()), (9, "bad-line ".to_owned())];
    assert_eq!(found, expected);
}

/// A rule that asks for a column that is not there would never match, and the log would pass.
#[test]
fn a_column_that_the_header_does_not_have_is_told_with_the_nearest_one() {
    let mapping = "version = 1\n[source]\nformat = \"csv\"\n[fields]\nwho = \"/who\"\nwhat = \"/waht\"\n\
        [[view]]\nname = \"v\"\nmodel = \"m\"\nkey = [\"who\"]\n\
        event = [{ when = 'what = \"answer\"', label = \"B: answer\" }]\n";
    let setup = Setup::new(mapping, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"));
    let (findings, _) = setup.audit("who,what\nx,answer\n", Options::default(), false);
    let told: Vec<(u64, &str)> =
        findings.iter().map(|it| (it.at.unwrap().line, it.message.as_str())).collect();
    let message = "the line cannot be read: the header has no column `waht` (did you mean `what`?)";
    assert_eq!(told, [(1, message)]);
}

#[test]
fn server_sent_events_are_records() {
    let log = ": a comment\nevent: call\nid: 7\ndata: {\"id\": 12345678901234567890,\ndata: \"m\": \"ask\"}\n\ndata: plain\n\nevent: call\ndata: {\"m\":\"answer\",\"id\":12345678901234567891}\n\nevent: call\ndata: {\"m\":\"answer\",\"id\":12345678901234567890}\n";
    let fields = "event = \"/event\"\nid = \"/data/id\"\nm = \"/data/m\"\ntext = \"/data\"";
    let found = audit(
        "format = \"sse\"",
        fields,
        "id",
        "event = \"call\" & m = \"ask\"",
        "event = \"call\" & m = \"answer\"",
        log,
    );
    assert_eq!(found, [(9, "not-possible 12345678901234567891".to_owned())]);
}

#[test]
fn spans_are_two_records_each_and_logs_one() {
    let span = |id: u32, start: u32, end: u32| {
        format!(
            "{{\"resourceSpans\":[{{\"resource\":{{\"attributes\":[{{\"key\":\"service.name\",\"value\":{{\"stringValue\":\"s\"}}}}]}},\"scopeSpans\":[{{\"spans\":[{{\"name\":\"call\",\"kind\":2,\"startTimeUnixNano\":\"{start}000000000\",\"endTimeUnixNano\":{end}000000000,\"attributes\":[{{\"key\":\"n\",\"value\":{{\"intValue\":\"{id}\"}}}}]}}]}}]}}]}}"
        )
    };
    let fields =
        "service = \"/resource/service.name\"\nn = \"/attributes/n\"\nat = \"/at\"\nkind = \"/kind\"";
    let source = "format = \"otlp\"\norder = \"time\"\nwindow = \"1s\"";
    let rules = ["kind = \"server\" & at = \"start\" & n > 0", "at = \"end\" & n > 0"];
    // Written as they end: the second begins after the first one has ended.
    let log = format!("{}\n{}\n", span(2, 30, 40), span(1, 10, 20));
    assert!(
        audit(
            source,
            fields,
            "service",
            rules[0],
            rules[1],
            &log.replace("30", "21").replace("40", "22").lines().rev().collect::<Vec<_>>().join("\n")
        )
        .is_empty()
    );
    let overlapping = format!("{}\n{}\n", span(1, 10, 20), span(2, 15, 21));
    let source = source.replace("1s", "1h");
    let found = audit(&source, fields, "service", rules[0], rules[1], &overlapping);
    assert_eq!(
        found,
        [(2, "not-possible s".to_owned()), (2, "not-possible s".to_owned())],
        "its start and its end"
    );
    let log = "{\"resourceLogs\": [\n{\"scopeLogs\": [{\"logRecords\": [\n{\"timeUnixNano\":\"5\",\"body\":{\"stringValue\":\"answer\"}}\n]}]}]}\n{\"other\":1}\n{\"resourceSpans\"";
    let found = audit(
        &source,
        "body = \"/body\"\nat = \"/at\"",
        "at",
        "body = \"ask\"",
        "at = \"log\" & body = \"answer\"",
        log,
    );
    assert_eq!(
        found,
        [(5, "bad-line ".to_owned()), (6, "bad-line ".to_owned()), (1, "not-possible log".to_owned())]
    );
}

#[test]
fn recorded_spans_show_nothing_wrong() {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/audit");
    if !shared.exists() {
        return;
    }
    let text = fs::read_to_string(shared.join("models/mcp-otel.audit.toml")).unwrap();
    let model = |name: &str| fs::read_to_string(shared.join("models").join(name)).unwrap();
    let setup = Setup::new(&text, model).unwrap_or_else(|found| panic!("{found:#?}"));
    let log = fs::read_to_string(shared.join("logs/otel/mcp-sdk-2.3.0-legacy.otlp.jsonl")).unwrap();
    let (findings, stats) = setup.audit(&log, Options::default(), false);
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(stats.labels > 10, "{stats:?}");
}

#[test]
fn each_element_counts_and_a_line_without_any_counts_once() {
    let log = "{\"k\":1,\"calls\":[{\"m\":\"ask\"},{\"m\":\"answer\"},{\"m\":\"answer\"}]}\n{\"k\":1,\"calls\":[],\"m\":\"ask\"}\n{\"k\":1}\n";
    let fields = "k = \"/k\"\nm = \"/each/m\"\nouter = \"/m\"";
    let found =
        audit("each = \"/calls\"", fields, "k", "m = \"ask\" | outer = \"ask\"", "m = \"answer\"", log);
    assert_eq!(found, [(1, "not-possible 1".to_owned())]);
}
