//! What a child process says: lines, or the frames of the Language Server Protocol, each of a size that is allowed. To wait for the next one
//! and to give up waiting loses nothing.

use std::io;

use bytes::{Buf as _, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Where the length of a frame is said.
const HEADER: usize = 4096;

/// A stream of texts.
pub(crate) struct Texts<R> {
    from: R,
    buffer: BytesMut,
    /// How much of the buffer has been looked through.
    seen: usize,
    /// The longest text, in bytes.
    most: usize,
}

impl<R: AsyncRead + Unpin> Texts<R> {
    pub(crate) fn new(from: R, most: usize) -> Self {
        Texts { from, buffer: BytesMut::new(), seen: 0, most }
    }

    /// The next line without its end; none at the end of the stream.
    pub(crate) async fn line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(at) = self.buffer[self.seen..].iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.split_to(self.seen + at);
                self.buffer.advance(1);
                self.seen = 0;
                return text(&line).map(Some);
            }
            self.seen = self.buffer.len();
            if self.seen > self.most {
                return Err(too_long(self.most));
            }
            if self.from.read_buf(&mut self.buffer).await? == 0 {
                self.seen = 0;
                let rest = self.buffer.split();
                return if rest.is_empty() { Ok(None) } else { text(&rest).map(Some) };
            }
        }
    }

    /// The next frame: a header with `Content-Length`, an empty line, the text.
    pub(crate) async fn frame(&mut self) -> io::Result<Option<String>> {
        loop {
            let end = self.buffer.windows(4).position(|window| window == b"\r\n\r\n");
            if let Some(end) = end {
                let length = length(&self.buffer[..end])?;
                if length > self.most {
                    return Err(too_long(self.most));
                }
                if self.buffer.len() >= end + 4 + length {
                    self.buffer.advance(end + 4);
                    return text(&self.buffer.split_to(length)).map(Some);
                }
            } else if self.buffer.len() > HEADER {
                return Err(io::Error::other("there is no frame"));
            }
            if self.from.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() {
                    Ok(None)
                } else {
                    Err(io::ErrorKind::UnexpectedEof.into())
                };
            }
        }
    }
}

fn text(bytes: &[u8]) -> io::Result<String> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| io::Error::other("it said something that is not text"))?;
    Ok(text.trim_end_matches('\r').to_owned())
}

fn too_long(most: usize) -> io::Error {
    io::Error::other(format!("it said more than {most} bytes at once"))
}

fn length(header: &[u8]) -> io::Result<usize> {
    let header = String::from_utf8_lossy(header);
    let fields = header.lines().filter_map(|line| line.split_once(':'));
    let mut lengths = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = lengths.next().and_then(|(_, length)| length.trim().parse().ok());
    length.ok_or_else(|| io::Error::other("a frame without its length"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn lines_are_told_one_by_one_and_long_ones_not_at_all() {
        run(async {
            let mut texts = Texts::new(&b"one\r\n\ntwo"[..], 10);
            for line in [Some("one"), Some(""), Some("two"), None] {
                assert_eq!(texts.line().await.unwrap().as_deref(), line);
            }
            let long = [b'x'; 5000];
            assert!(Texts::new(&long[..], 100).line().await.is_err());
            assert!(Texts::new(&b"\xff\n"[..], 100).line().await.is_err());
        });
    }

    #[test]
    fn frames_are_told_one_by_one_and_broken_ones_not_at_all() {
        run(async {
            let mut texts = Texts::new(&b"Content-Length: 2\r\n\r\nab"[..], 10);
            assert_eq!(texts.frame().await.unwrap().as_deref(), Some("ab"));
            assert_eq!(texts.frame().await.unwrap(), None);
            let good = b"Content-Type: x\r\ncontent-length: 3\r\n\r\nabcContent-Length: 1\r\n\r\nd";
            let mut texts = Texts::new(&good[..], 10);
            assert_eq!(texts.frame().await.unwrap().as_deref(), Some("abc"));
            assert_eq!(texts.frame().await.unwrap().as_deref(), Some("d"));
            for bad in [
                "Content-Length: 11\r\n\r\nabcdefghijk",
                "Content-Length: 5\r\n\r\nab",
                "Length: 2\r\n\r\nab",
            ] {
                assert!(Texts::new(bad.as_bytes(), 10).frame().await.is_err(), "{bad}");
            }
            assert!(Texts::new(&[b'x'; 9000][..], 10).frame().await.is_err());
        });
    }
}
