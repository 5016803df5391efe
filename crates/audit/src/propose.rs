//! A first mapping for a log that nobody has described: its fields, keys that may cut it into slices, labels.
//!
//! A [`Survey`] looks at lines of any format and counts. What it proposes is a beginning that can be run: everything that was said in the
//! log is possible in the proposed model, and its author goes on from there.

mod write;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::finding::Line;
use crate::mapping::Format;
use crate::read::{Records, plain};

/// Fields nested deeper are not looked at.
const DEEPEST: usize = 6;

/// Fields beyond so many are not looked at.
const MOST_FIELDS: usize = 400;

/// A field with more different values is no field of kinds.
const MOST_KINDS: usize = 40;

/// Different values beyond so many are not told apart.
const MOST_VALUES: usize = 20_000;

/// Words in the names of fields that tell conversations apart, and then of such as tell parts of them apart.
const HINTS: [&str; 10] =
    ["session", "conversation", "run", "thread", "trace", "context", "chat", "task", "conn", "id"];

/// How many of them are of conversations.
const CONVERSATIONS: usize = 7;

/// What was seen of a field.
#[derive(Clone, Debug, Default)]
struct Seen {
    lines: u64,
    texts: u64,
    numbers: u64,
    others: u64,
    values: BTreeSet<String>,
    /// As a number, the field never fell from line to line.
    last: Option<f64>,
    fell: bool,
    example: String,
}

/// What was seen of a log.
#[derive(Default)]
pub struct Survey {
    /// What lines are, by the first of them.
    read: Option<(Format, Records)>,
    lines: u64,
    fields: BTreeMap<String, Seen>,
    /// How often combinations of short texts at the fields of roles and kinds were seen, decided at the end.
    rows: Vec<BTreeMap<String, String>>,
}

/// Lines that are kept to see which values come together.
const MOST_ROWS: usize = 20_000;

impl Survey {
    /// Looks at a line.
    pub fn line(&mut self, line: &[u8]) {
        let line = plain(line, self.lines == 0);
        if line.trim_ascii().is_empty() {
            // In some formats that is the end of a record.
            if let Some((_, records)) = &mut self.read {
                let mut found = Vec::new();
                let _ = records.push("", Line { file: 0, line: self.lines }, &mut found);
                found.iter().for_each(|(text, _)| self.record(text));
            }
            return;
        }
        self.lines += 1;
        let Ok(line) = std::str::from_utf8(line) else { return };
        let (_, records) = self.read.get_or_insert_with(|| {
            let format = format(line);
            (format, Records::new(format, std::iter::empty()))
        });
        let mut found = Vec::new();
        // What cannot be read has no fields.
        let _ = records.push(line, Line { file: 0, line: self.lines }, &mut found);
        found.iter().for_each(|(text, _)| self.record(text));
    }

    fn record(&mut self, text: &str) {
        let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let mut row = BTreeMap::new();
        self.look(&value, &mut String::new(), 0, &mut row);
        if self.rows.len() < MOST_ROWS {
            self.rows.push(row);
        }
    }

    fn look(
        &mut self,
        value: &Value,
        pointer: &mut String,
        depth: usize,
        row: &mut BTreeMap<String, String>,
    ) {
        // A line that is a list, of messages for example, is looked at by its first element.
        if let (Value::Array(elements), 0) = (value, depth) {
            if let Some(first @ Value::Object(_)) = elements.first() {
                pointer.push_str("/0");
                self.look(first, pointer, depth + 1, row);
            }
            return;
        }
        if let Value::Object(fields) = value {
            for (name, value) in fields.iter().filter(|_| depth < DEEPEST) {
                let length = pointer.len();
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                self.look(value, pointer, depth + 1, row);
                pointer.truncate(length);
            }
            return;
        }
        if !self.fields.contains_key(pointer) && self.fields.len() >= MOST_FIELDS {
            return;
        }
        let seen = self.fields.entry(pointer.clone()).or_default();
        seen.lines += 1;
        let text = match value {
            Value::String(text) => {
                seen.texts += 1;
                text.clone()
            }
            Value::Number(number) => {
                seen.numbers += 1;
                let now = number.as_f64();
                seen.fell |= seen.last.zip(now).is_some_and(|(last, now)| now < last);
                seen.last = now;
                number.to_string()
            }
            other => {
                seen.others += 1;
                match other {
                    Value::Array(_) => String::new(),
                    other => other.to_string(),
                }
            }
        };
        if seen.example.is_empty() {
            seen.example = text.chars().take(40).collect();
        }
        if text.len() <= 200 {
            if seen.values.len() < MOST_VALUES {
                seen.values.insert(text.clone());
            }
            row.insert(pointer.clone(), text);
        } else if seen.values.len() < MOST_VALUES {
            seen.values.insert(text.chars().take(50).collect());
        }
    }

