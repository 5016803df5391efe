//! Captures of server-sent events: `event:`, `id:`, `data:` and a blank line.
//!
//! A record has `event`, `id` and `data`: JSON where the data is JSON, otherwise a text.

use serde_json::{Map, Value};

use super::json::{DEEPEST, Json};
use super::records::Record;
use crate::finding::Line;

/// What has been read of an event.
#[derive(Default)]
pub(crate) struct Sse {
    event: String,
    /// The last id, which stays until another one comes.
    id: Option<String>,
    data: Option<String>,
    at: Option<Line>,
}

impl Sse {
    pub(crate) fn push(&mut self, line: &str, at: Line, into: &mut Vec<Record>) {
        if line.is_empty() {
            return self.dispatch(into);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field.trim_start_matches('\u{feff}') {
            "event" => value.clone_into(&mut self.event),
            "id" => self.id = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Comments, `retry`, and what nobody knows: the standard ignores it.
            _ => return,
        }
        self.at.get_or_insert(at);
    }

    /// An event is complete.
    pub(crate) fn dispatch(&mut self, into: &mut Vec<Record>) {
        let (event, data, at) = (std::mem::take(&mut self.event), self.data.take(), self.at.take());
        let (Some(data), Some(at)) = (data, at) else { return };
        let mut head = Map::new();
        let name = if event.is_empty() { "message".to_owned() } else { event };
        head.insert("event".to_owned(), Value::String(name));
        if let Some(id) = &self.id {
            head.insert("id".to_owned(), Value::String(id.clone()));
        }
        let head = Value::Object(head).to_string();
        // The data as it is written: no number in it is rounded.
        let mut json = Json::new(&data);
        let is_json = json.value(DEEPEST - 1).and_then(|_| json.end()).is_ok();
        let shown = if is_json { data } else { Value::String(data).to_string() };
        into.push((format!("{},\"data\":{shown}}}", head.trim_end_matches('}')), at));
    }
}
