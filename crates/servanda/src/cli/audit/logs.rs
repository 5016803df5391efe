//! Logs as lines: files one after the other, standard input, or files that grow.
//!
//! Reading goes on in threads of its own: a pipe that says nothing, or a slow disk, keeps nobody from ending the program in order.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use memchr::memchr;

/// What is read at once.
const CHUNK: usize = 1 << 20;

/// Chunks that wait to be worked on.
const WAITING: usize = 4;

/// How often somebody asks whether to go on while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often a file that grows is looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// Longer lines are told without their text.
pub(crate) const LONGEST: usize = 64 << 20;

/// Where lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    /// Standard input.
    Input,
    /// A file.
    File(PathBuf),
}

/// What the reader of a log says.
enum Said {
    /// More of it.
    Bytes(Vec<u8>),
    /// All that is there for now has been told.
    Idle,
    /// What follows is another file under the same name, or the same one begun again.
    Anew,
    /// It is over.
    End,
    /// It cannot be read.
    Failed(io::Error),
}

/// Something of a log.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    /// A line without its end: its number from 1, and its text; none where it is too long to be kept.
    Line(u64, Option<&'a [u8]>),
    /// A log that grows has no more for now.
    Idle,
}

/// Why reading ended early.
#[derive(Debug)]
pub(crate) enum Failure<E> {
    /// A log cannot be read.
    Log(usize, io::Error),
    /// Whoever was told wants no more.
    Told(E),
}

/// Tells every line of the logs in order, each with the number of its log; logs that grow are told as they do, for ever. `go_on` is asked
/// often.
pub(crate) fn read<E>(
    logs: &[Log],
    follow: bool,
    mut go_on: impl FnMut() -> Result<(), E>,
    mut tell: impl FnMut(usize, Item<'_>) -> Result<(), E>,
) -> Result<(), Failure<E>> {
    let (sender, receiver) = sync_channel(WAITING);
    begin(logs, follow, sender);
    let mut lines: Vec<Lines> = logs.iter().map(|_| Lines::default()).collect();
    let mut open = logs.len();
    while open > 0 {
        go_on().map_err(Failure::Told)?;
        let Some((log, said)) = next(&receiver) else { continue };
        match said {
            Said::Bytes(bytes) => {
                lines[log].feed(&bytes, |item| tell(log, item)).map_err(Failure::Told)?;
            }
            Said::Idle => tell(log, Item::Idle).map_err(Failure::Told)?,
            Said::Anew => {
                lines[log].finish(|item| tell(log, item)).map_err(Failure::Told)?;
                lines[log] = Lines::default();
            }
            Said::End => {
                open -= 1;
                lines[log].finish(|item| tell(log, item)).map_err(Failure::Told)?;
            }
            Said::Failed(error) => return Err(Failure::Log(log, error)),
        }
    }
    Ok(())
}

fn next(receiver: &Receiver<(usize, Said)>) -> Option<(usize, Said)> {
    match receiver.recv_timeout(PATIENCE) {
        Ok(said) => Some(said),
        Err(RecvTimeoutError::Timeout) => None,
        // Every reader says how it ended before it is gone.
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// One thread for logs that come one after the other, one each for those that grow.
fn begin(logs: &[Log], follow: bool, sender: SyncSender<(usize, Said)>) {
    if !follow {
        let logs = logs.to_vec();
        thread::spawn(move || {
            for (number, log) in logs.iter().enumerate() {
                let mut say = |said| sender.send((number, said)).is_ok();
                let end = whole(log, &mut say);
                if !say(end.map_or_else(Said::Failed, |()| Said::End)) {
                    return;
                }
            }
        });
        return;
    }
    for (number, log) in logs.iter().cloned().enumerate() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut say = |said| sender.send((number, said)).is_ok();
            let end = match &log {
                Log::Input => whole(&log, &mut say),
                Log::File(path) => growing(path, &mut say),
            };
            say(end.map_or_else(Said::Failed, |()| Said::End));
        });
    }
}

/// A log from its beginning to its end.
fn whole(log: &Log, say: &mut impl FnMut(Said) -> bool) -> io::Result<()> {
    match log {
        Log::Input => pump(&mut io::stdin().lock(), say).map(drop),
        Log::File(path) => pump(&mut File::open(path)?, say).map(drop),
    }
}

/// Everything that a stream has; the answer is how much that was. Nobody listens any more: `None`.
fn pump(stream: &mut impl Read, say: &mut impl FnMut(Said) -> bool) -> io::Result<Option<u64>> {
    let mut total = 0;
    loop {
        let mut bytes = vec![0; CHUNK];
        let count = match stream.read(&mut bytes) {
            Ok(0) => return Ok(Some(total)),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        total += count as u64;
        bytes.truncate(count);
        if !say(Said::Bytes(bytes)) {
            return Ok(None);
        }
    }
}

/// A file that others write to: also one that is cut short, or put aside and begun anew under its name.
fn growing(path: &Path, say: &mut impl FnMut(Said) -> bool) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut position = 0;
    loop {
        let Some(read) = pump(&mut file, say)? else { return Ok(()) };
        position += read;
        if !say(Said::Idle) {
            return Ok(());
        }
        thread::sleep(INTERVAL);
        if file.metadata()?.len() < position {
            file.seek(SeekFrom::Start(0))?;
        } else if is_another(path, &file) {
            // What came to the old one since is told before the new one.
            if pump(&mut file, say)?.is_none() {
                return Ok(());
            }
            file = File::open(path)?;
        } else {
            continue;
        }
        position = 0;
        if !say(Said::Anew) {
            return Ok(());
        }
    }
}

