//! Jobs: started, spoken to, stopped, and ended by their limits, whatever they do.

use std::path::Path;
use std::time::{Duration, Instant};

use servanda_serve::Limits;

use crate::bench::{Bench, Socket};

fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

fn start(socket: &mut Socket, id: u64, request: &str) {
    socket.say(&format!(r#"{{"id":{id},"start":{request}}}"#));
}

/// Waits until a job has ended; what it told before is left out.
fn end(socket: &mut Socket, id: u64) -> (String, String) {
    loop {
        let told = socket.told();
        if told["id"] == id && told.get("end").is_some() {
            let text = |name: &str| told["end"][name].as_str().unwrap_or_default().to_owned();
            return (text("reason"), text("message"));
        }
    }
}

/// Whether a process is there.
fn is_alive(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

fn waits_until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The numbers that processes wrote into a file.
fn numbers(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn a_job_is_asked_and_spoken_to_and_its_events_come_back() {
    let bench = Bench::with(r#"read a; echo "$a"; read b; echo "$b"; pwd | sed 's/.*/"&"/'"#, limits());
    let mut socket = bench.socket("/api/jobs");
    start(&mut socket, 7, r#"{"kind":"check","limits":{"seconds":5}}"#);
    let told = socket.told();
    assert_eq!((&told["id"], &told["event"]["kind"]), (&7.into(), &"check".into()));
    assert_eq!(told["event"]["limits"], serde_json::json!({ "seconds": 5.0, "megabytes": 2048 }));
    socket.say(r#"{"id":7,"say":{"take":1,"at":0}}"#);
    assert_eq!(socket.told()["event"], serde_json::json!({ "take": 1, "at": 0 }));
    let place = bench.path().canonicalize().unwrap();
    assert_eq!(socket.told()["event"].as_str(), place.to_str());
    assert_eq!(end(&mut socket, 7), ("finished".to_owned(), String::new()));
    // It has ended; what is said to it now comes too late, and its number is free again.
    socket.say(r#"{"id":7,"say":{"look":0}}"#);
    socket.say(r#"{"id":7,"stop":true}"#);
    start(&mut socket, 7, r#"{"kind":"size"}"#);
    assert_eq!(socket.told()["event"]["kind"], "size");
}

#[test]
fn many_jobs_share_a_socket_and_no_more_than_allowed_run() {
    let bench = Bench::with("cat", Limits { jobs: 3, ..limits() });
    let (mut socket, mut other) = (bench.socket("/api/jobs"), bench.socket("/api/jobs"));
    for id in 0..3 {
        start(&mut socket, id, r#"{"kind":"check"}"#);
        assert_eq!(socket.told()["id"], id);
    }
    start(&mut other, 0, r#"{"kind":"check"}"#);
    let (reason, message) = end(&mut other, 0);
    assert!(reason == "refused" && message.contains("3 jobs"), "{message}");
    start(&mut socket, 1, r#"{"kind":"check"}"#);
    assert_eq!(socket.told()["event"]["event"], "refused", "the number is taken");
    socket.say(r#"{"id":1,"stop":true}"#);
    assert_eq!(end(&mut socket, 1).0, "stopped");
    start(&mut other, 0, r#"{"kind":"check"}"#);
    assert_eq!(other.told()["event"]["kind"], "check");
}

#[test]
fn what_is_not_understood_is_said() {
    let bench = Bench::with("cat", limits());
    let mut socket = bench.socket("/api/jobs");
    start(&mut socket, 1, "5");
    assert_eq!(end(&mut socket, 1).0, "refused");
    socket.say(r#"{"id":1}"#);
    assert_eq!(socket.told()["event"]["event"], "refused");
    socket.say("what?");
    let (code, reason) = socket.closed();
    assert!(code == 1008 && reason.starts_with("not understood"), "{code} {reason}");
}

#[test]
fn a_crash_is_a_message() {
    let bench = Bench::with(
        r#"read a; echo '{"event":"x"}'; head -c 100000 /dev/zero | tr '\0' y >&2; echo "at the end" >&2; kill -SEGV $$"#,
        limits(),
    );
    let mut socket = bench.socket("/api/jobs");
    start(&mut socket, 1, r#"{"kind":"check"}"#);
    assert_eq!(socket.told()["event"]["event"], "x");
    let (reason, message) = end(&mut socket, 1);
    assert!(reason == "crashed" && message.ends_with("at the end") && message.len() < 2200, "{message}");
    for (script, part) in [
        ("exit 5", "5"),
        ("echo no event; cat", "no event: no event"),
        ("printf '\\377\\n'; cat", "not text"),
    ] {
        let bench = Bench::with(script, limits());
        let mut socket = bench.socket("/api/jobs");
        start(&mut socket, 1, r#"{"kind":"check"}"#);
        let (reason, message) = end(&mut socket, 1);
        assert!(reason == "crashed" && message.contains(part), "{message}");
        assert_eq!(bench.get("/api/info").status, 200);
    }
}

#[test]
fn time_has_an_end_but_waiting_for_people_does_not_count() {
    let bench = Bench::with(
        r#"read a; case "$a" in *check*) sleep 60;; *busy*) while :; do :; done;; *) cat;; esac"#,
        limits(),
    );
    let mut socket = bench.socket("/api/jobs");
    start(&mut socket, 1, r#"{"kind":"check","limits":{"seconds":0.1}}"#);
    start(&mut socket, 2, r#"{"kind":"simulate","limits":{"seconds":0.1}}"#);
    start(&mut socket, 3, r#"{"kind":"graph","busy":1,"limits":{"seconds":0.1}}"#);
    let begun = Instant::now();
    let mut ended = vec![];
    while ended.len() < 2 {
        let told = socket.told();
        ended.push((told["id"].as_u64().unwrap(), told["end"]["reason"].as_str().unwrap().to_owned()));
    }
    ended.sort();
    assert_eq!(ended, [(1, "time".to_owned()), (3, "time".to_owned())]);
    assert!(begun.elapsed() < Duration::from_secs(30));
    std::thread::sleep(Duration::from_millis(2500).saturating_sub(begun.elapsed()));
    socket.say(r#"{"id":2,"say":{"look":0}}"#);
    assert_eq!(socket.told()["event"], serde_json::json!({ "look": 0 }));
}

#[test]
fn a_job_that_keeps_its_limits_itself_says_which() {
    for (script, wanted) in [
        ("read a; exit 3", "time"),
        ("read a; exit 4", "memory"),
        ("read a; exit 2", "refused"),
        ("read a; exit 0", "finished"),
    ] {
        let bench = Bench::with(script, limits());
        let mut socket = bench.socket("/api/jobs");
        start(&mut socket, 1, r#"{"kind":"check"}"#);
        assert_eq!(end(&mut socket, 1).0, wanted);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_that_eats_memory_is_ended() {
    // `tail` keeps a line until it has its end.
    let bench = Bench::with("read a; exec tail -n 1 /dev/zero", Limits { memory: 200 << 20, ..limits() });
    let mut socket = bench.socket("/api/jobs");
    let begun = Instant::now();
    start(&mut socket, 1, r#"{"kind":"check"}"#);
    let (reason, message) = end(&mut socket, 1);
    assert!(reason == "memory" && message.contains("200 MB"), "{reason}: {message}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let begun = Instant::now();
    assert_eq!(bench.get("/api/info").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(1));
}

/// A job that says more than anybody reads waits; the server does not keep it. A line without end is not kept either.
#[cfg(target_os = "linux")]
#[test]
fn who_says_too_much_waits() {
    let script = r#"read a; case "$a" in *line*) exec cat /dev/zero;; *) exec yes '{"event":"progress","phase":"a rather long text, over and over again"}';; esac"#;
    let bench = Bench::with(script, Limits { message: 1 << 20, ..limits() });
    let mut slow = bench.socket("/api/jobs");
    let before = memory();
    start(&mut slow, 1, r#"{"kind":"check"}"#);
    std::thread::sleep(Duration::from_secs(2));
    assert!(memory() < before + (64 << 20), "{} MB more", (memory() - before) >> 20);
    assert_eq!(bench.get("/api/info").status, 200);
    let mut other = bench.socket("/api/jobs");
    start(&mut other, 1, r#"{"kind":"line"}"#);
    let (reason, message) = end(&mut other, 1);
    assert!(reason == "crashed" && message.contains("1048576 bytes"), "{message}");
    // Whoever reads again hears on.
    for _ in 0..1000 {
        assert_eq!(slow.told()["event"]["phase"], "a rather long text, over and over again");
    }
}

/// What this process holds: the server runs in it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn a_job_that_does_not_listen_does_not_hold_up_the_others() {
    let bench = Bench::with(r#"read a; case "$a" in *deaf*) sleep 60;; *) cat;; esac"#, limits());
    let mut socket = bench.socket("/api/jobs");
    start(&mut socket, 1, r#"{"kind":"simulate","deaf":true}"#);
    start(&mut socket, 2, r#"{"kind":"simulate"}"#);
    let long = "x".repeat(4096);
    for _ in 0..400 {
        socket.say(&format!(r#"{{"id":1,"say":"{long}"}}"#));
    }
    socket.say(r#"{"id":2,"say":{"look":0}}"#);
    let mut refused = 0;
    loop {
        let told = socket.told();
        match told["id"].as_u64() {
            Some(1) => refused += usize::from(told["event"]["event"] == "refused"),
            _ => break assert_eq!(told["event"], serde_json::json!({ "look": 0 })),
        }
    }
    assert!(refused > 0, "everything was taken");
}

/// Jobs do not outlive their socket, nor the server; also what they started ends.
#[cfg(target_os = "linux")]
#[test]
fn jobs_end_with_their_socket_and_with_the_server() {
    let script = "echo $$ >> pids; sleep 300 & echo $! >> pids; trap '' TERM; while :; do sleep 1; done";
    let mut bench = Bench::with(script, limits());
    let pids = bench.path().join("pids");
    let mut first = bench.socket("/api/jobs");
    start(&mut first, 1, r#"{"kind":"check"}"#);
    start(&mut first, 2, r#"{"kind":"simulate"}"#);
    waits_until(|| numbers(&pids).len() == 4);
    assert!(numbers(&pids).iter().all(|process| is_alive(process)));
    first.say(r#"{"id":1,"stop":true}"#);
    assert_eq!(end(&mut first, 1).0, "stopped");
    waits_until(|| numbers(&pids).iter().filter(|process| is_alive(process)).count() == 2);
    drop(first);
    waits_until(|| !numbers(&pids).iter().any(|process| is_alive(process)));
    let mut second = bench.socket("/api/jobs");
    start(&mut second, 1, r#"{"kind":"check"}"#);
    waits_until(|| numbers(&pids).len() == 6);
    bench.end();
    waits_until(|| !numbers(&pids).iter().any(|process| is_alive(process)));
}

#[test]
fn messages_that_are_too_long_are_not_taken() {
    let bench = Bench::with("cat", Limits { message: 1 << 16, ..limits() });
    let mut socket = bench.socket("/api/jobs");
    let long = "x".repeat(1 << 17);
    let _ = socket.0.send(tungstenite::Message::text(format!(r#"{{"id":1,"start":{{"kind":"{long}"}}}}"#)));
    assert!(socket.hear().is_none());
    assert_eq!(bench.get("/api/info").status, 200);
}
