//! Too many sockets: the server goes on.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use servanda_serve::Limits;

use crate::bench::Bench;

fn answers_at_once(bench: &Bench) {
    let begun = Instant::now();
    assert_eq!(bench.get("/api/info").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

/// Those that only wait make way for who asks something, so that it is answered while they are still there.
#[test]
fn ten_thousand_sockets_do_not_keep_others_out() {
    let bench = Bench::new();
    let mut conversing = bench.socket("/api/jobs");
    let mut held = Vec::new();
    for number in 0..10_000 {
        // The tester's own limit of open files may be lower than that; then the oldest make way.
        match TcpStream::connect_timeout(&bench.address, Duration::from_secs(5)) {
            Ok(stream) => held.push(stream),
            Err(_) => drop(held.drain(..held.len() / 2)),
        }
        if number % 2500 == 0 {
            assert_eq!(bench.get("/api/info").status, 200);
        }
    }
    drop(held.drain(..held.len() / 2));
    answers_at_once(&bench);
    conversing.say(r#"{"id":1,"start":{"kind":"check"}}"#);
    assert_eq!(conversing.told()["event"]["kind"], "check", "a socket that was open stays open");
    drop(held);
    answers_at_once(&bench);
}

/// Where all places are taken by pages, nobody is sent away for a newcomer, and a place that becomes free is given.
#[test]
fn pages_keep_their_places() {
    let bench = Bench::with("cat", Limits { connections: 4, ..Limits::default() });
    let mut sockets: Vec<_> = (0..4).map(|_| bench.socket("/api/jobs")).collect();
    let mut late = bench.connect();
    let mut rest = Vec::new();
    let _ = std::io::Read::read_to_end(&mut late, &mut rest);
    assert!(rest.is_empty());
    for socket in &mut sockets {
        socket.say(r#"{"id":1,"start":{"kind":"check"}}"#);
        assert_eq!(socket.told()["id"], 1);
    }
    drop(sockets.pop());
    let begun = Instant::now();
    loop {
        let mut stream = bench.connect();
        let request = format!("GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", bench.address);
        let _ = std::io::Write::write_all(&mut stream, request.as_bytes());
        let mut answer = String::new();
        let _ = std::io::Read::read_to_string(&mut stream, &mut answer);
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "no place became free");
    }
}
