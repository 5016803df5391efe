use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use servanda_tap::proxy::{Proxy, Terms};
use servanda_tap::{Nobody, Observer, Tape};

use crate::watcher::Watcher;

/// What was recorded, as long as the proxy runs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn records(&self) -> Vec<Value> {
        let bytes = self.0.lock().unwrap();
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    /// Records come a moment after the bytes.
    fn wait(&self, enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            let records = self.records();
            if enough(&records) {
                return records;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("not recorded: {:?}", self.records());
    }
}

/// A target that answers each connection with what this makes of the request.
fn target(answer: impl Fn(String, TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            std::thread::spawn(move || {
                if let Some(request) = read(&mut stream) {
                    answer(request, stream);
                }
            });
        }
    });
    address
}

/// A whole request or answer with a length.
fn read(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0; 1];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
    }
    let head = String::from_utf8(bytes).unwrap();
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8_lossy(&body))
}

struct Started {
    address: SocketAddr,
    log: Log,
    _runtime: tokio::runtime::Runtime,
}

fn start(target: &str, observer: Arc<dyn Observer>, change: impl FnOnce(&mut Terms)) -> Started {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut terms = Terms {
        target: target.parse().unwrap(),
        enforce: false,
        longest_body: 100_000,
        most_connections: 64,
        hosts: vec!["localhost".into()],
    };
    change(&mut terms);
    let log = Log::default();
    let tape = Arc::new(Tape::new(log.clone()));
    let any = "127.0.0.1:0".parse().unwrap();
    let proxy = runtime.block_on(Proxy::bind(any, terms, tape, observer)).unwrap();
    let address = proxy.address().unwrap();
    runtime.spawn(proxy.run(std::future::pending()));
    Started { address, log, _runtime: runtime }
}

fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

fn post(body: &str) -> String {
    format!(
        "POST /rpc?key=secret HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer hush\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn reply(mut stream: TcpStream, body: &str) {
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: hush\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
}

#[test]
fn a_call_passes_unchanged_and_is_recorded_without_secrets() {
    let seen = Arc::new(Mutex::new(String::new()));
    let kept = seen.clone();
    let target = target(move |request, stream| {
        *kept.lock().unwrap() = request;
        reply(stream, "{\"id\": 1.0e0,\n \"result\":{}}");
    });
    let proxy = start(&format!("http://{target}/base/"), Arc::new(Nobody), |_| {});
    let answer = ask(proxy.address, &post("{\"id\":1, \"method\":\"m\"}"));
    assert!(answer.ends_with("\r\n\r\n{\"id\": 1.0e0,\n \"result\":{}}"), "{answer}");
    let seen = seen.lock().unwrap().clone();
    assert!(seen.starts_with("POST /base/rpc?key=secret HTTP/1.1\r\n"), "{seen}");
    assert!(seen.to_lowercase().contains("authorization: bearer hush"), "{seen}");
    assert!(seen.to_lowercase().contains(&format!("host: {target}")), "{seen}");
    assert!(seen.ends_with("\r\n\r\n{\"id\":1, \"method\":\"m\"}"), "{seen}");
    let records = proxy.log.wait(|records| records.len() == 2);
    assert_eq!(records[0]["conn"], records[1]["conn"]);
    assert_eq!(records[0]["http"]["path"], "/rpc");
    assert_eq!(records[0]["http"]["a2a-version"], "1.0");
    assert_eq!(records[0]["msg"]["method"], "m");
    assert_eq!(records[1]["from"], "server");
    assert_eq!(records[1]["http"]["status"], 200);
    assert_eq!(records[1]["session"], "s1");
    let text = String::from_utf8(proxy.log.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains("hush") && !text.contains("secret"), "{text}");
    assert!(text.contains("\"id\": 1.0e0"), "numbers are kept as written: {text}");
}

#[test]
fn events_pass_as_they_come_and_each_is_a_record() {
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let target = target(move |_, mut stream| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        for event in ["data: {\"n\":1}\n\n", "data: {\"n\":2}\n\n"] {
            stream.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes()).unwrap();
            wait.lock().unwrap().recv_timeout(Duration::from_secs(10)).unwrap();
        }
        stream.write_all(b"0\r\n\r\n").unwrap();
    });
    let proxy = start(&format!("http://{target}"), Arc::new(Nobody), |_| {});
    let mut stream = TcpStream::connect(proxy.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(post("{}").as_bytes()).unwrap();
    let mut got = Vec::new();
    let mut byte = [0; 1];
    // The first event is here although the second has not been sent.
    while !String::from_utf8_lossy(&got).contains("{\"n\":1}\n\n") {
        assert_eq!(stream.read(&mut byte).unwrap(), 1);
        got.push(byte[0]);
    }
    assert_eq!(proxy.log.wait(|records| records.len() >= 2)[1]["msg"]["n"], 1);
    go.send(()).unwrap();
    go.send(()).unwrap();
    stream.read_to_end(&mut got).unwrap();
    let records = proxy.log.wait(|records| records.len() == 4);
    assert_eq!(records[2]["msg"]["n"], 2);
    assert_eq!(records[2]["http"]["sse"], true);
    assert_eq!(records[3]["end"], true);
    assert_eq!(records[3]["from"], "server");
}

