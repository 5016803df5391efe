//! Records: one JSON object per line, written at once and whole.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::de::IgnoredAny;
use serde_json::Value;

/// Who sent something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who asks.
    Client,
    /// Who is asked.
    Server,
}

impl Side {
    /// The word in records.
    pub fn word(self) -> &'static str {
        match self {
            Side::Client => "client",
            Side::Server => "server",
        }
    }

    /// Who is spoken to.
    pub(crate) fn other(self) -> Self {
        match self {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        }
    }
}

/// What a message is in its record.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// JSON, kept as it was written.
    Message(&'a [u8]),
    /// Too long to be kept: so many bytes.
    Long(u64),
    /// Nothing but the fact.
    Nothing,
}

/// Where records go. Each is written by one call, so that whoever is killed loses at most what he was reading.
#[derive(Debug)]
pub struct Tape<W> {
    out: Mutex<Out<W>>,
    start: Instant,
}

#[derive(Debug)]
struct Out<W> {
    writer: W,
    /// Writing failed once: nothing is tried again.
    has_failed: bool,
    /// Why, until it is told.
    failure: Option<io::Error>,
}

impl<W: Write> Tape<W> {
    /// A tape that begins now.
    pub fn new(writer: W) -> Self {
        Tape { out: Mutex::new(Out { writer, has_failed: false, failure: None }), start: Instant::now() }
    }

    /// A message that passed over standard streams. Who is told gets its record, without its end of line.
    pub fn message<T>(&self, session: &str, from: Side, message: &[u8], tell: impl FnOnce(&[u8]) -> T) -> T {
        self.record((&session_field(session), ""), from, Recorded::Message(message), tell)
    }

    /// A message that was too long to be kept.
    pub fn long<T>(&self, session: &str, from: Side, bytes: u64, tell: impl FnOnce(&[u8]) -> T) -> T {
        self.record((&session_field(session), ""), from, Recorded::Long(bytes), tell)
    }

    /// An answer of ours to something that may not pass: whoever asked hears it in the place of what the other side would have said.
    pub(crate) fn refused(&self, session: &str, from: Side, answer: &[u8], tell: impl FnOnce(&[u8])) {
        let fields = (session_field(session), ",\"refused\":true");
        self.record((&fields.0, fields.1), from, Recorded::Message(answer), tell);
    }

    /// A side has nothing more to say.
    pub fn end_of_file<T>(&self, session: &str, from: Side, tell: impl FnOnce(&[u8]) -> T) -> T {
        self.record((&session_field(session), ",\"eof\":true"), from, Recorded::Nothing, tell)
    }

    /// Any record: what stands between the time and the side, and between the side and the message, are fields with their commas. Somebody
    /// is told of each before the next is written: whoever judges hears things in the order of the records.
    pub fn record<T>(
        &self,
        (before, after): (&str, &str),
        from: Side,
        message: Recorded<'_>,
        tell: impl FnOnce(&[u8]) -> T,
    ) -> T {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock is read under the lock: records are in the order of their times.
        let micros = self.start.elapsed().as_micros();
        let mut head = String::new();
        let _ = write!(
            head,
            "{{\"t\":{}.{:06}{before},\"from\":\"{}\"{after}",
            micros / 1_000_000,
            micros % 1_000_000,
            from.word()
        );
        let mut line = head.into_bytes();
        match message {
            Recorded::Message(message) => put(&mut line, message),
            Recorded::Long(bytes) => line.extend(format!(",\"long\":{bytes}").bytes()),
            Recorded::Nothing => {}
        }
        line.extend(b"}\n");
        if !out.has_failed
            && let Err(error) = out.writer.write_all(&line).and_then(|()| out.writer.flush())
        {
            (out.has_failed, out.failure) = (true, Some(error));
        }
        line.pop();
        tell(&line)
    }

    /// Why records are not written any more, told once.
    pub fn failure(&self) -> Option<io::Error> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.failure.take()
    }

    /// Where the records went.
    ///
    /// # Errors
    ///
    /// Why they could not be written.
    pub fn into_inner(self) -> io::Result<W> {
        let out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        out.failure.map_or(Ok(out.writer), Err)
    }
}

fn session_field(session: &str) -> String {
    format!(",\"session\":{}", Value::from(session))
}

/// JSON is kept as it was written: no number is rounded and no key dropped. A line of ours has no end of line in it, and what is not JSON
/// becomes a string.
fn put(line: &mut Vec<u8>, message: &[u8]) {
    let message = message.trim_ascii();
    let is_json = serde_json::from_slice::<IgnoredAny>(message).is_ok();
    if is_json && !message.contains(&b'\n') && !message.contains(&b'\r') {
        line.extend(b",\"msg\":");
        line.extend(message);
    } else if is_json {
        line.extend(b",\"msg\":");
        // Between tokens an end of line is as good as a space; inside of a string JSON has none.
        line.extend(message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
    } else if !message.is_empty() {
        line.extend(b",\"raw\":");
        line.extend(Value::from(String::from_utf8_lossy(message)).to_string().bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(message: &[u8]) -> Value {
        let tape = Tape::new(Vec::new());
        tape.message("s\"1", Side::Server, message, |_| {});
        let text = String::from_utf8(tape.into_inner().unwrap()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn whatever_passes_becomes_one_line_of_json() {
        assert_eq!(record(b"{\"a\": 1}\r\n")["msg"]["a"], 1);
        assert_eq!(record(b"{\n\"a\": \"\\n\"\n}")["msg"]["a"], "\n");
        assert_eq!(record(b"hello \xff \"x\"")["raw"], "hello \u{fffd} \"x\"");
        assert_eq!(record(b"\xe2\x80\xa8")["raw"], "\u{2028}");
        assert!(record(b"").get("raw").is_none());
        assert_eq!(record(b"{}")["session"], "s\"1");
    }

    #[test]
    fn numbers_are_kept_as_they_were_written() {
        let tape = Tape::new(Vec::new());
        let record = tape.message("s", Side::Client, br#"{"id":100000000000000000001.50}"#, <[u8]>::to_vec);
        assert!(String::from_utf8(record).unwrap().ends_with(r#""msg":{"id":100000000000000000001.50}}"#));
    }

    #[test]
    fn a_full_disk_is_told_once() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("no space"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let tape = Tape::new(Full);
        assert!(tape.failure().is_none());
        tape.message("s", Side::Client, b"{}", |_| {});
        tape.message("s", Side::Client, b"{}", |_| {});
        assert_eq!(tape.failure().unwrap().to_string(), "no space");
        assert!(tape.failure().is_none());
    }
}
