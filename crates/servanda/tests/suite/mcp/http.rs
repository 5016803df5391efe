//! The server over HTTP: who may ask, what is answered, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::talk::{PATIENCE, examples, wait_until};
use crate::program::{LARGE, command_in, run};

struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    fn start(token: Option<&str>) -> Served {
        let mut command = command_in(&examples(), &["mcp", "--http", "127.0.0.1:0"]);
        command.env_remove("SERVANDA_MCP_TOKEN").stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(token) = token {
            command.env("SERVANDA_MCP_TOKEN", token);
        }
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let link = lines.next().unwrap().unwrap();
        let host =
            link.strip_prefix("http://").and_then(|link| link.strip_suffix("/mcp")).unwrap().to_owned();
        let token = match token {
            Some(token) => token.to_owned(),
            None => {
                let line = lines.next().unwrap().unwrap();
                line.strip_prefix("Authorization: Bearer ").unwrap().to_owned()
            }
        };
        Served { child, host, token }
    }

    fn authorization(&self) -> String {
        format!("authorization: Bearer {}\r\n", self.token)
    }

    /// Sends a message, with what belongs to it; the stream that the answer comes on.
    fn send(&self, host: &str, headers: &str, message: &Value) -> TcpStream {
        let body = message.to_string();
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Sends a message; the status line with the headers, and what was answered.
    fn post(&self, host: &str, headers: &str, message: &Value) -> (String, String) {
        let mut stream = self.send(host, headers, message);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_lowercase(), body.to_owned())
    }

    fn end(mut self) {
        let number = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &number]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The messages of a stream of events.
fn events(body: &str) -> Vec<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}

fn hello() -> Value {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

#[test]
fn only_those_with_the_token_are_let_in_and_no_page() {
    let served = Served::start(None);
    assert_eq!(served.token.len(), 32);
    let (host, good) = (served.host.as_str(), served.authorization());
    let port = host.rsplit(':').next().unwrap();
    for (host, headers, status) in [
        (host, String::new(), "401"),
        (host, "authorization: Bearer wrong\r\n".to_owned(), "401"),
        (host, format!("authorization: Basic {}\r\n", served.token), "401"),
        (host, format!("{good}{good}"), "400"),
        ("evil.example", good.clone(), "421"),
        (&format!("evil.example:{port}"), good.clone(), "421"),
        (host, format!("{good}origin: http://evil.example\r\n"), "403"),
        (host, format!("{good}origin: null\r\n"), "403"),
        (host, good.clone(), "200"),
        (&format!("localhost:{port}"), good.clone(), "200"),
        (host, format!("{good}origin: http://{host}\r\n"), "200"),
    ] {
        let (head, body) = served.post(host, &headers, &hello());
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{host} {headers}: {head}\n{body}");
        assert_eq!(head.contains("www-authenticate: bearer"), status == "401", "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    }
    served.end();
}

#[test]
fn a_session_and_requests_without_one_are_answered() {
    let served = Served::start(Some("a-token-of-my-own-choice"));
    let (head, body) = served.post(&served.host, &served.authorization(), &hello());
    let answer = &events(&body)[0];
    assert_eq!(answer["result"]["serverInfo"]["name"], "servanda", "{body}");
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let headers = format!(
        "{}mcp-session-id: {session}\r\nmcp-protocol-version: 2025-11-25\r\n",
        served.authorization()
    );
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(served.post(&served.host, &headers, &note).0.starts_with("http/1.1 202"));
    let params = json!({ "name": "check", "arguments": { "file": "netbill.pact" } });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let (_, body) = served.post(&served.host, &headers, &call);
    let answer = events(&body).pop().unwrap();
    assert_eq!(answer["result"]["structuredContent"]["status"], "ok", "{body}");
    let (_, body) =
        served.post(&served.host, &stateless(&served, "tools/call", Some("check")), &modern(&params));
    let answer = events(&body).pop().unwrap_or_else(|| serde_json::from_str(&body).unwrap());
    assert_eq!(answer["result"]["structuredContent"]["status"], "ok", "{body}");
    assert_eq!(answer["result"]["resultType"], "complete");
    served.end();
}

fn stateless(served: &Served, method: &str, name: Option<&str>) -> String {
    let name = name.map_or_else(String::new, |name| format!("mcp-name: {name}\r\n"));
    format!("{}mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}", served.authorization())
}

/// A call in the revision without sessions.
fn modern(params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params })
}

#[cfg(target_os = "linux")]
#[test]
fn who_hangs_up_ends_the_job() {
    let served = Served::start(None);
    let model = LARGE.replace("param N = 9", "param N = 12").replace("< 9\n", "< 10\n");
    let arguments = json!({ "model": model, "engine": "enumerate", "timeout": 100 });
    let call = modern(&json!({ "name": "check", "arguments": arguments, "_meta": { "progressToken": 1 } }));
    let stream = served.send(&served.host, &stateless(&served, "tools/call", Some("check")), &call);
    let mut lines = BufReader::new(stream).lines();
    let progress = lines.find_map(|line| {
        let line = line.unwrap();
        line.contains("notifications/progress").then_some(line)
    });
    assert!(progress.unwrap().contains("states"));
    let server = served.child.id();
    assert_eq!(super::talk::children(server).len(), 1);
    drop(lines);
    wait_until("the job has ended", || super::talk::children(server).is_empty());
    served.end();
}

#[test]
fn what_cannot_be_served_is_told() {
    let ran = run(&["mcp", "--http", "256.0.0.1:1"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    let ran = run(&["mcp", "--within", "no/such/directory"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("no/such/directory"), "{}", ran.stderr);
    let ran = run(&["mcp", "--within", "/"]);
    assert!(ran.status == 2 && ran.stderr.contains("name a directory"), "{}", ran.stderr);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let ran = run(&["mcp", "--http", &taken.local_addr().unwrap().to_string()]);
    assert!(ran.status == 2 && ran.stderr.contains("another program listens there"), "{}", ran.stderr);
}
