//! A conversation with the server.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{command_in, run};

/// Nothing takes longer, also where the machine has much to do.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Where models for tests are.
pub(super) fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// An assistant that talks to the program.
pub(super) struct Assistant {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What was said, as `servanda tap` records it.
    log: Vec<String>,
    asked: u64,
    /// The notifications that came meanwhile.
    pub(super) notes: Vec<Value>,
    /// What is said in every request, in revisions without a handshake.
    meta: Option<Value>,
    schemas: BTreeMap<String, jsonschema::Validator>,
}

impl Assistant {
    /// Starts the program, which nobody has talked to.
    pub(super) fn start(directory: &Path, options: &[&str]) -> Assistant {
        let mut command = command_in(directory, &["mcp"]);
        command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Assistant {
            input: child.stdin.take(),
            child,
            lines,
            log: Vec::new(),
            asked: 0,
            notes: Vec::new(),
            meta: None,
            schemas: BTreeMap::new(),
        }
    }

    /// With a handshake.
    pub(super) fn new(directory: &Path, options: &[&str]) -> Assistant {
        let mut assistant = Assistant::start(directory, options);
        assistant.shake_hands();
        assistant.learn();
        assistant
    }

    pub(super) fn shake_hands(&mut self) {
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let answer = self.ask("initialize", &hello);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }

    /// In the revision without a handshake.
    pub(super) fn stateless(directory: &Path) -> Assistant {
        let mut assistant = Assistant::start(directory, &[]);
        assistant.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        }));
        assistant.learn();
        assistant
    }

    /// What the tools promise to answer.
    fn learn(&mut self) {
        let listed = self.ask("tools/list", &json!({}));
        for tool in listed["result"]["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap().to_owned();
            self.schemas.insert(name, jsonschema::validator_for(&tool["outputSchema"]).unwrap());
        }
    }

    /// Says a line, whatever it is.
    pub(super) fn say_line(&mut self, line: &str) {
        self.log.push(format!(r#"{{"session":"s","from":"client","msg":{line}}}"#));
        self.say_raw(line.as_bytes());
    }

    /// Says a line that is not recorded.
    pub(super) fn say_raw(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).unwrap();
    }

    pub(super) fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    /// Asks, and does not wait; the number of the request.
    pub(super) fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.asked += 1;
        let mut params = params.clone();
        if let Some(meta) = &self.meta {
            for (name, value) in meta.as_object().unwrap() {
                params["_meta"][name] = value.clone();
            }
        }
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.say(&request);
        self.asked
    }

    /// The next message of the server.
    pub(super) fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server says something");
        self.log.push(format!(r#"{{"session":"s","from":"server","msg":{line}}}"#));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Waits for the answer to a request.
    pub(super) fn answer(&mut self, id: u64) -> Value {
        loop {
            let heard = self.hear();
            if heard["id"] == id && heard.get("method").is_none() {
                return heard;
            }
            assert!(heard.get("method").is_some(), "an answer to {id} is waited for: {heard}");
            self.notes.push(heard);
        }
    }

    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Calls a tool; what it answers is what it promised.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = answer.get("result").unwrap_or_else(|| panic!("{tool}: {answer}")).clone();
        let structure = &result["structuredContent"];
        let schema = &self.schemas[tool];
        let errors: Vec<String> = schema.iter_errors(structure).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool}: {errors:?}: {structure:#}");
        assert_eq!(result["isError"] == true, structure["status"] == "invalid", "{result:#}");
        let text = text(&result);
        assert!(text.lines().count() <= 62, "{} lines: {text}", text.lines().count());
        result
    }

    /// Says nothing more; how the program ended, and after how long.
    pub(super) fn close(&mut self) -> (std::process::ExitStatus, Duration) {
        let since = Instant::now();
        drop(self.input.take());
        (self.child.wait().unwrap(), since.elapsed())
    }

    /// Leaves, and has the conversation judged.
    pub(super) fn leave(mut self) {
        let (status, took) = self.close();
        assert!(status.success(), "{status}");
        assert!(took < PATIENCE);
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log.jsonl");
        std::fs::write(&log, self.log.join("\n") + "\n").unwrap();
        let library = if self.meta.is_some() { "mcp/2026-07-28" } else { "mcp/2025-11-25" };
        let ran = run(&["audit", log.to_str().unwrap(), "--library", library]);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first text of a result.
pub(super) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result:#}"))
}

/// The processes that a process has started.
pub(super) fn children(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(number) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let mut fields = rest.split_whitespace();
        let (state, parent) = (fields.next(), fields.next());
        if parent == Some(&of.to_string()) && state != Some("Z") {
            found.push(number);
        }
    }
    found
}

/// Waits until something is so.
pub(super) fn wait_until(what: &str, is_so: impl Fn() -> bool) -> Duration {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
    since.elapsed()
}
