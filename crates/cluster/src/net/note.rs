//! What processes say to each other beside the parcels: lines of words, parted by tabs.

use std::io::{self, ErrorKind, Read};

use super::card::Card;

/// The longest line.
const LONGEST: usize = 1 << 12;

/// Who speaks, and as what it sees itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    /// Its number.
    pub(crate) process: usize,
    /// Of the program.
    pub(crate) version: String,
    /// How many processes it knows of.
    pub(crate) processes: usize,
    /// How many workers it has.
    pub(crate) workers: usize,
    /// What only those know who belong together.
    pub(crate) key: String,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A line begins.
    Hello(Hello),
    /// A connection for the parcels of a session begins.
    Data { process: usize, key: String, session: u64 },
    /// A connection on which a part of the work on many models is handed out begins.
    Part { process: usize, key: String },
    /// All parts are done; the status with which the speaker ends.
    Over(u8),
    /// The speaker has come to a session, and this is what it works on.
    Open { session: u64, card: Card },
    /// An order should end before it is carried out.
    Stop { session: u64, order: u64, why: u64 },
    /// So many states and transitions are found by the workers of the speaker.
    Found { session: u64, states: u64, transitions: u64 },
    /// The work is at its end, and why.
    Gone(String),
    /// The listener is not wanted, and why.
    Refused(String),
}

impl Note {
    /// As a line.
    pub(crate) fn line(&self) -> String {
        let words: Vec<String> = match self {
            Note::Hello(Hello { process, version, processes, workers, key }) => {
                vec![
                    "hello".into(),
                    process.to_string(),
                    version.clone(),
                    processes.to_string(),
                    workers.to_string(),
                    key.clone(),
                ]
            }
            Note::Data { process, key, session } => {
                vec!["data".into(), process.to_string(), key.clone(), session.to_string()]
            }
            Note::Part { process, key } => vec!["part".into(), process.to_string(), key.clone()],
            Note::Over(status) => numbers("over", &[u64::from(*status)]),
            Note::Open { session, card } => {
                let Card { name, model, options } = card;
                vec!["open".into(), session.to_string(), name.clone(), model.to_string(), options.clone()]
            }
            Note::Stop { session, order, why } => numbers("stop", &[*session, *order, *why]),
            Note::Found { session, states, transitions } => {
                numbers("found", &[*session, *states, *transitions])
            }
            Note::Gone(why) => vec!["gone".into(), why.clone()],
            Note::Refused(why) => vec!["refused".into(), why.clone()],
        };
        let words: Vec<String> = words.iter().map(|word| word.replace(['\t', '\n', '\r'], " ")).collect();
        words.join("\t") + "\n"
    }

    /// From a line; `None` where it makes no sense. What a later version may say besides is not looked at.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
        let number = |at: usize| words.get(at)?.parse::<u64>().ok();
        let text = |at: usize| words.get(at).map(|word| (*word).to_owned());
        Some(match words[0] {
            "hello" => Note::Hello(Hello {
                process: number(1)? as usize,
                version: text(2)?,
                processes: number(3)? as usize,
                workers: number(4)? as usize,
                key: text(5)?,
            }),
            "data" => Note::Data { process: number(1)? as usize, key: text(2)?, session: number(3)? },
            "part" => Note::Part { process: number(1)? as usize, key: text(2)? },
            "over" => Note::Over(u8::try_from(number(1)?).ok()?),
            "open" => {
                let card = Card { name: text(2)?, model: number(3)?, options: text(4)? };
                Note::Open { session: number(1)?, card }
            }
            "stop" => Note::Stop { session: number(1)?, order: number(2)?, why: number(3)? },
            "found" => Note::Found { session: number(1)?, states: number(2)?, transitions: number(3)? },
            "gone" => Note::Gone(text(1)?),
            "refused" => Note::Refused(text(1)?),
            _ => return None,
        })
    }

    /// The next line of a stream, and nothing of what comes behind it.
    ///
    /// # Errors
    ///
    /// When the stream ends or fails, or says something else.
    pub(crate) fn next(mut stream: impl Read) -> io::Result<Self> {
        let (mut line, mut byte) = (Vec::new(), [0]);
        while line.last() != Some(&b'\n') {
            if line.len() > LONGEST {
                return Err(ErrorKind::InvalidData.into());
            }
            stream.read_exact(&mut byte)?;
            line.push(byte[0]);
        }
        let line = String::from_utf8(line).map_err(|_| ErrorKind::InvalidData)?;
        Note::read(&line).ok_or_else(|| ErrorKind::InvalidData.into())
    }
}

fn numbers(word: &str, numbers: &[u64]) -> Vec<String> {
    std::iter::once(word.to_owned()).chain(numbers.iter().map(u64::to_string)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        let hello = Hello { process: 1, version: "0.1.0".into(), processes: 3, workers: 2, key: "k".into() };
        let card = Card { name: "Ring of 24".into(), model: u64::MAX, options: "Options { .. }".into() };
        let notes = [
            Note::Hello(hello),
            Note::Data { process: 2, key: String::new(), session: 7 },
            Note::Part { process: 0, key: "k".into() },
            Note::Over(3),
            Note::Open { session: 1, card },
            Note::Stop { session: 1, order: 2, why: 3 },
            Note::Found { session: 1, states: 2, transitions: 3 },
            Note::Gone("process 1 is gone".into()),
            Note::Refused("no".into()),
        ];
        for note in notes {
            assert_eq!(Note::next(format!("{}more", note.line()).as_bytes()).unwrap(), note);
        }
    }

    #[test]
    fn strangers_are_not_understood() {
        for said in ["GET / HTTP/1.1\r\n", "hello\tone\n", "\n", "hello\t1", "data\t-1\tk\t0\n"] {
            assert!(Note::next(said.as_bytes()).is_err(), "{said}");
        }
        assert!(Note::next(vec![b'a'; 2 * LONGEST].as_slice()).is_err());
    }
}