#[test]
fn a_client_that_leaves_a_stream_is_recorded() {
    let target = target(move |_, mut stream| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        while stream.write_all(b"b\r\ndata: 1234\n\r\n").is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let proxy = start(&format!("http://{target}"), Arc::new(Nobody), |_| {});
    let mut stream = TcpStream::connect(proxy.address).unwrap();
    stream.write_all(post("{}").as_bytes()).unwrap();
    assert_eq!(stream.read(&mut [0; 8]).unwrap(), 8);
    drop(stream);
    let records = proxy.log.wait(|records| records.len() == 2);
    assert_eq!(records[1]["from"], "client");
    assert_eq!(records[1]["end"], true);
}

#[test]
fn a_refused_call_is_answered_and_does_not_reach_the_target() {
    let target = target(|request, stream| {
        assert!(!request.contains("forbidden"));
        reply(stream, "{}");
    });
    let watcher = Watcher::new("forbidden");
    let proxy = start(&format!("http://{target}"), watcher, |terms| terms.enforce = true);
    let answer = ask(proxy.address, &post("{\"id\":7,\"method\":\"forbidden\"}"));
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"id\":7,\"error\":{\"code\":-32600"), "{answer}");
    let answer = ask(proxy.address, &post("{\"do\":\"forbidden\"}"));
    assert!(answer.starts_with("HTTP/1.1 409"), "{answer}");
    assert!(ask(proxy.address, &post("{\"id\":8,\"method\":\"fine\"}")).ends_with("{}"));
}

#[test]
fn what_is_too_long_foreign_or_dead_is_told() {
    let dead = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let proxy = start(&format!("http://{dead}"), Arc::new(Nobody), |_| {});
    let answer = ask(proxy.address, &post("{}"));
    assert!(answer.starts_with("HTTP/1.1 502") && answer.contains("does not answer"), "{answer}");
    assert!(proxy.log.wait(|records| records.len() == 2)[1]["failed"].is_string());
    let long =
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n";
    assert!(ask(proxy.address, long).starts_with("HTTP/1.1 413"));
    let foreign = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(ask(proxy.address, foreign).starts_with("HTTP/1.1 421"));
}

#[test]
fn a_long_answer_passes_and_is_only_counted() {
    let target = target(|_, stream| reply(stream, &"x".repeat(300_000)));
    let proxy = start(&format!("http://{target}"), Arc::new(Nobody), |_| {});
    let answer = ask(proxy.address, &post("{}"));
    assert!(answer.ends_with(&"x".repeat(300_000)));
    assert_eq!(proxy.log.wait(|records| records.len() == 2)[1]["long"], 300_000);
}

#[test]
fn silent_connections_do_not_keep_others_out() {
    let target = target(|_, stream| reply(stream, "{}"));
    let proxy = start(&format!("http://{target}"), Arc::new(Nobody), |_| {});
    let _silent: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(proxy.address).unwrap()).collect();
    assert!(ask(proxy.address, &post("{}")).ends_with("{}"));
}

#[test]
fn a_target_that_is_no_address_is_refused() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let terms = Terms {
        target: "ftp://x/".parse().unwrap(),
        enforce: false,
        longest_body: 1,
        most_connections: 1,
        hosts: Vec::new(),
    };
    let tape = Arc::new(Tape::new(Vec::new()));
    let any = "127.0.0.1:0".parse().unwrap();
    let refused = runtime.block_on(Proxy::bind(any, terms, tape, Arc::new(Nobody)));
    assert!(refused.err().unwrap().to_string().contains("http://"));
}
