//! The language server over a socket.

use std::time::Duration;

use servanda_serve::Limits;

use crate::bench::Bench;

/// Says back the frames that it hears, in pieces, with a header more.
const ECHO: &str = r#"
while IFS= read -r line; do
  line=$(printf '%s' "$line" | tr -d '\r')
  case "$line" in
    Content-Length:*) length=${line#Content-Length: };;
    "") text=$(dd bs=1 count="$length" 2>/dev/null)
        case "$text" in
          *crash*) echo "something broke" >&2; exit 4;;
          *nonsense*) printf 'no frame at all, %s\r\n\r\n' "$text";;
          *bye*) exit 0;;
          *) printf 'Content-Type: text\r\nContent-Len'; printf 'gth: %s\r\n\r\n%s' "$length" "$text";;
        esac;;
  esac
done"#;

#[test]
fn messages_go_both_ways() {
    let bench = Bench::with(ECHO, Limits::default());
    let mut socket = bench.socket("/api/language");
    for text in [r#"{"id":1}"#, r#"{"text":"a\nb – ü"}"#, "{}"] {
        socket.say(text);
        assert_eq!(socket.hear().as_deref(), Some(text));
    }
    // Each page has its own.
    let mut other = bench.socket("/api/language");
    other.say("other");
    socket.say("this");
    assert_eq!((other.hear().as_deref(), socket.hear().as_deref()), (Some("other"), Some("this")));
    socket.say("bye");
    assert_eq!(socket.closed(), (1000, "the language server ended".to_owned()));
}

#[test]
fn a_crash_closes_the_socket_with_a_reason() {
    let bench = Bench::with(ECHO, Limits::default());
    for (text, part) in [("crash", "something broke"), ("nonsense", "a frame without its length")] {
        let mut socket = bench.socket("/api/language");
        socket.say(text);
        let (code, reason) = socket.closed();
        assert!(code == 1011 && reason.contains(part), "{code}: {reason}");
    }
    assert_eq!(bench.get("/api/info").status, 200);
}

#[test]
fn no_more_than_allowed_run_and_each_ends_with_its_page() {
    let bench =
        Bench::with("cat > /dev/null; echo ended >> ended", Limits { languages: 2, ..Limits::default() });
    let sockets = [bench.socket("/api/language"), bench.socket("/api/language")];
    let origin = format!("http://{}", bench.address);
    let another = || bench.socket_from("/api/language", &[("origin", &origin)]).map(drop);
    assert_eq!(another(), Err(503));
    drop(sockets);
    let begun = std::time::Instant::now();
    while another().is_err() {
        assert!(begun.elapsed() < Duration::from_secs(10), "no place became free");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn one_that_eats_memory_is_ended() {
    let limits = Limits { memory: 100 << 20, ..Limits::default() };
    let bench = Bench::with("exec tail -n 1 /dev/zero", limits);
    let (code, reason) = bench.socket("/api/language").closed();
    assert!(code == 1011 && reason.contains("memory"), "{code}: {reason}");
}
