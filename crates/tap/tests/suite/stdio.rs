use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use servanda_tap::stdio::{Terms, run};
use servanda_tap::{Nobody, Observer, Tape};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use crate::watcher::Watcher;

fn terms(enforce: bool) -> Terms {
    Terms { session: "s1".into(), enforce, longest_line: 100_000 }
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

/// What the client gets, the status of the server, and the records.
struct Heard {
    got: Vec<u8>,
    status: i32,
    records: Vec<Value>,
}

/// A client that says this, in pieces, and then listens to the end.
async fn talk(script: &str, said: Vec<Vec<u8>>, observer: Arc<dyn Observer>, terms: Terms) -> Heard {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (here, there) = tokio::io::duplex(1 << 16);
    let tape = Arc::new(Tape::new(Vec::new()));
    let tap = tokio::spawn(run(
        shell(script),
        (far, there),
        tape.clone(),
        observer,
        (terms, std::future::pending()),
    ));
    let say = tokio::spawn(async move {
        let mut near: DuplexStream = near;
        for piece in said {
            if near.write_all(&piece).await.is_err() {
                return;
            }
        }
    });
    let mut got = Vec::new();
    let mut here = here;
    here.read_to_end(&mut got).await.unwrap();
    let status = tap.await.unwrap().unwrap().code().unwrap_or(-1);
    say.abort();
    let _ = say.await;
    // The way there holds the tape until it is aborted.
    let mut tape = tape;
    let records = loop {
        match Arc::try_unwrap(tape) {
            Ok(tape) => break tape.into_inner().unwrap(),
            Err(shared) => tape = shared,
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    };
    let records = records.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Heard { got, status, records: records.map(|line| serde_json::from_slice(line).unwrap()).collect() }
}

/// A runtime for one test.
fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

#[test]
fn every_byte_passes_unchanged_and_in_order() {
    // No generator of random numbers is needed for bytes that are all different and cut everywhere.
    let text: Vec<u8> =
        (0..300_000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let pieces: Vec<Vec<u8>> = text.chunks(1009).map(<[u8]>::to_vec).collect();
    let heard = block(talk("cat", pieces, Arc::new(Nobody), terms(false)));
    assert!(heard.got == text);
    assert_eq!(heard.status, 0);
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    assert_eq!(heard.records.iter().filter(|record| record["from"] == "client").count(), lines + 1);
}

#[test]
fn messages_are_recorded_before_they_go_on_so_no_answer_comes_before_its_question() {
    let said: Vec<Vec<u8>> =
        (0..500).map(|n| format!("{{\"id\":{n},\"method\":\"m\"}}\n").into_bytes()).collect();
    let heard = block(talk("cat", said, Arc::new(Nobody), terms(false)));
    let mut asked = std::collections::HashSet::new();
    let mut time = 0.0;
    for record in &heard.records {
        assert!(record["t"].as_f64().unwrap() >= time);
        time = record["t"].as_f64().unwrap();
        let id = record["msg"]["id"].as_u64();
        match record["from"].as_str().unwrap() {
            "client" => assert!(id.is_none_or(|id| asked.insert(id))),
            _ => assert!(id.is_none_or(|id| asked.contains(&id))),
        }
    }
    assert_eq!(asked.len(), 500);
    assert_eq!(heard.records.iter().filter(|record| record["eof"] == true).count(), 2);
}

/// A long answer takes its time to the client, who says something before all of it has come: what is judged is in the order of the log all
/// the same.
#[test]
fn who_judges_hears_things_in_the_order_of_the_records() {
    for enforce in [false, true] {
        let watcher = Watcher::new("forbidden");
        let said: Vec<Vec<u8>> = (0..300)
            .map(|n| format!("{{\"id\":{n},\"method\":\"{}\"}}\n", "m".repeat(n * n % 9000)).into_bytes())
            .collect();
        let heard = block(talk("cat", said, watcher.clone(), terms(enforce)));
        let seen = watcher.seen.lock().unwrap();
        let seen: Vec<Value> = seen.iter().map(|record| serde_json::from_str(record).unwrap()).collect();
        assert_eq!(seen.len(), 602);
        assert!(seen == heard.records);
    }
}

#[test]
fn a_server_that_does_not_read_is_heard_all_the_same() {
    let started = Instant::now();
    let said = vec![vec![b'x'; 99]; 100_000];
    let heard = block(talk("echo hello; sleep 0.2; echo bye; exit 7", said, Arc::new(Nobody), terms(false)));
    assert_eq!(heard.got, b"hello\nbye\n");
    assert_eq!(heard.status, 7);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn lines_that_are_too_long_pass_and_are_only_counted() {
    let mut line = vec![b'x'; 250_000];
    line.push(b'\n');
    let heard = block(talk("cat", vec![line.clone(), b"{}\n".to_vec()], Arc::new(Nobody), terms(false)));
    assert_eq!(heard.got.len(), line.len() + 3);
    let long: Vec<&Value> = heard.records.iter().filter(|record| record.get("long").is_some()).collect();
    assert_eq!(long.len(), 2);
    assert!(long.iter().all(|record| record["long"] == 250_001));
}

#[test]
fn a_refused_request_is_answered_and_does_not_reach_the_server() {
    let watcher = Watcher::new("forbidden");
    let said: [&[u8]; 4] = [
        b"{\"id\":1,\"method\":\"fine\"}\n",
        b"{\"id\":\"two\",\"method\":\"forbidden\"}\n",
        b"{\"method\":\"forbidden/notice\"}\n",
        b"{\"id\":3,\"method\":\"fine\"}\n",
    ];
    // The server tells what it got, without sending requests of its own.
    let script = r#"while read -r line; do printf '{"got":%s}\n' "$line"; done"#;
    let heard =
        block(talk(script, said.iter().map(|line| line.to_vec()).collect(), watcher.clone(), terms(true)));
    let lines: Vec<Value> = heard
        .got
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let got: Vec<&Value> = lines.iter().filter_map(|line| line.get("got")).collect();
    assert_eq!(got.len(), 3, "the notice is passed on and judged: {lines:?}");
    assert!(got.iter().all(|message| message["id"] != "two"));
    let answer = lines.iter().find(|line| line.get("error").is_some()).unwrap();
    assert_eq!(answer["id"], "two");
    assert_eq!(answer["error"]["code"], -32600);
    // The answer of ours is recorded, but it is no part of the conversation that is judged.
    assert_eq!(watcher.seen.lock().unwrap().len(), 4 + 3 + 2);
    let refused: Vec<&Value> = heard.records.iter().filter(|it| it["refused"] == true).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!((&refused[0]["from"], &refused[0]["msg"]), (&Value::from("server"), answer));
}

#[test]
fn a_command_that_does_not_exist_is_an_error() {
    let (near, _far) = tokio::io::duplex(10);
    let tape = Arc::new(Tape::new(Vec::new()));
    let out = tokio::io::sink();
    let ended = block(run(
        Command::new("no such program"),
        (near, out),
        tape,
        Arc::new(Nobody),
        (terms(false), std::future::pending()),
    ));
    assert_eq!(ended.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_server_that_is_asked_to_end_sees_the_end_of_its_input() {
    let (near, _far) = tokio::io::duplex(10);
    let tape = Arc::new(Tape::new(Vec::new()));
    let script = shell("while read -r line; do :; done; exit 5");
    let stop = async { tokio::time::sleep(Duration::from_millis(100)).await };
    let ended = block(run(script, (near, tokio::io::sink()), tape, Arc::new(Nobody), (terms(false), stop)));
    assert_eq!(ended.unwrap().code(), Some(5));
}

#[test]
fn a_server_that_does_not_end_is_ended() {
    let (near, _far) = tokio::io::duplex(10);
    let tape = Arc::new(Tape::new(Vec::new()));
    let started = Instant::now();
    let ended = block(run(
        shell("exec sleep 60"),
        (near, tokio::io::sink()),
        tape,
        Arc::new(Nobody),
        (terms(false), async {}),
    ));
    assert_eq!(ended.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(20));
}
