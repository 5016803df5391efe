//! Who must not be let in: other names, other pages, nobody's token.

use std::io::Write as _;
use std::time::{Duration, Instant};

use servanda_serve::Limits;

use crate::bench::{Bench, answer};

#[test]
fn nothing_below_api_is_answered_without_the_token() {
    let bench = Bench::new();
    let short = &bench.token[1..];
    let long = format!("{}0", bench.token);
    for target in [
        "/api/info",
        "/api/files",
        "/api/file?path=a",
        "/api/gallery",
        "/api/errors/deadlock",
        "/api/jobs",
        "/api/nothing",
    ] {
        for token in ["", "x", short, long.as_str()] {
            let refused = bench.ask("GET", target, &[("x-servanda-token", token)], "");
            assert_eq!(refused.status, 401, "{target}");
            assert!(refused.text().contains("token"));
        }
    }
    // In the address it counts for sockets only: addresses are written down in too many places.
    let token = &bench.token;
    let request = format!(
        "GET /api/info?token={token} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        bench.address
    );
    assert_eq!(bench.raw(&request).status, 401);
    let twice = format!(
        "GET /api/info HTTP/1.1\r\nhost: {}\r\nx-servanda-token: {token}\r\nx-servanda-token: {token}\r\nconnection: close\r\n\r\n",
        bench.address
    );
    assert_eq!(bench.raw(&twice).status, 400);
    assert_eq!(bench.get("/api/info").status, 200);
    assert_eq!(
        Bench::new().ask("GET", "/api/info", &[("x-servanda-token", token)], "").status,
        401,
        "each server has its own"
    );
}

/// A page whose name is made to point at this machine sends its own name.
#[test]
fn other_names_are_refused() {
    let bench = Bench::new();
    let port = bench.address.port();
    let ask = |host: &str| {
        bench
            .raw(&format!(
                "GET / HTTP/1.1\r\n{host}x-servanda-token: {}\r\nconnection: close\r\n\r\n",
                bench.token
            ))
            .status
    };
    for ours in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(ask(&format!("host: {ours}\r\n")), 200);
    }
    let others = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "127.0.0.1:1".to_owned(),
    ];
    for other in others {
        assert_eq!(ask(&format!("host: {other}\r\n")), 421, "{other}");
    }
    assert_eq!(ask(""), 421);
    assert_eq!(ask(&format!("host: 127.0.0.1:{port}\r\nhost: evil.example\r\n")), 400);
    let through = bench.raw(&format!(
        "GET http://evil.example/ HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n"
    ));
    assert_eq!(through.status, 421);
}

#[test]
fn other_pages_are_refused() {
    let bench = Bench::new();
    let port = bench.address.port();
    let own = format!("http://{}", bench.address);
    assert_eq!(bench.ask("GET", "/api/info", &[("origin", &own)], "").status, 200);
    let others = [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        String::new(),
        format!("https://{}", bench.address),
        format!("http://localhost:{port}"),
        "http://127.0.0.1".to_owned(),
        format!("{own}.evil.example"),
    ];
    for other in &others {
        for target in ["/", "/api/info", "/api/gallery"] {
            let refused = bench.ask("GET", target, &[("origin", other)], "");
            assert_eq!(refused.status, 403, "{other}");
            assert!(refused.header("access-control-allow-origin").is_none());
        }
        for target in ["/api/jobs", "/api/language"] {
            assert_eq!(bench.socket_from(target, &[("origin", other)]).err(), Some(403), "{other}");
        }
    }
    for target in ["/api/jobs", "/api/language"] {
        assert_eq!(bench.socket_from(target, &[]).err(), Some(403), "no page at all");
        let headers = [("origin", own.as_str()), ("x-servanda-token", "wrong")];
        assert_eq!(bench.socket_from(target, &headers).err(), Some(401));
    }
    // What browsers ask before they send what a page of another origin wants.
    let asked = [("origin", "http://evil.example"), ("access-control-request-method", "PUT")];
    assert_eq!(bench.ask("OPTIONS", "/api/file?path=a", &asked, "").status, 403);
}

#[test]
fn other_methods_are_refused() {
    let bench = Bench::new();
    for (method, target) in
        [("POST", "/"), ("DELETE", "/api/file?path=a"), ("POST", "/api/info"), ("PUT", "/api/files")]
    {
        assert_eq!(bench.ask(method, target, &[], "").status, 405, "{method} {target}");
    }
    assert_eq!(bench.get("/api/jobs").status, 400, "a socket is asked for as one");
}

/// Nobody waits for a gigabyte: it is refused by its size, or where it has gone too far.
#[test]
fn large_bodies_are_refused_before_they_are_read() {
    let bench = Bench::new();
    let head = |length: &str| {
        format!(
            "PUT /api/file?path=a.pact HTTP/1.1\r\nhost: {}\r\nx-servanda-token: {}\r\nx-servanda-version: new\r\n{length}\r\n\r\n",
            bench.address, bench.token
        )
    };
    let begun = Instant::now();
    assert_eq!(bench.raw(&head("content-length: 1073741824")).status, 413);
    let mut stream = bench.connect();
    stream.write_all(head("transfer-encoding: chunked").as_bytes()).unwrap();
    let piece = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    let sent = (0..1 << 14).take_while(|_| stream.write_all(piece.as_bytes()).is_ok()).count();
    assert!(sent < 1 << 10, "{sent} pieces of 64 KiB were taken");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(!bench.path().join("a.pact").exists());
    // Without a token not even the name is looked at; and nobody reads the body of a question.
    let outside = head("content-length: 1073741824").replace(&bench.token, "x");
    assert_eq!(bench.raw(&outside).status, 401);
    let begun = Instant::now();
    assert_eq!(bench.get("/api/info").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(1));
    let endless = format!("GET / HTTP/1.1\r\nhost: {}\r\nx: {}\r\n\r\n", bench.address, "y".repeat(1 << 20));
    let mut stream = bench.connect();
    let _ = stream.write_all(endless.as_bytes());
    assert!(matches!(std::panic::catch_unwind(move || answer(&mut stream).status), Ok(400..=431) | Err(_)));
}

#[test]
fn who_is_slow_is_left() {
    let limits = Limits { request: Duration::from_millis(400), ..Limits::default() };
    let bench = Bench::with("cat", limits);
    let begun = Instant::now();
    let mut silent = bench.connect();
    let mut half = bench.connect();
    half.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    let mut body = bench.connect();
    let head = format!(
        "PUT /api/file?path=a.pact HTTP/1.1\r\nhost: {}\r\nx-servanda-token: {}\r\nx-servanda-version: new\r\ncontent-length: 10\r\n\r\nabc",
        bench.address, bench.token
    );
    body.write_all(head.as_bytes()).unwrap();
    assert_eq!(answer(&mut body).status, 408);
    let mut rest = Vec::new();
    for stream in [&mut silent, &mut half] {
        let _ = std::io::Read::read_to_end(stream, &mut rest);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(!bench.path().join("a.pact").exists());
}
