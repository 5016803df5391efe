//! Resources, prompts, completions, and what is said of the server.

use serde_json::json;

use super::talk::{Assistant, examples};

#[test]
fn resources_are_listed_read_and_completed() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let listed = assistant.ask("resources/list", &json!({}));
    let listed = listed["result"]["resources"].as_array().unwrap().clone();
    for wanted in
        ["servanda://docs/pact.md", "servanda://library/mcp/2025-11-25", "servanda://examples/netbill.pact"]
    {
        assert!(listed.iter().any(|one| one["uri"] == wanted), "{wanted}");
        let read = assistant.ask("resources/read", &json!({ "uri": wanted }));
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().len() > 100, "{read}");
    }
    let templates = assistant.ask("resources/templates/list", &json!({}));
    assert_eq!(templates["result"]["resourceTemplates"].as_array().unwrap().len(), 4);
    let reference = json!({ "type": "ref/resource", "uri": "servanda://errors/{code}" });
    let asked = json!({ "ref": reference, "argument": { "name": "code", "value": "unknown-n" } });
    let completed = assistant.ask("completion/complete", &asked);
    assert_eq!(completed["result"]["completion"]["values"][0], "unknown-name", "{completed}");
    let missing = assistant.ask("resources/read", &json!({ "uri": "servanda://docs/pakt.md" }));
    assert_eq!(missing["error"]["code"], -32002);
    assert!(missing["error"]["message"].as_str().unwrap().contains("did you mean servanda://docs/pact.md?"));
    assistant.leave();
}

#[test]
fn prompts_are_listed_and_filled_in() {
    let mut assistant = Assistant::stateless(&examples());
    let listed = assistant.ask("prompts/list", &json!({}));
    let names: Vec<&str> = listed["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["model_this_api", "why_does_this_fail"]);
    let got = json!({ "name": "model_this_api", "arguments": { "api": "POST /orders" } });
    let got = assistant.ask("prompts/get", &got);
    assert!(
        got["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("POST /orders"),
        "{got}"
    );
    let wrong = assistant.ask("prompts/get", &json!({ "name": "model_this_api" }));
    assert_eq!(wrong["error"]["code"], -32602);
    let missing = assistant.ask("resources/read", &json!({ "uri": "servanda://docs/pakt.md" }));
    assert_eq!(missing["error"]["code"], -32602, "what this revision says");
    assistant.leave();
}

#[test]
fn the_server_says_what_it_can_do_in_every_revision() {
    for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut assistant = Assistant::start(&examples(), &[]);
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": client });
        let answer = assistant.ask("initialize", &hello);
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], agreed, "{answer}");
        assert_eq!(result["serverInfo"]["name"], "servanda");
        let can: Vec<&String> = result["capabilities"].as_object().unwrap().keys().collect();
        assert_eq!(can, ["completions", "prompts", "resources", "tools"]);
    }
    let mut assistant = Assistant::stateless(&examples());
    let discovered = assistant.ask("server/discover", &json!({}));
    let versions = &discovered["result"]["supportedVersions"];
    assert!(versions.as_array().unwrap().contains(&json!("2026-07-28")), "{discovered}");
    assistant.leave();
}
