//! A first mapping for a log that nobody has described: its fields, keys that may cut it into slices, labels.
//!
//! A [`Survey`] looks at lines of JSON and counts. What it proposes is a beginning that can be run: everything that was said in the
//! log is possible in the proposed model, and its author goes on from there.

mod write;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Fields nested deeper are not looked at.
const DEEPEST: usize = 6;

/// Fields beyond so many are not looked at.
const MOST_FIELDS: usize = 400;

/// A field with more different values is no field of kinds.
const MOST_KINDS: usize = 40;

/// Different values beyond so many are not told apart.
const MOST_VALUES: usize = 20_000;

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
#[derive(Clone, Debug, Default)]
pub struct Survey {
    lines: u64,
    bad: u64,
    fields: BTreeMap<String, Seen>,
    /// How often combinations of short texts at the fields of roles and kinds were seen, decided at the end.
    rows: Vec<BTreeMap<String, String>>,
}

/// Lines that are kept to see which values come together.
const MOST_ROWS: usize = 20_000;

impl Survey {
    /// Looks at a line.
    pub fn line(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        self.lines += 1;
        let Ok(value @ Value::Object(_)) = serde_json::from_slice::<Value>(line) else {
            self.bad += 1;
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
    /// Why there is none: no line was JSON.
    pub fn proposal(&self, log: &str, model: &str) -> Result<Proposal, String> {
        if self.fields.is_empty() {
            let what = if self.lines == 0 { "has no lines" } else { "has no line that is a JSON object" };
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
        let mut found: Vec<(u64, &str)> = Vec::new();
        for (pointer, seen) in &self.fields {
            let plain = seen.texts + seen.numbers == seen.lines;
            let distinct = seen.values.len() as u64;
            if !plain || Some(pointer.as_str()) == time || seen.lines * 2 < self.lines {
                continue;
            }
            let name = last(pointer).to_ascii_lowercase();
            let hinted = [
                "session",
                "conversation",
                "run",
                "thread",
                "trace",
                "context",
                "task",
                "chat",
                "conn",
                "id",
            ];
            let hint =
                hinted.iter().position(|hint| name.contains(hint)).map(|at| (hinted.len() - at) as u64);
            // A slice has several lines, and a log several slices; a name may outweigh that there is one only.
            let repeats = distinct >= 2 && distinct * 2 <= seen.lines;
            let Some(weight) = (match (hint, repeats) {
                (Some(hint), true) => Some(200 + hint),
                (Some(hint), false) if distinct * 2 <= seen.lines => Some(100 + hint),
                (None, true) if distinct > MOST_KINDS as u64 => Some(50),
                _ => None,
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
