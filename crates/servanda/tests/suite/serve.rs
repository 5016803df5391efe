//! `servanda serve`: from the command line to the first verdict, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use crate::program::{command_in, run};

/// The program, serving a directory.
struct Served {
    child: Child,
    /// `127.0.0.1:PORT`
    host: String,
    token: String,
}

impl Served {
    fn start(directory: &Path, arguments: &[&str]) -> Served {
        let mut command = command_in(directory, &["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        Served::started(command)
    }

    fn started(mut command: Command) -> Served {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").unwrap();
        let (host, token) = address.split_once("/?token=").unwrap();
        Served { child, host: host.to_owned(), token: token.to_owned() }
    }

    fn get(&self, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, token) = (&self.host, &self.token);
        let request = format!(
            "GET {target} HTTP/1.1\r\nhost: {host}\r\nx-servanda-token: {token}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn socket(&self, target: &str) -> WebSocket<TcpStream> {
        let address = format!("ws://{}{target}?token={}", self.host, self.token);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("origin", format!("http://{}", self.host).parse().unwrap());
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        tungstenite::client(request, stream).unwrap().0
    }

    /// Sends a signal and waits for the end.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        (status.code(), begun.elapsed())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Where it has ended already there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn heard(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return serde_json::from_str(text.as_str()).unwrap();
        }
    }
}

/// Everything that is told about a job, to its end.
fn job(socket: &mut WebSocket<TcpStream>, request: &Value) -> Vec<Value> {
    socket.send(Message::text(json!({ "id": 1, "start": request }).to_string())).unwrap();
    let mut told = Vec::new();
    while told.last().is_none_or(|told: &Value| told.get("end").is_none()) {
        told.push(heard(socket));
    }
    told
}

#[test]
fn from_the_command_line_to_the_first_verdict() {
    let directory = tempfile::tempdir().unwrap();
    let served = Served::start(directory.path(), &[]);
    assert!(served.get("/").contains("<title>Servanda</title>"));
    let gallery = served.get("/api/gallery/netbill.pact");
    let example: Value = serde_json::from_str(gallery.split_once("\r\n\r\n").unwrap().1).unwrap();
    let subject = json!({ "language": "pact", "path": "netbill.pact", "text": example["text"] });
    let told = job(&mut served.socket("/api/jobs"), &json!({ "kind": "check", "subject": subject }));
    let verdicts: Vec<&Value> = told.iter().filter(|told| told["event"]["event"] == "verdict").collect();
    assert!(verdicts.len() > 3, "{told:?}");
    assert!(verdicts.iter().all(|verdict| verdict["event"]["verdict"]["asWanted"] == true), "{verdicts:?}");
    assert_eq!(told.last().unwrap()["end"]["reason"], "finished");
    assert!(served.get("/api/library").contains("mcp/2025-11-25"));
}

#[test]
fn a_job_that_is_asked_nonsense_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let served = Served::start(directory.path(), &["--jobs", "1"]);
    let mut socket = served.socket("/api/jobs");
    let told = job(&mut socket, &json!({ "kind": "nonsense" }));
    assert_eq!(told.last().unwrap()["end"]["reason"], "refused", "{told:?}");
    let told = job(
        &mut socket,
        &json!({ "kind": "check", "subject": { "language": "pact", "path": "a.pact", "text": "roles" } }),
    );
    assert!(told.iter().any(|told| told["event"]["event"] == "findings"), "{told:?}");
}