    /// The mapping that suits what was seen, and the model that it names.
    ///
    /// # Errors
    ///
    /// Why there is none: nothing had fields.
    pub fn proposal(&mut self, log: &str, model: &str) -> Result<Proposal, String> {
        let mut found = Vec::new();
        if let Some((_, records)) = &mut self.read {
            let _ = records.finish(&mut found);
        }
        found.iter().for_each(|(text, _)| self.record(text));
        if self.fields.is_empty() {
            let what = if self.lines == 0 {
                "has no lines"
            } else {
                "has no line that is a JSON object, an event, or a row below a header"
            };
            return Err(format!("{log} {what}: nothing can be proposed"));
        }
        Ok(write::proposal(self, log, model))
    }

    /// The field of times, if one looks like it.
    fn time(&self) -> Option<&str> {
        let is_named = |pointer: &str| {
            let name = last(pointer).to_ascii_lowercase();
            ["t", "ts", "time", "timestamp", "@timestamp", "at", "date"].contains(&name.as_str())
        };
        let rises = |seen: &Seen| {
            let dates = seen.texts > 0 && seen.example.len() >= 19 && seen.example.as_bytes()[4] == b'-';
            (seen.numbers == seen.lines && !seen.fell) || dates
        };
        let found = self.fields.iter().filter(|(pointer, seen)| is_named(pointer) && rises(seen));
        found.max_by_key(|(_, seen)| seen.lines).map(|(pointer, _)| pointer.as_str())
    }

    /// Fields that may cut the log into slices, the likeliest first.
    fn keys(&self) -> Vec<&str> {
        let time = self.time();
        let mut found: Vec<((u8, bool, usize), &str)> = Vec::new();
        for (pointer, seen) in &self.fields {
            let plain = seen.texts + seen.numbers == seen.lines;
            let distinct = seen.values.len() as u64;
            if !plain || Some(pointer.as_str()) == time || seen.lines * 2 < self.lines {
                continue;
            }
            let words = words(last(pointer));
            let hint = HINTS.iter().position(|hint| words.iter().any(|word| word == hint));
            // A slice has several lines, and a log several slices; a name may outweigh that there is one only.
            let several = distinct >= 2;
            let Some(weight) = (match hint {
                _ if distinct * 2 > seen.lines => None,
                Some(at) if at < CONVERSATIONS => Some((3, several, HINTS.len() - at)),
                Some(at) => Some((2, several, HINTS.len() - at)),
                None if distinct > MOST_KINDS as u64 => Some((1, several, 0)),
                None => None,
            }) else {
                continue;
            };
            found.push((weight, pointer));
        }
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
        found.into_iter().map(|(_, pointer)| pointer).collect()
    }

    /// The field with the best name among those of few short words.
    fn kind(&self, names: &[&str]) -> Option<&str> {
        let found = self.fields.iter().filter_map(|(pointer, seen)| {
            let at = names.iter().position(|name| last(pointer).eq_ignore_ascii_case(name))?;
            let few = seen.texts == seen.lines && seen.values.len() <= MOST_KINDS;
            few.then_some((at, pointer.len(), pointer.as_str()))
        });
        found.min().map(|(_, _, pointer)| pointer)
    }

    /// Who says something.
    fn role(&self) -> Option<&str> {
        self.kind(&["from", "role", "sender", "source", "agent", "actor", "direction", "kind"])
    }

    /// What is said.
    fn word(&self) -> Option<&str> {
        let role = self.role();
        let names =
            ["method", "type", "event", "name", "action", "operation", "message", "tool", "state", "status"];
        self.kind(&names).filter(|word| Some(*word) != role)
    }
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The mapping.
    pub mapping: String,
    /// The model.
    pub model: String,
}

fn last(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

/// What the lines of a log are, by its first one that is not empty.
fn format(first: &str) -> Format {
    let first = first.trim_start_matches('\u{feff}').trim();
    let says = |word: &str| first.contains(word);
    if first.starts_with('{') || first.starts_with('[') {
        let is_otlp = ["\"resourceSpans\"", "\"resourceLogs\""].into_iter().any(says);
        // A document that goes on over several lines.
        return if is_otlp || first == "{" { Format::Otlp } else { Format::Jsonl };
    }
    match first.split_once(':') {
        Some(("data" | "event" | "id" | "retry" | "", _)) => Format::Sse,
        _ if first.contains(',') => Format::Csv,
        _ => Format::Jsonl,
    }
}

/// The words of a name, in small letters: `sessionId` and `session_id` are `session` and `id`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        if letter.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
    }
    words
}
