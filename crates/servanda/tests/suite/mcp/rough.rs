//! What no client should say: the server answers what can be answered, and goes on.

use serde_json::{Value, json};

use super::talk::{Assistant, examples};

/// The server is there, and answers.
fn goes_on(assistant: &mut Assistant) {
    let answer = assistant.ask("tools/list", &json!({}));
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 6, "{answer}");
}

#[test]
fn lines_that_are_no_messages_are_answered() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}1{}}}"#,
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    let cases: [(&[u8], i64, Value); 9] = [
        (b"no JSON", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700, Value::Null),
        (b"\xff\xfe\x00", -32700, Value::Null),
        (deep.as_bytes(), -32700, Value::Null),
        (b"42", -32600, Value::Null),
        (b"[]", -32600, Value::Null),
        (b"{}", -32600, Value::Null),
        (br#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, -32600, json!(5)),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, Value::Null),
    ];
    for (line, code, id) in cases {
        assistant.say_raw(line);
        let answer = assistant.hear();
        assert_eq!(
            answer["error"]["code"],
            code,
            "{}: {answer}",
            String::from_utf8_lossy(&line[..line.len().min(80)])
        );
        assert_eq!(answer["id"], id, "{answer}");
    }
    assistant.say_raw(b"");
    assistant.say_raw(b"   \r");
    goes_on(&mut assistant);
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let mut assistant = Assistant::new(&examples(), &[]);
    assistant.say_raw(&vec![b'x'; 40 << 20]);
    assert_eq!(assistant.hear()["error"]["code"], -32700);
    goes_on(&mut assistant);
    // One that is long is not too long.
    let long = format!(
        "// {}\nprotocol X\nroles A\nstart s\ns -- A: go --> s\nproperty p = AG true\n",
        "x".repeat(6 << 20)
    );
    let result = assistant.call("check", &json!({ "model": long }));
    assert_eq!(result["structuredContent"]["status"], "ok", "{result:#}");
    assistant.leave();
}

#[test]
fn requests_that_are_not_known_are_protocol_errors() {
    let mut assistant = Assistant::new(&examples(), &[]);
    for (method, params, code) in [
        ("tools/bake", json!({}), -32601),
        ("sampling/createMessage", json!({}), -32601),
        ("resources/subscribe", json!({ "uri": "servanda://docs/pact.md" }), -32601),
        ("logging/setLevel", json!({ "level": "info" }), -32601),
        ("tools/call", json!({ "nmae": "check" }), -32602),
        ("tools/call", json!({ "name": "chekc" }), -32602),
        ("tools/call", json!({ "name": "check", "arguments": 3 }), -32602),
        ("resources/read", json!({}), -32602),
        ("prompts/get", json!({ "name": "model_this_ap" }), -32602),
        ("tools/list", json!({ "cursor": "x" }), -32602),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "" } }),
            -32602,
        ),
    ] {
        let answer = assistant.ask(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    let near = assistant.ask("tools/call", &json!({ "name": "chekc" }));
    assert!(near["error"]["message"].as_str().unwrap().contains("did you mean check?"), "{near}");
    goes_on(&mut assistant);
}

#[test]
fn what_comes_before_the_handshake_is_answered_and_forgotten() {
    let mut assistant = Assistant::start(&examples(), &[]);
    assistant.say_raw(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assistant.say_raw(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assistant.say_raw(br#"{"jsonrpc":"2.0","id":100,"result":{}}"#);
    assistant.say_raw(br#"{"jsonrpc":"2.0","id":101,"method":"tools/list"}"#);
    let early = assistant.hear();
    assert_eq!((&early["id"], early["error"]["code"].is_i64()), (&json!(101), true), "{early}");
    assistant.say_raw(br#"{"jsonrpc":"2.0","id":102,"method":"ping"}"#);
    assert_eq!(assistant.hear()["id"], 102);
    assistant.shake_hands();
    goes_on(&mut assistant);
}

#[test]
fn random_bytes_do_no_harm() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let good = br#"{"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{"name":"describe_error","arguments":{"code":"unknown-name"}}}"#;
    let mut seed: u64 = 0x5eed;
    for _ in 0..400 {
        let mut line = good.to_vec();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % line.len();
            line[at] = match (seed >> 20) as u8 {
                b'\n' | b'\r' => b' ',
                byte => byte,
            };
        }
        assistant.say_raw(&line);
    }
    let id = assistant.begin("ping", &json!({}));
    loop {
        let heard = assistant.hear();
        if heard["id"] == id {
            assert!(heard.get("result").is_some(), "{heard}");
            return;
        }
    }
}
