//! Long calls: progress, cancellation, many at once, and how everything ends.

use std::time::Duration;

use serde_json::{Value, json};

use super::talk::{Assistant, children, examples, wait_until};
use crate::program::LARGE;

/// A call that goes on for long.
fn long() -> Value {
    let model = LARGE.replace("param N = 9", "param N = 12").replace("< 9\n", "< 10\n");
    let arguments = json!({ "model": model, "engine": "enumerate", "timeout": 100 });
    json!({ "name": "check", "arguments": arguments, "_meta": { "progressToken": "p" } })
}

/// Waits for a word on how far the work has come.
fn hear_progress(assistant: &mut Assistant) -> Value {
    loop {
        let heard = assistant.hear();
        if heard["method"] == "notifications/progress" {
            return heard["params"].clone();
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_cancelled_call_ends_its_process() {
    for mut assistant in [Assistant::new(&examples(), &[]), Assistant::stateless(&examples())] {
        let id = assistant.begin("tools/call", &long());
        let mut last = -1.0;
        for _ in 0..3 {
            let told = hear_progress(&mut assistant);
            assert_eq!(told["progressToken"], "p");
            let progress = told["progress"].as_f64().unwrap();
            assert!(progress > last, "{told}");
            last = progress;
            assert!(told["message"].as_str().unwrap().contains("states"), "{told}");
        }
        let server = assistant.child.id();
        assert_eq!(children(server).len(), 1);
        let reason = json!({ "requestId": id, "reason": "enough" });
        assistant.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": reason }));
        let took = wait_until("the process has ended", || children(server).is_empty());
        assert!(took < Duration::from_secs(5), "{took:?}");
        // Nothing is answered, and the next call is.
        let result = assistant.call("describe_error", &json!({ "code": "unknown-name" }));
        assert_eq!(result["structuredContent"]["status"], "ok");
        assistant.leave();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_when_the_other_side_goes() {
    let mut assistant = Assistant::new(&examples(), &[]);
    assistant.begin("tools/call", &long());
    hear_progress(&mut assistant);
    let jobs = children(assistant.child.id());
    assert_eq!(jobs.len(), 1);
    let (status, took) = assistant.close();
    assert!(status.success() && took < Duration::from_secs(20), "{status} {took:?}");
    wait_until("the job has ended", || !std::path::Path::new(&format!("/proc/{}", jobs[0])).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_server_and_its_jobs() {
    for signal in ["-INT", "-TERM", "-KILL"] {
        let mut assistant = Assistant::new(&examples(), &[]);
        assistant.begin("tools/call", &long());
        hear_progress(&mut assistant);
        let jobs = children(assistant.child.id());
        let number = assistant.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &number]).status().unwrap().success());
        let status = assistant.child.wait().unwrap();
        assert!(status.success() || signal == "-KILL", "{signal}: {status}");
        wait_until("the job has ended", || !std::path::Path::new(&format!("/proc/{}", jobs[0])).exists());
    }
}

#[test]
fn what_is_asked_is_answered_before_the_server_leaves() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let call = json!({ "name": "describe_error", "arguments": { "code": "unknown-name" } });
    let id = assistant.begin("tools/call", &call);
    let (status, _) = assistant.close();
    assert!(status.success());
    assert_eq!(assistant.answer(id)["result"]["structuredContent"]["status"], "ok");
}

#[test]
fn many_calls_wait_for_each_other_and_too_many_are_told_so() {
    let mut assistant = Assistant::new(&examples(), &["--jobs", "1"]);
    let ids: Vec<u64> = (0..5)
        .map(|_| {
            assistant
                .begin("tools/call", &json!({ "name": "check", "arguments": { "file": "netbill.pact" } }))
        })
        .collect();
    let mut open = ids;
    while !open.is_empty() {
        let heard = assistant.hear();
        assert_eq!(heard["result"]["structuredContent"]["status"], "ok", "{heard}");
        open.retain(|id| heard["id"] != *id);
    }
    let long: Vec<u64> = (0..12).map(|_| assistant.begin("tools/call", &long())).collect();
    let refused = loop {
        let heard = assistant.hear();
        if heard.get("result").is_some() {
            break heard;
        }
    };
    assert_eq!(refused["result"]["structuredContent"]["status"], "undecided", "{refused}");
    assert!(super::talk::text(&refused["result"]).contains("calls at a time is reached"), "{refused}");
    for id in long.iter().filter(|id| refused["id"] != **id) {
        let cancelled = json!({ "requestId": id });
        assistant.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }));
    }
    // All places are free again, once those that wait have heard of it.
    let format = json!({ "name": "format", "arguments": { "file": "netbill.pact" } });
    let since = std::time::Instant::now();
    loop {
        let id = assistant.begin("tools/call", &format);
        let answered = loop {
            let heard = assistant.hear();
            if heard["id"] == id {
                break heard;
            }
        };
        if answered["result"]["isError"] == false {
            return;
        }
        assert!(since.elapsed() < super::talk::PATIENCE, "{answered}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_call_that_needs_too_much_memory_is_ended() {
    let mut assistant = Assistant::new(&examples(), &["--memory", "200M"]);
    let mut call = long()["arguments"].clone();
    call["memory"] = json!(150);
    let result = assistant.call("check", &call);
    assert_eq!(result["structuredContent"]["status"], "undecided", "{result:#}");
    assert!(super::talk::text(&result).contains("memory"), "{result:#}");
    assistant.leave();
}
