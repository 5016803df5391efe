//! The language server as an editor starts it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Editor {
    server: Child,
    answers: BufReader<ChildStdout>,
}

impl Editor {
    fn start(arguments: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_servanda"))
            .args(["lsp", "--timeout", "60s"])
            .args(arguments)
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

    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri, "languageId": "pact", "version": 1, "text": text });
        let open = json!({ "textDocument": document });
        self.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }));
        loop {
            let heard = self.hear();
            if heard["params"]["uri"] == uri {
                return heard["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    fn leave(mut self) {
        assert_eq!(self.ask(99, "shutdown", Value::Null), Value::Null);
        self.send(json!({ "jsonrpc": "2.0", "method": "exit" }));
        assert!(self.server.wait().unwrap().success());
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
    let mut editor = Editor::start(&[]);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let uri = format!("file://{root}/pnaws.pact");
    let text = std::fs::read_to_string(format!("{root}/pnaws.pact")).unwrap();
    assert_eq!(editor.open(&uri, &text), Vec::<Value>::new());
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
    // One of several beginnings, then a step.
    let walk = json!({ "command": "servanda.simulate", "arguments": [uri, "always_agree", [0, 0]] });
    let walk = editor.ask(5, "workspace/executeCommand", walk);
    assert_eq!(walk["taken"].as_array().unwrap().len(), 1, "{walk}");
    assert!(!walk["choices"].as_array().unwrap().is_empty(), "{walk}");
    let hints = editor.ask(3, "textDocument/inlayHint", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(hints.as_array().unwrap().len(), 1, "{hints}");
    editor.leave();
}

const PART: &str = "roles Payer\nvar done : bool = false\nstart s\ns -- Payer: m set done = true --> s\n";

fn using(path: &str) -> String {
    format!("roles Ann\nuse \"{path}\" as pay (Payer = Ann)\nproperty p expect true = EF pay.done\n")
}

#[test]
fn within_a_directory_nothing_outside_is_read() {
    let top = tempfile::tempdir().unwrap();
    let inside = top.path().join("inside");
    std::fs::create_dir_all(inside.join("sub")).unwrap();
    std::fs::write(top.path().join("secret.pact"), PART).unwrap();
    std::fs::write(inside.join("pay.pact"), PART).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(top.path().join("secret.pact"), inside.join("link.pact")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(top.path(), inside.join("up")).unwrap();
    let mut editor = Editor::start(&["--within", inside.to_str().unwrap()]);
    let good = "file:///sub/shop.pact";
    assert_eq!(editor.open(good, &using("../pay.pact")), Vec::<Value>::new());
    let asked = json!({ "command": "servanda.check", "arguments": [good, "p"] });
    assert_eq!(editor.ask(1, "workspace/executeCommand", asked)["verdicts"][0]["verdict"], "true");
    let place = json!({ "textDocument": { "uri": good }, "position": { "line": 2, "character": 32 } });
    let found = editor.ask(2, "textDocument/definition", place);
    assert_eq!((&found["uri"], &found["range"]["start"]["line"]), (&json!("file:///pay.pact"), &json!(1)));
    let secret = top.path().join("secret.pact");
    let outside = [
        "../../secret.pact",
        secret.to_str().unwrap(),
        "../link.pact",
        "../up/secret.pact",
        "../up/secre.pact",
    ];
    for (number, path) in outside.into_iter().enumerate() {
        let shown = editor.open(&format!("file:///sub/{number}.pact"), &using(path));
        let message = shown[0]["message"].as_str().unwrap();
        assert_eq!(shown[0]["code"], "cannot-read", "{path}: {message}");
        assert!(!message.contains("did you mean"), "{message}");
    }
    let missing = editor.open("file:///missing.pact", &using("pya.pact"));
    let message = missing[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("pya.pact cannot be read") && message.contains("did you mean pay.pact?"),
        "{message}"
    );
    editor.leave();
}

#[test]
fn names_are_found_in_files_that_are_not_open() {
    let top = tempfile::tempdir().unwrap();
    let (pay, shop) = (top.path().join("pay.pact"), top.path().join("shop.pact"));
    std::fs::write(&pay, PART).unwrap();
    std::fs::write(&shop, using("pay.pact")).unwrap();
    let mut editor = Editor::start(&[]);
    let uri = format!("file://{}", pay.display());
    assert_eq!(editor.open(&uri, PART), Vec::<Value>::new());
    let place = json!({
        "textDocument": { "uri": uri },
        "position": { "line": 1, "character": 5 },
        "newName": "finished",
    });
    let edits = editor.ask(1, "textDocument/rename", place);
    let changes = edits["changes"].as_object().unwrap();
    let counts: Vec<usize> = changes.values().map(|edits| edits.as_array().unwrap().len()).collect();
    assert_eq!((changes.len(), counts), (2, vec![2, 1]), "{edits}");
    assert!(changes.contains_key(&format!("file://{}", shop.display())));
    editor.leave();
}
