//! The language server as an editor starts it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Editor {
    server: Child,
    answers: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_servanda"))
            .args(["lsp", "--timeout", "60s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(server.stdout.take().unwrap());
        let mut editor = Editor { server, answers };
        editor.ask(0, "initialize", json!({ "capabilities": {} }));
        editor.send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        editor
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.server.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).unwrap();
            match line.trim() {
                "" => break,
                line => length = line.rsplit(' ').next().unwrap().parse().unwrap(),
            }
        }
        let mut body = vec![0; length];
        self.answers.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn ask(&mut self, id: i32, method: &str, params: Value) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let heard = self.hear();
            if heard["id"] == id && heard.get("method").is_none() {
                return heard["result"].clone();
            }
        }
    }
}

#[test]
fn an_editor_sees_findings_checks_a_property_and_sees_why() {
    let mut editor = Editor::start();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let uri = format!("file://{root}/pnaws.pact");
    let text = std::fs::read_to_string(format!("{root}/pnaws.pact")).unwrap();
    let document = json!({ "uri": uri, "languageId": "pact", "version": 1, "text": text });
    let open = json!({ "textDocument": document });
    editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }));
    let shown = editor.hear();
    assert_eq!(
        (&shown["method"], &shown["params"]["uri"]),
        (&json!("textDocument/publishDiagnostics"), &json!(uri))
    );
    let asked = |command: &str| json!({ "command": command, "arguments": [uri, "always_agree"] });
    let checked = editor.ask(1, "workspace/executeCommand", asked("servanda.check"));
    assert_eq!(checked["verdicts"][0]["verdict"], "false", "{checked}");
    let explained = editor.ask(2, "workspace/executeCommand", asked("servanda.explain"));
    assert!(explained["html"].as_str().unwrap().contains("<svg"), "{explained}");
    let steps = explained["steps"].as_array().unwrap();
    let line = steps[0]["line"].as_u64().unwrap() as usize;
    assert!(text.lines().nth(line - 1).unwrap().contains("-->"), "the first step is a transition");
    // One entry for each row of the table of the first chart, but not for the state in which it begins.
    let html = explained["html"].as_str().unwrap();
    let first = html.split("<h2 id=\"chart").nth(1).unwrap();
    let is_step = |row: &&str| {
        row.split_once("><td>").is_some_and(|(_, cell)| cell.starts_with(|c: char| c.is_ascii_digit()))
    };
    let rows = first.split("<tr").filter(is_step).count() - 1;
    assert_eq!(steps.len(), rows, "{first}");
    let walk = json!({ "command": "servanda.simulate", "arguments": [uri, "always_agree", [0]] });
    let walk = editor.ask(5, "workspace/executeCommand", walk);
    assert_eq!(walk["taken"].as_array().unwrap().len(), 1, "{walk}");
    assert!(!walk["choices"].as_array().unwrap().is_empty(), "{walk}");
    let hints = editor.ask(3, "textDocument/inlayHint", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(hints.as_array().unwrap().len(), 1, "{hints}");
    assert_eq!(editor.ask(4, "shutdown", Value::Null), Value::Null);
    editor.send(json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(editor.server.wait().unwrap().success());
}
