//! A stream cut into lines, none of them kept that is too long.

/// What has come together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A whole line with its end; the last one of a stream may have none.
    Line(Vec<u8>),
    /// A part of a line that is too long; it goes on at once.
    Part(Vec<u8>),
    /// The end of such a line: its last part, and how long it was.
    Long(Vec<u8>, u64),
}

/// Cuts bytes into lines.
#[derive(Debug)]
pub(crate) struct Lines {
    most: usize,
    buffer: Vec<u8>,
    /// How much of the line under way has gone on already.
    gone: u64,
}

impl Lines {
    pub(crate) fn new(most: usize) -> Self {
        Lines { most, buffer: Vec::new(), gone: 0 }
    }

    /// More bytes; what they bring together is told in order.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], mut tell: impl FnMut(Piece)) {
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let (part, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            self.buffer.extend_from_slice(part);
            bytes = rest;
            if end.is_some() {
                tell(self.take());
            } else if self.buffer.len() > self.most {
                self.gone += self.buffer.len() as u64;
                tell(Piece::Part(std::mem::take(&mut self.buffer)));
            }
        }
    }

    /// The stream is over: what is left of it.
    pub(crate) fn finish(&mut self) -> Option<Piece> {
        (self.gone > 0 || !self.buffer.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> Piece {
        let line = std::mem::take(&mut self.buffer);
        let length = std::mem::take(&mut self.gone) + line.len() as u64;
        let is_long = length > self.most as u64;
        if is_long { Piece::Long(line, length) } else { Piece::Line(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&[u8]], most: usize) -> Vec<Piece> {
        let mut lines = Lines::new(most);
        let mut found = Vec::new();
        for chunk in chunks {
            lines.feed(chunk, |piece| found.push(piece));
        }
        found.extend(lines.finish());
        found
    }

    #[test]
    fn lines_are_whole_however_they_come() {
        let line = |text: &str| Piece::Line(text.into());
        assert_eq!(cut(&[b"a\nb", b"c\n", b"d"], 10), [line("a\n"), line("bc\n"), line("d")]);
        assert_eq!(cut(&[b"\n\n"], 10), [line("\n"), line("\n")]);
        assert_eq!(cut(&[], 10), []);
    }

    #[test]
    fn a_line_that_is_too_long_goes_on_in_parts() {
        let found = cut(&[b"0123456789", b"abc\nx\n"], 4);
        let expected = [
            Piece::Part(b"0123456789".to_vec()),
            Piece::Long(b"abc\n".to_vec(), 14),
            Piece::Line(b"x\n".to_vec()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn no_byte_is_lost_or_added() {
        let text: Vec<u8> =
            (0..5000u32).map(|n| if n.is_multiple_of(97) { b'\n' } else { (n % 251) as u8 }).collect();
        for (size, most) in [(1, 3), (7, 50), (100, 1000), (5000, 10)] {
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            let all: Vec<u8> = cut(&chunks, most)
                .into_iter()
                .flat_map(|piece| match piece {
                    Piece::Line(bytes) | Piece::Part(bytes) | Piece::Long(bytes, _) => bytes,
                })
                .collect();
            assert!(all == text, "chunks of {size}, lines of {most}");
        }
    }
}
