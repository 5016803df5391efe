//! Runs in the Informal Trace Format, the JSON that Apalache, Quint and their tools read (Apalache's ADR 15).
//!
//! ```
//! use servanda_report::itf::{self, State, Trace, Value};
//!
//! let state = |label: &str, paid| State { label: label.to_owned(), values: vec![Value::Bool(paid)] };
//! let trace = Trace {
//!     source: "shop.pact",
//!     description: "AG !paid is false",
//!     variables: &["paid".to_owned()],
//!     states: &[state("", false), state("Cus: pay", true)],
//!     loop_start: Some(1),
//! };
//! assert!(itf::trace(&trace).contains("\"loop\": 1"));
//! ```

use serde_json::{Map, Value as Json, json};

/// A value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A value of an enumeration, or a control state.
    Text(String),
    /// A set, such as the commitments in force.
    Set(Vec<Value>),
    /// Values by name, such as control states by machine.
    Record(Vec<(String, Value)>),
}

impl Value {
    /// What a value is that is known only as it is written: `true`, `-3`, `idle`.
    pub fn from_written(text: &str) -> Self {
        match (text, text.parse()) {
            ("true", _) => Value::Bool(true),
            ("false", _) => Value::Bool(false),
            (_, Ok(number)) => Value::Int(number),
            (text, Err(_)) => Value::Text(text.to_owned()),
        }
    }

    /// Integers are written in a way that no reader can lose digits of.
    fn json(&self) -> Json {
        match self {
            Value::Bool(value) => json!(value),
            Value::Int(value) => json!({"#bigint": value.to_string()}),
            Value::Text(text) => json!(text),
            Value::Set(elements) => json!({"#set": elements.iter().map(Value::json).collect::<Vec<_>>()}),
            Value::Record(fields) => {
                Json::Object(fields.iter().map(|(name, value)| (name.clone(), value.json())).collect())
            }
        }
    }
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The label of the transition that leads here; empty for the first state.
    pub label: String,
    /// The values, in the order of the variables.
    pub values: Vec<Value>,
}

/// A run: finite, or one that comes back to an earlier state.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The file that the model is in.
    pub source: &'a str,
    /// What the run shows.
    pub description: &'a str,
    /// The names of the variables.
    pub variables: &'a [String],
    /// The states, in order.
    pub states: &'a [State],
    /// The position of the state that follows the last one, where the run goes on for ever.
    pub loop_start: Option<usize>,
}

/// One run as one object.
pub fn trace(trace: &Trace<'_>) -> String {
    let mut object = Map::new();
    object.insert(
        "#meta".to_owned(),
        json!({
            "format": "ITF",
            "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
            "source": trace.source,
            "description": trace.description,
            "generator": concat!("servanda ", env!("CARGO_PKG_VERSION")),
        }),
    );
    object.insert("vars".to_owned(), json!(trace.variables));
    let states = trace.states.iter().enumerate().map(|(index, state)| state_object(trace, index, state));
    object.insert("states".to_owned(), states.collect());
    if let Some(position) = trace.loop_start {
        object.insert("loop".to_owned(), json!(position));
    }
    crate::json::write(&object)
}

fn state_object(trace: &Trace<'_>, index: usize, state: &State) -> Json {
    let mut meta = Map::new();
    meta.insert("index".to_owned(), json!(index));
    if !state.label.is_empty() {
        meta.insert("label".to_owned(), json!(state.label));
    }
    let mut object = Map::new();
    object.insert("#meta".to_owned(), Json::Object(meta));
    for (name, value) in trace.variables.iter().zip(&state.values) {
        object.insert(name.clone(), value.json());
    }
    Json::Object(object)
}