/// Does the name stand for another file by now? While there is none, the old one is good enough.
#[cfg(unix)]
fn is_another(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (fs::metadata(path), file.metadata()) {
        (Ok(named), Ok(open)) => (named.dev(), named.ino()) != (open.dev(), open.ino()),
        _ => false,
    }
}

/// Does the name stand for another file by now? Where files have no numbers, their times of birth tell them apart.
#[cfg(not(unix))]
fn is_another(path: &Path, file: &File) -> bool {
    match (
        fs::metadata(path).and_then(|named| named.created()),
        file.metadata().and_then(|open| open.created()),
    ) {
        (Ok(named), Ok(open)) => named != open,
        _ => false,
    }
}

/// Cuts the bytes of one log into lines. Most lines lie in one chunk and are not copied.
#[derive(Default)]
struct Lines {
    number: u64,
    rest: Vec<u8>,
    /// The line under way is too long.
    is_long: bool,
}

impl Lines {
    fn feed<E>(
        &mut self,
        mut bytes: &[u8],
        mut tell: impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            self.number += 1;
            if self.rest.is_empty() && !self.is_long {
                tell(Item::Line(self.number, Some(without_return(line))))?;
            } else {
                self.keep(line);
                self.take(&mut tell)?;
            }
        }
        self.keep(bytes);
        Ok(())
    }

    /// The last line may have no end.
    fn finish<E>(&mut self, mut tell: impl FnMut(Item<'_>) -> Result<(), E>) -> Result<(), E> {
        if self.rest.is_empty() && !self.is_long {
            return Ok(());
        }
        self.number += 1;
        self.take(&mut tell)
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.is_long |= self.rest.len() + bytes.len() > LONGEST;
        if self.is_long {
            self.rest = Vec::new();
        } else {
            self.rest.extend_from_slice(bytes);
        }
    }

    fn take<E>(&mut self, tell: &mut impl FnMut(Item<'_>) -> Result<(), E>) -> Result<(), E> {
        let is_long = std::mem::take(&mut self.is_long);
        let text = (!is_long).then(|| without_return(&self.rest));
        let told = tell(Item::Line(self.number, text));
        self.rest.clear();
        told
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// What is told, until so many lines have come.
    fn told(
        logs: &[Log],
        follow: bool,
        most: usize,
        mut idle: impl FnMut(usize),
    ) -> Vec<(usize, u64, String)> {
        let mut lines = Vec::new();
        let end = read(
            logs,
            follow,
            || Ok(()),
            |log, item| {
                match item {
                    Item::Line(number, text) => {
                        let text =
                            text.map_or("too long".into(), |text| String::from_utf8_lossy(text).into_owned());
                        lines.push((log, number, text));
                    }
                    Item::Idle => idle(lines.len()),
                }
                if lines.len() >= most { Err(()) } else { Ok(()) }
            },
        );
        assert!(matches!(end, Ok(()) | Err(Failure::Told(()))), "{end:?}");
        lines
    }

    #[test]
    fn files_are_told_line_by_line() {
        let directory = tempfile::tempdir().unwrap();
        let (one, two) = (directory.path().join("one"), directory.path().join("two"));
        fs::write(&one, "a\r\n\nb\n").unwrap();
        fs::write(&two, "c\nd").unwrap();
        let lines = told(&[Log::File(one), Log::File(two)], false, usize::MAX, |_| ());
        let expected = [(0, 1, "a"), (0, 2, ""), (0, 3, "b"), (1, 1, "c"), (1, 2, "d")];
        assert_eq!(lines, expected.map(|(log, number, text)| (log, number, text.to_owned())));
    }

    #[test]
    fn long_lines_are_whole_and_very_long_ones_are_told_without_their_text() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let mut file = File::create(&path).unwrap();
        writeln!(file, "{}", "x".repeat(3 * CHUNK)).unwrap();
        for _ in 0..(LONGEST / CHUNK + 2) {
            file.write_all(&[b'y'; CHUNK]).unwrap();
        }
        file.write_all(b"\nlast").unwrap();
        let lines = told(&[Log::File(path)], false, usize::MAX, |_| ());
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].2.len(), 3 * CHUNK);
        assert_eq!((lines[1].2.as_str(), lines[2].2.as_str()), ("too long", "last"));
    }

    #[test]
    fn a_file_that_grows_is_followed_over_half_lines_cuts_and_changes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::write(&path, "a\nhal").unwrap();
        let mut stage = 0;
        let append = |text: &str| {
            let mut file = File::options().append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let lines = told(&[Log::File(path.clone())], true, 5, |count| match (stage, count) {
            (0, 1) => {
                append("f\n");
                stage = 1;
            }
            (1, 2) => {
                fs::write(&path, "cut\n").unwrap();
                stage = 2;
            }
            (2, 3) => {
                append("late");
                fs::rename(&path, directory.path().join("old")).unwrap();
                fs::write(&path, "new\n").unwrap();
                stage = 3;
            }
            _ => {}
        });
        let texts: Vec<&str> = lines.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(texts, ["a", "half", "cut", "late", "new"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let end = read(&[Log::File("no such file".into())], false, || Ok(()), |_, _| Ok::<(), ()>(()));
        assert!(matches!(end, Err(Failure::Log(0, error)) if error.kind() == io::ErrorKind::NotFound));
    }
}
