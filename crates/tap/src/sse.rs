//! The data of server-sent events, as the bytes come.

use crate::lines::{Lines, Piece};

/// Reads a stream of events.
#[derive(Debug)]
pub(crate) struct Events {
    lines: Lines,
    most: usize,
    data: Vec<u8>,
    has_data: bool,
    long: u64,
    is_first: bool,
}

/// What an event carries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// Its data, lines joined.
    Whole(Vec<u8>),
    /// More than is kept: so many bytes.
    Long(u64),
}

impl Events {
    pub(crate) fn new(most: usize) -> Self {
        Events { lines: Lines::new(most), most, data: Vec::new(), has_data: false, long: 0, is_first: true }
    }

    /// More bytes; events that have come to their end are told.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut tell: impl FnMut(Data)) {
        let mut pieces = Vec::new();
        self.lines.feed(bytes, |piece| pieces.push(piece));
        for piece in pieces {
            match piece {
                Piece::Line(line) => self.line(&line, &mut tell),
                Piece::Part(part) => self.long += part.len() as u64,
                Piece::Long(part, _) => self.long += part.len() as u64,
            }
        }
    }

    fn line(&mut self, line: &[u8], tell: &mut impl FnMut(Data)) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = match std::mem::take(&mut self.is_first) {
            true => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            false => line,
        };
        // A lone carriage return ends a line too.
        for line in line.split(|byte| *byte == b'\r') {
            self.field(line, tell);
        }
    }

    fn field(&mut self, line: &[u8], tell: &mut impl FnMut(Data)) {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            let long = std::mem::take(&mut self.long);
            match std::mem::take(&mut self.has_data) {
                _ if long > 0 => tell(Data::Long(long + data.len() as u64)),
                true => tell(Data::Whole(data)),
                false => {}
            }
            return;
        }
        let Some(rest) = line.strip_prefix(b"data") else { return };
        // A name without a colon is a field without a value.
        let value = match rest.strip_prefix(b":") {
            Some(value) => value.strip_prefix(b" ").unwrap_or(value),
            None if rest.is_empty() => rest,
            None => return,
        };
        if self.data.len() + value.len() > self.most {
            self.long += value.len() as u64;
            return;
        }
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(chunks: &[&[u8]]) -> Vec<String> {
        let mut events = Events::new(40);
        let mut found = Vec::new();
        for chunk in chunks {
            events.feed(chunk, |data| {
                found.push(match data {
                    Data::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                    Data::Long(bytes) => format!("long {bytes}"),
                });
            });
        }
        found
    }

    #[test]
    fn events_are_found_however_the_bytes_come() {
        let text = b"\xef\xbb\xbfevent: x\r\ndata: {\"a\":1}\r\n\r\n: comment\n\ndata:b\ndata: c\n\nid: 3\n\ndata: rest";
        let expected = ["{\"a\":1}", "b\nc"];
        assert_eq!(data(&[text]), expected);
        assert_eq!(data(&[b"data\ndata: a\n\ndatum: b\n\n"]), ["\na"]);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(data(&bytes), expected);
    }

    #[test]
    fn long_events_are_counted_and_not_kept() {
        let long = format!("data: {}\n\ndata: ok\n\n", "x".repeat(100));
        assert_eq!(data(&[long.as_bytes()]), ["long 107", "ok"]);
        let wide = format!("data: {0}\ndata: {0}\n\n", "x".repeat(30));
        assert_eq!(data(&[wide.as_bytes()]), ["long 60"]);
    }
}
