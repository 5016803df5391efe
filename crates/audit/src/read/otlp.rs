//! OTLP as JSON: every span gives two records, its start and its end, and every log record one.
//!
//! A record has `at` (`start`, `end` or `log`), `time`, `resource`, `scope` and `attributes` (each with its attributes by name), and
//! what OTLP says of the span or log record: `name`, `kind` (`server`, `client`, ..), `traceId`, `spanId`, `parentSpanId`, `status`,
//! `body`, `severityText`. A document may take several lines.

use serde_json::{Map, Number, Value};

use super::records::Record;
use crate::finding::Line;

/// What has been read of a document that is not complete.
#[derive(Default)]
pub(crate) struct Otlp {
    open: String,
    at: Option<Line>,
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Otlp {
    pub(crate) fn push(&mut self, line: &str, at: Line, into: &mut Vec<Record>) -> Result<(), String> {
        if self.at.is_none() && line.trim().is_empty() {
            return Ok(());
        }
        let began = *self.at.get_or_insert(at);
        for byte in line.bytes() {
            self.byte(byte);
        }
        self.open.push_str(line);
        if self.depth > 0 && !self.in_text {
            self.open.push('\n');
            return Ok(());
        }
        let text = std::mem::take(self).open;
        let document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let mut found = false;
        for (lists, inner, leaves, record) in KINDS {
            for resource in array(document.get(lists)) {
                found = true;
                for scope in array(resource.get(inner)) {
                    for leaf in array(scope.get(leaves)) {
                        record(&around(resource, scope), leaf, &mut |record: Value| {
                            into.push((record.to_string(), began));
                        });
                    }
                }
            }
        }
        let is_known = found || KINDS.iter().any(|(lists, ..)| document.get(lists).is_some());
        // Metrics tell of no event.
        if is_known || document.get("resourceMetrics").is_some() {
            Ok(())
        } else {
            Err("there is neither `resourceSpans` nor `resourceLogs`".to_owned())
        }
    }

    fn byte(&mut self, byte: u8) {
        match (self.in_text, byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (true, b'"') => self.in_text = false,
            (false, b'"') => self.in_text = true,
            (false, b'{' | b'[') => self.depth += 1,
            (false, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Where a document began that has no end.
    pub(crate) fn rest(&mut self) -> Option<Line> {
        std::mem::take(self).at
    }
}

/// Makes records of a span or log record.
type Make = fn(&Map<String, Value>, &Value, &mut dyn FnMut(Value));

/// Where spans and log records are.
const KINDS: [(&str, &str, &str, Make); 2] =
    [("resourceSpans", "scopeSpans", "spans", span), ("resourceLogs", "scopeLogs", "logRecords", log)];

fn array(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What all records of a scope have in common.
fn around(resource: &Value, scope: &Value) -> Map<String, Value> {
    let mut common = Map::new();
    let of_resource = resource.get("resource").map(attributes).unwrap_or_default();
    common.insert("resource".to_owned(), Value::Object(of_resource));
    if let Some(scope) = scope.get("scope") {
        let mut shown = attributes(scope);
        for key in ["name", "version"] {
            shown.extend(scope.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        common.insert("scope".to_owned(), Value::Object(shown));
    }
    common
}

/// Attributes by their names.
fn attributes(holder: &Value) -> Map<String, Value> {
    named(array(holder.get("attributes")))
}

fn named(pairs: &[Value]) -> Map<String, Value> {
    let pair =
        |pair: &Value| Some((pair.get("key")?.as_str()?.to_owned(), plain(pair.get("value")?, DEEPEST)));
    pairs.iter().filter_map(pair).collect()
}

/// How deep values may lie in each other.
const DEEPEST: usize = 100;

/// A value without the name of its type.
fn plain(value: &Value, depth: usize) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|typed| typed.iter().next()) else {
        return Value::Null;
    };
    match kind.as_str() {
        _ if depth == 0 => Value::Null,
        "intValue" => match inner.as_str() {
            Some(text) => {
                text.parse::<i64>().map_or(inner.clone(), |number| Value::Number(Number::from(number)))
            }
            None => inner.clone(),
        },
        "arrayValue" => array(inner.get("values")).iter().map(|value| plain(value, depth - 1)).collect(),
        "kvlistValue" => {
            let pair = |pair: &Value| {
                Some((pair.get("key")?.as_str()?.to_owned(), plain(pair.get("value")?, depth - 1)))
            };
            Value::Object(array(inner.get("values")).iter().filter_map(pair).collect())
        }
        _ => inner.clone(),
    }
}

/// The words for kinds of spans, which are numbers in OTLP.
const SPAN_KINDS: [&str; 6] = ["unspecified", "internal", "server", "client", "producer", "consumer"];

fn span_kind(kind: &Value) -> Value {
    let number = kind.as_u64().and_then(|kind| SPAN_KINDS.get(kind as usize)).map(|kind| (*kind).to_owned());
    let word = kind.as_str().map(|kind| kind.trim_start_matches("SPAN_KIND_").to_lowercase());
    number.or(word).map_or(kind.clone(), Value::String)
}

/// What a span or log record says itself.
fn own(common: &Map<String, Value>, leaf: &Value) -> Map<String, Value> {
    let mut record = common.clone();
    record.insert("attributes".to_owned(), Value::Object(attributes(leaf)));
    for (key, value) in leaf.as_object().into_iter().flatten() {
        match key.as_str() {
            "attributes" | "events" | "links" => {}
            "kind" => drop(record.insert("kind".to_owned(), span_kind(value))),
            "body" => drop(record.insert("body".to_owned(), plain(value, DEEPEST))),
            _ => drop(record.insert(key.clone(), value.clone())),
        }
    }
    record
}

fn span(common: &Map<String, Value>, span: &Value, each: &mut dyn FnMut(Value)) {
    let record = own(common, span);
    for (at, time) in [("start", "startTimeUnixNano"), ("end", "endTimeUnixNano")] {
        let mut record = record.clone();
        record.insert("at".to_owned(), Value::String(at.to_owned()));
        if let Some(time) = span.get(time) {
            record.insert("time".to_owned(), time.clone());
            each(Value::Object(record));
        }
    }
}

fn log(common: &Map<String, Value>, log: &Value, each: &mut dyn FnMut(Value)) {
    let mut record = own(common, log);
    record.insert("at".to_owned(), Value::String("log".to_owned()));
    let nonzero =
        |key| log.get(key).filter(|time: &&Value| time.as_str() != Some("0") && time.as_u64() != Some(0));
    if let Some(time) = nonzero("timeUnixNano").or_else(|| nonzero("observedTimeUnixNano")) {
        record.insert("time".to_owned(), time.clone());
    }
    each(Value::Object(record));
}
