//! Where a specification says two things: what the library makes of it is a parameter, and what holds where nothing is said accepts both.

use servanda_audit::Options;
use servanda_library::entry;

use crate::common::Setup;
use crate::library::rows;
use crate::logs::brief;

/// What is found in a log under a reading; `None`: where nothing is said.
fn found(name: &str, source: &str, reading: Option<(&str, i64)>, log: &str) -> Vec<(u64, String)> {
    let entry = entry(name).unwrap();
    let mapping = entry.mapping(source).unwrap();
    let model = |path: &str| entry.text_from(mapping.path, path).unwrap().text.to_owned();
    let parameters: Vec<(String, i64)> =
        reading.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let setup = Setup::with(mapping.text, model, &parameters).unwrap();
    let (findings, _) = setup.audit(log, Options::default(), false);
    let found = rows(&findings).iter().map(|(line, _, _, code)| (*line, (*code).to_owned())).collect();
    assert!(findings.iter().all(|finding| finding.citation.is_some()), "{}", brief(&findings));
    found
}

/// A stream with these events: states, `task:` before those that come with the whole task, `end`.
fn stream(events: &[&str]) -> String {
    let mut log = r#"{"t":0,"conn":1,"from":"client","msg":{"id":1,"method":"SendStreamingMessage","params":{"message":{}}}}"#.to_owned();
    for event in events {
        let head = r#"{"t":0,"conn":1,"from":"server""#;
        let line = match event.strip_prefix("task:") {
            _ if *event == "end" => format!(r#"{head},"end":true}}"#),
            Some(state) => {
                format!(
                    r#"{head},"msg":{{"result":{{"task":{{"id":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}"}}}}}}}}}}"#
                )
            }
            None => format!(
                r#"{head},"msg":{{"result":{{"statusUpdate":{{"taskId":"t","contextId":"c","status":{{"state":"TASK_STATE_{event}"}}}}}}}}}}"#
            ),
        };
        log = format!("{log}\n{line}");
    }
    log
}

/// By default nothing is found, and this under the reading.
#[track_caller]
fn decides((name, source): (&str, &str), reading: (&str, i64), log: &str, wanted: &[(u64, &str)]) {
    assert_eq!(found(name, source, None, log), [], "where nothing is said");
    let found = found(name, source, Some(reading), log);
    let found: Vec<(u64, &str)> = found.iter().map(|(line, code)| (*line, code.as_str())).collect();
    assert_eq!(found, wanted, "{reading:?}");
}

const A2A: (&str, &str) = ("a2a/1.0", "http");

#[test]
fn a_stream_whose_task_waits_ends_or_stays_open() {
    let ends = stream(&["task:WORKING", "INPUT_REQUIRED", "end"]);
    decides(A2A, ("Interrupted", 1), &ends, &[(4, "whole")]);
    decides(A2A, ("Interrupted", 2), &ends, &[]);
    let stays = stream(&["task:WORKING", "AUTH_REQUIRED", "WORKING", "COMPLETED", "end"]);
    decides(A2A, ("Interrupted", 1), &stays, &[]);
    assert_eq!(found(A2A.0, A2A.1, Some(("Interrupted", 2)), &stays)[0], (4, "not-possible".to_owned()));
}

#[test]
fn the_task_may_come_again_or_not() {
    let again = stream(&["task:WORKING", "COMPLETED", "task:COMPLETED", "end"]);
    decides(A2A, ("Snapshots", 0), &again, &[(4, "not-possible")]);
}

#[test]
fn a_table_of_states_is_a_profile() {
    let leaps = stream(&["task:SUBMITTED", "COMPLETED", "end"]);
    assert_eq!(found(A2A.0, A2A.1, None, &leaps), []);
    assert_eq!(found(A2A.0, A2A.1, Some(("Profile", 1)), &leaps)[0], (3, "not-possible".to_owned()));
    decides(A2A, ("Profile", 1), &stream(&["task:SUBMITTED", "WORKING", "WORKING", "COMPLETED", "end"]), &[]);
}

#[test]
fn a_message_is_answered_at_once_or_when_the_task_rests() {
    let log = r#"{"t":0,"conn":1,"from":"client","msg":{"id":1,"method":"SendMessage","params":{"message":{}}}}
{"t":0,"conn":1,"from":"server","msg":{"id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}}"#;
    decides(A2A, ("Blocking", 1), log, &[(2, "not-possible")]);
}

const MCP: (&str, &str) = ("mcp/2026-07-28", "stdio");

fn channel(messages: &[(&str, &str)]) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let line = |(from, message): &(&str, &str)| {
        let message = message
            .replace("META", meta)
            .replace("SUB", r#""_meta":{"io.modelcontextprotocol/subscriptionId":1}"#);
        format!(r#"{{"t":0,"session":"s","from":"{from}","msg":{message}}}"#)
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_cancelled_request_should_not_or_must_not_be_answered() {
    let log = channel(&[
        ("client", r#"{"id":1,"method":"tools/call","params":{META}}"#),
        ("client", r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#),
        ("server", r#"{"id":1,"result":{"resultType":"complete"}}"#),
    ]);
    assert_eq!(found(MCP.0, MCP.1, None, &log), [(3, "quiet_when_cancelled".to_owned())]);
    assert_eq!(found(MCP.0, MCP.1, Some(("AfterCancel", 1)), &log), [(3, "not-possible".to_owned())]);
}

#[test]
fn a_server_ends_a_subscription_by_a_result_or_by_cancelling() {
    let begin = [
        ("client", r#"{"id":1,"method":"subscriptions/listen","params":{META}}"#),
        ("server", r#"{"method":"notifications/subscriptions/acknowledged","params":{SUB}}"#),
    ];
    let result = [begin[0], begin[1], ("server", r#"{"id":1,"result":{"resultType":"complete"}}"#)];
    let cancel =
        [begin[0], begin[1], ("server", r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#)];
    decides(MCP, ("Ending", 1), &channel(&result), &[(3, "not-possible")]);
    decides(MCP, ("Ending", 2), &channel(&result), &[]);
    decides(MCP, ("Ending", 1), &channel(&cancel), &[]);
    decides(MCP, ("Ending", 2), &channel(&cancel), &[(3, "not-possible")]);
}

#[test]
fn a_yes_is_good_for_one_change_or_for_several() {
    let log = r#"{"run":"r","role":"assistant","tool_calls":[{"function":{"name":"get_user_details"}}]}
{"run":"r","role":"user","content":"yes"}
{"run":"r","role":"assistant","tool_calls":[{"function":{"name":"cancel_a"}},{"function":{"name":"cancel_b"}}]}"#;
    decides(("agents/confirm", "chat"), ("Lasting", 1), log, &[(3, "not-possible")]);
}
