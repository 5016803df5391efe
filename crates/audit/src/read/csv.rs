//! CSV: a header and rows. A record has a text for each column; an empty cell is missing.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value};

use super::records::Record;
use crate::finding::Line;

/// What has been read of a file.
#[derive(Default)]
pub(crate) struct Csv {
    header: Option<Vec<String>>,
    /// A row whose quotes are still open, and where it began.
    open: String,
    at: Option<Line>,
}

impl Csv {
    pub(crate) fn push(&mut self, line: &str, at: Line, into: &mut Vec<Record>) -> Result<(), String> {
        if self.at.is_none() && line.trim().is_empty() {
            return Ok(());
        }
        let began = *self.at.get_or_insert(at);
        self.open.push_str(line);
        if self.open.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
            self.open.push('\n');
            return Ok(());
        }
        self.at = None;
        let text = std::mem::take(&mut self.open);
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut row = StringRecord::new();
        if !reader.read_record(&mut row).map_err(|error| error.to_string())? {
            return Ok(());
        }
        let Some(header) = &self.header else {
            self.header =
                Some(row.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect());
            return Ok(());
        };
        if row.len() > header.len() {
            return Err(format!("the row has {} values, the header {}", row.len(), header.len()));
        }
        let cells = header.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
        let record: Map<String, Value> =
            cells.map(|(name, cell)| (name.clone(), Value::String(cell.to_owned()))).collect();
        into.push((Value::Object(record).to_string(), began));
        Ok(())
    }

    /// Where a row began that has no end.
    pub(crate) fn rest(&mut self) -> Option<Line> {
        self.at.take()
    }
}
