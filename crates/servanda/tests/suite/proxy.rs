//! `proxy` between a client and a server that the test plays.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

use crate::program::{command_in, run_in};

/// Answers every request that it is sent: events where the path says so, otherwise JSON with the id that was asked.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let Some((head, body)) = message(&mut reader) else { return };
        let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
        let told = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{{\"name\":\"s\",\"version\":\"1\"}}}}}}",
            asked["id"]
        );
        let text = if head.contains("/events") {
            format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n: hi\n\nid: 1\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":1}}}}\n\ndata: {told}\n\n"
            )
        } else {
            let length = told.len();
            format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: secret-cookie\r\nmcp-session-id: secret-session\r\ncontent-length: {length}\r\n\r\n{told}"
            )
        };
        if stream.write_all(text.as_bytes()).is_err() || head.contains("/events") {
            return;
        }
    }
}

/// A head and its body.
fn message(reader: &mut impl std::io::BufRead) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head
        .to_ascii_lowercase()
        .split("content-length:")
        .nth(1)?
        .split("\r\n")
        .next()?
        .trim()
        .parse()
        .ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

struct Proxied {
    child: Child,
    address: String,
}

impl Proxied {
    fn start(directory: &Path, more: &[&str]) -> Proxied {
        let target = format!("http://{}", serve());
        let arguments = [&["proxy", "--target", &target, "--log", "log.jsonl"], more].concat();
        let mut child =
            command_in(directory, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").unwrap().split(' ').next().unwrap().to_owned();
        Proxied { child, address }
    }

    /// Sends a message to a path; the whole answer.
    fn post(&self, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, length) = (&self.address, body.len());
        // Who opens a session does not know its name yet.
        let session = if body == OPENING { "" } else { "mcp-session-id: secret-session\r\n" };
        write!(stream, "POST {path}?key=secret-query HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer secret-token\r\ncookie: secret-cookie\r\n{session}mcp-protocol-version: 2025-11-25\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ctrl-C: the status and what was found.
    fn end(self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

const OPENING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

fn list(id: u32) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}")
}

#[test]
fn answers_and_events_pass_and_no_secret_is_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let proxied = Proxied::start(directory.path(), &[]);
    let answer = proxied.post("/mcp", OPENING);
    assert!(answer.contains("secret-cookie") && answer.contains("\"id\":1,"), "{answer}");
    let events = proxied.post("/events", &list(2));
    assert!(events.contains(": hi\n\nid: 1\ndata: {") && events.contains("\"id\":2,"), "{events}");
    assert_eq!(proxied.end(), (Some(0), String::new()));
    let log = fs::read_to_string(directory.path().join("log.jsonl")).unwrap();
    assert!(!log.contains("secret"), "{log}");
    let records: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events = records.iter().filter(|record| record["http"]["sse"] == true).count();
    assert_eq!((events, records.iter().filter(|record| record["from"] == "client").count()), (2, 2), "{log}");
}

#[test]
fn what_breaks_the_protocol_is_answered_by_the_proxy() {
    let directory = tempfile::tempdir().unwrap();
    let proxied =
        Proxied::start(directory.path(), &["--library", "mcp/2025-11-25", "--enforce", "--format", "jsonl"]);
    assert!(proxied.post("/mcp", OPENING).contains("\"result\""));
    assert!(
        proxied.post("/mcp", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).contains("200")
    );
    assert!(proxied.post("/mcp", &list(2)).contains("\"result\""));
    let refused = proxied.post("/mcp", &list(2));
    assert!(refused.contains("-32600") && refused.contains("\"id\":2"), "{refused}");
    assert!(proxied.post("/mcp", &list(3)).contains("\"result\""));
    let (status, said) = proxied.end();
    assert_eq!(status, Some(1), "{said}");
    assert!(said.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{said}");
    let ran = run_in(
        directory.path(),
        &["audit", "log.jsonl", "--library", "mcp/2025-11-25", "--source", "http", "--format", "json"],
    );
    assert_eq!(ran.status, 1, "{}", ran.stdout);
}

#[test]
fn what_cannot_begin_says_why() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &["proxy", "--target", "no address at all"][..],
        &["proxy", "--target", "http://127.0.0.1:9", "--library", "mcp"],
        &["proxy", "--target", "http://127.0.0.1:9", "--listen", "here"],
        &["proxy"],
    ] {
        let ran = run_in(directory.path(), arguments);
        assert!(ran.status == 2 && !ran.stderr.is_empty(), "{arguments:?}: {}", ran.stderr);
    }
    let ran = run_in(directory.path(), &["proxy", "--target", "localhost:80"]);
    assert!(
        ran.stderr
            .contains("--target localhost:80: http:// or https:// goes before it: write http://localhost:80")
    );
}