#[test]
fn the_language_server_answers_over_a_socket_and_reads_only_the_directory() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(
        outside.path().join("secret.pact"),
        "protocol Secret\nroles Ann\nstart s\ns -- Ann: go --> s\n",
    )
    .unwrap();
    let directory = tempfile::tempdir_in(outside.path()).unwrap();
    let served = Served::start(directory.path(), &[]);
    let mut socket = served.socket("/api/language");
    let mut say = |message: Value| socket.send(Message::text(message.to_string())).unwrap();
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    say(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let mut opened = |name: &str, text: &str| {
        let document =
            json!({ "uri": format!("file:///{name}"), "languageId": "pact", "version": 1, "text": text });
        let params = json!({ "textDocument": document });
        let message = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params });
        socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let told = heard(&mut socket);
            let is_it = told["params"]["uri"].as_str().is_some_and(|uri| uri.ends_with(name));
            if told["method"] == "textDocument/publishDiagnostics" && is_it {
                break told["params"]["diagnostics"].clone();
            }
        }
    };
    let found = opened("a.pact", "roles Ann\nstart s\ns -- Bob: go --> s\n");
    assert_eq!(found[0]["code"], "unknown-name", "{found}");
    let secret = outside.path().join("secret.pact");
    for (name, path) in [("b.pact", "../secret.pact"), ("c.pact", secret.to_str().unwrap())] {
        let text =
            format!("protocol P\nroles Ann\nuse \"{path}\" as x (Ann = Ann)\nstart s\ns -- Ann: go --> s\n");
        let found = opened(name, &text);
        assert_eq!(found[0]["code"], "cannot-read", "{path}: {found}");
    }
}

/// Where the system gives it few files, it goes on with those that it has.
#[cfg(unix)]
#[test]
fn more_sockets_than_files_that_may_be_open() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -n 48; exec \"$0\" serve --listen 127.0.0.1:0",
        env!("CARGO_BIN_EXE_servanda"),
    ]);
    command.current_dir(directory.path());
    let served = Served::started(command);
    let held: Vec<TcpStream> = (0..300).filter_map(|_| TcpStream::connect(&served.host).ok()).collect();
    assert!(held.len() > 100);
    let begun = Instant::now();
    assert!(served.get("/api/info").starts_with("HTTP/1.1 200"));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    drop(held);
    let begun = Instant::now();
    assert!(served.get("/api/info").starts_with("HTTP/1.1 200"));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_in_order_and_its_jobs_with_it() {
    // Whoever is killed cannot end anything; but then nobody speaks to its jobs any more.
    for (signal, wanted) in [("-INT", Some(0)), ("-TERM", Some(0)), ("-KILL", None)] {
        let directory = tempfile::tempdir().unwrap();
        let served = Served::start(directory.path(), &[]);
        let mut socket = served.socket("/api/jobs");
        let text = "roles Ann\nstart s\ns -- Ann: go --> s\n";
        let subject = json!({ "language": "pact", "path": "a.pact", "text": text });
        socket
            .send(Message::text(
                json!({ "id": 1, "start": { "kind": "simulate", "subject": subject } }).to_string(),
            ))
            .unwrap();
        heard(&mut socket);
        // Each thread has the children that it started.
        let threads = std::fs::read_dir(format!("/proc/{}/task", served.child.id())).into_iter().flatten();
        let lists =
            threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
        let jobs: Vec<String> = lists.collect::<String>().split_whitespace().map(str::to_owned).collect();
        assert!(!jobs.is_empty() || !cfg!(target_os = "linux"), "no job is there");
        let (status, took) = served.end(signal);
        assert_eq!(status, wanted, "{signal}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        for job in jobs {
            let begun = Instant::now();
            while std::fs::metadata(format!("/proc/{job}")).is_ok() {
                assert!(begun.elapsed() < Duration::from_secs(5), "the job {job} is still there");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

#[test]
fn what_cannot_be_served_is_said() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.pact"), "").unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (arguments, part) in [
        (vec!["serve".to_owned(), path("a.pact")], "is not a directory; serve the directory that it is in"),
        (vec!["serve".to_owned(), path("nowhere")], "there is no such directory"),
        (vec!["serve".to_owned(), path("."), format!("--listen={taken}")], "another program listens there"),
        (vec!["serve".to_owned(), path("."), "--listen=nonsense".to_owned()], "nonsense: "),
        (vec!["serve".to_owned(), path("."), "--jobs=0".to_owned()], "--jobs"),
    ] {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run(&words);
        assert!(ran.status == 2 && ran.stderr.contains(part), "{words:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty());
    }
}
