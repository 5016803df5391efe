//! CSV: a header and rows. A record has a text for each column; an empty cell is missing, but a column that is missing is a mistake:
//! what asks for it would never hold, and nobody would be told.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value};
use servanda_syntax::nearest;

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
    /// Reads a line. The header must have the columns that are wanted.
    pub(crate) fn push(
        &mut self,
        line: &str,
        at: Line,
        wanted: &[String],
        into: &mut Vec<Record>,
    ) -> Result<(), String> {
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
            let header: Vec<String> =
                row.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
            let missing = missing(wanted, &header);
            self.header = Some(header);
            return missing.map_or(Ok(()), Err);
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

/// Says which columns are wanted that a header does not have.
fn missing(wanted: &[String], header: &[String]) -> Option<String> {
    let told = |name: &String| match nearest(name, header.iter().map(String::as_str)) {
        Some(near) => format!("`{name}` (did you mean `{near}`?)"),
        None => format!("`{name}`"),
    };
    let missing: Vec<String> = wanted.iter().filter(|name| !header.contains(name)).map(told).collect();
    let columns = if missing.len() == 1 { "column" } else { "columns" };
    (!missing.is_empty()).then(|| format!("the header has no {columns} {}", missing.join(", ")))
}
