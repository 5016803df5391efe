//! Logs of every format as records: JSON texts, each with the line it begins on.

use rustc_hash::FxHashMap;

use super::csv::Csv;
use super::otlp::Otlp;
use super::sse::Sse;
use crate::finding::Line;
use crate::mapping::Format;

/// A line of a log as it is meant: without the end of line of other systems, and without the mark that some put before the first line to
/// say that they write UTF-8.
pub(crate) fn plain(line: &[u8], is_first: bool) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if is_first { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line }
}

/// A record, as JSON, and where it begins.
pub(crate) type Record = (String, Line);

/// What becomes of lines before they are records; of each file on its own.
pub(crate) enum Records {
    /// They are records.
    Lines,
    Otlp(FxHashMap<u32, Otlp>),
    Sse(FxHashMap<u32, Sse>),
    Csv {
        files: FxHashMap<u32, Csv>,
        wanted: Vec<String>,
    },
}

impl Records {
    /// For logs of which the mapping asks for these names.
    pub(crate) fn new<'n>(format: Format, names: impl Iterator<Item = &'n str>) -> Self {
        match format {
            Format::Jsonl => Records::Lines,
            Format::Otlp => Records::Otlp(FxHashMap::default()),
            Format::Sse => Records::Sse(FxHashMap::default()),
            Format::Csv => {
                Records::Csv { files: FxHashMap::default(), wanted: names.map(str::to_owned).collect() }
            }
        }
    }

    /// Reads a line; gives the records that it completes, or says what is wrong.
    pub(crate) fn push(&mut self, line: &str, at: Line, into: &mut Vec<Record>) -> Result<(), String> {
        match self {
            Records::Lines => {
                into.push((line.to_owned(), at));
                Ok(())
            }
            Records::Otlp(files) => files.entry(at.file).or_default().push(line, at, into),
            Records::Sse(files) => {
                files.entry(at.file).or_default().push(line, at, into);
                Ok(())
            }
            Records::Csv { files, wanted } => files.entry(at.file).or_default().push(line, at, wanted, into),
        }
    }

    /// All files are over: gives what is complete without an end of its own, or says what is not, and where it began.
    pub(crate) fn finish(&mut self, into: &mut Vec<Record>) -> Result<(), (String, Line)> {
        match self {
            Records::Lines => Ok(()),
            Records::Otlp(files) => {
                let mut rest = files.values_mut().filter_map(Otlp::rest);
                rest.next().map_or(Ok(()), |at| Err(("the JSON value has no end".to_owned(), at)))
            }
            Records::Sse(files) => {
                files.values_mut().for_each(|file| file.dispatch(into));
                Ok(())
            }
            Records::Csv { files, .. } => {
                let mut rest = files.values_mut().filter_map(Csv::rest);
                rest.next().map_or(Ok(()), |at| Err(("the quoted value has no end".to_owned(), at)))
            }
        }
    }
}
