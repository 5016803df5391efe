//! Checks that run beside the conversation.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///a.pact";
const TEXT: &str =
    "roles Ann\nstart s\ns -- Ann: m --> s\nproperty p = AG in s\nproperty endless = EF in s\n";

fn command(name: &str, arguments: &[&str]) -> Value {
    json!({ "command": name, "arguments": arguments })
}

#[test]
fn a_verdict_is_shown_where_the_property_is_and_can_be_accepted() {
    let mut client = Client::new();
    client.open(URI, TEXT);
    let document = json!({ "textDocument": { "uri": URI } });
    let lenses = client.ask("textDocument/codeLens", document.clone());
    let lens = lenses[0]["command"].clone();
    assert_eq!((&lens["command"], &lens["arguments"]), (&json!("servanda.check"), &json!([URI, "p"])));
    let answer = client.ask("workspace/executeCommand", lens);
    assert_eq!(answer["verdicts"][0]["verdict"], "false");
    let hints = client.ask("textDocument/inlayHint", document.clone());
    assert_eq!(hints[0]["label"], "✗ false");
    let hover = client.at("textDocument/hover", URI, (3, 9));
    assert!(
        hover["contents"]["value"].as_str().expect("as the protocol says").contains("**false**"),
        "{hover}"
    );
    let (_, found) = client.shown[URI].clone();
    assert!(found.iter().any(|one| one["code"] == "unreachable-state"), "what the check found is shown");
    let range = json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["edit"]["changes"][URI][0]["newText"], " expect false");
    let explained = client.ask("workspace/executeCommand", command("servanda.explain", &[URI, "p"]));
    assert_eq!((&explained["text"], &explained["steps"][0]["line"]), (&json!("chart"), &json!(3)));
    assert_eq!(explained["steps"][1], Value::Null, "nothing is known of the second step");
    let walked = json!({ "command": "servanda.simulate", "arguments": [URI, "p", [0, 2]] });
    let walked = client.ask("workspace/executeCommand", walked);
    assert_eq!(
        (&walked["taken"], &walked["choices"][0]["label"]),
        (&json!(["step 0", "step 2"]), &json!("Ann: m"))
    );
    assert_eq!(walked["watched"], json!([{ "text": "p", "value": "true" }]));
    // After an edit the verdict is one about another text.
    let start = json!({ "line": 0, "character": 0 });
    client.change(URI, json!([{ "range": { "start": start, "end": start }, "text": "\n" }]));
    assert_eq!(client.ask("textDocument/inlayHint", document), json!([]));
}

#[test]
fn an_edit_ends_a_check_and_so_does_the_user() {
    let mut client = Client::new();
    client.open(URI, TEXT);
    let running = client.begin("workspace/executeCommand", command("servanda.check", &[URI, "endless"]));
    // The conversation goes on meanwhile.
    assert!(client.at("textDocument/hover", URI, (0, 7))["contents"].is_object());
    std::thread::sleep(Duration::from_millis(300));
    let started = Instant::now();
    client.change(URI, json!([{ "text": TEXT }]));
    assert!(client.answer(&running).is_err());
    assert!(started.elapsed() < Duration::from_secs(10));
    let kinds: Vec<&str> =
        client.progress.iter().map(|value| value["kind"].as_str().expect("as the protocol says")).collect();
    assert_eq!((kinds.first(), kinds.contains(&"report")), (Some(&"begin"), true), "{kinds:?}");

    let running = client.begin("workspace/executeCommand", command("servanda.check", &[URI, "endless"]));
    let id: Value = running.to_string().parse().expect("a number");
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert!(client.answer(&running).is_err());
}

#[test]
fn limits_end_checks_and_failures_do_not_end_the_server() {
    let mut client =
        Client::with(crate::client::Oracle { files: Vec::new() }, json!({ "timeoutSeconds": 1 }));
    client.open(URI, TEXT);
    for arguments in [[URI, "endless"], [URI, "panics"], ["file:///other.pact", "p"]] {
        assert!(client.try_ask("workspace/executeCommand", command("servanda.check", &arguments)).is_err());
    }
    assert!(client.try_ask("workspace/executeCommand", command("servanda.fly", &[URI, "p"])).is_err());
    assert!(client.try_ask("textDocument/unheardOf", json!({ "textDocument": { "uri": URI } })).is_err());
    let all = client.ask("workspace/executeCommand", command("servanda.check", &[URI]));
    assert_eq!(all["verdicts"], json!([]));
}
