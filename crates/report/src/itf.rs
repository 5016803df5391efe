//! Runs in the Informal Trace Format, the JSON that Apalache, Quint and their tools read (Apalache's ADR 15).
//!
//! ```
//! use servanda_report::itf::{self, State, Trace, Value};
//!
//! let state = |label: &str, paid| State {
//!     label: label.to_owned(),
//!     values: vec![("paid".to_owned(), Value::Bool(paid))],
//! };
//! let trace = Trace {
//!     source: "shop.pact",
//!     description: "AG !paid is false",
//!     states: &[state("", false), state("Cus: pay", true)],
//!     loop_start: Some(1),
//!     loop_label: "Cus: rest",
//! };
//! assert!(itf::trace(&trace).contains("\"loop\": 1"));
//! ```

use serde_json::{Map, Value as Json, json};
use servanda_evidence::Evidence;
use servanda_model::StateView;

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
    /// Values by name, such as control states by machine. No record, whose fields would have to be identifiers: machines have names
    /// such as `Side[1]`.
    Map(Vec<(String, Value)>),
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
            Value::Map(entries) => {
                let pairs = entries.iter().map(|(name, value)| json!([name, value.json()]));
                json!({"#map": pairs.collect::<Vec<_>>()})
            }
        }
    }
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The label of the transition that leads here; empty for the first state.
    pub label: String,
    /// The variables with their values; the same variables in all states of a run.
    pub values: Vec<(String, Value)>,
}

impl State {
    /// A state of a model: its variables, then `in` for control states and `in_force` for commitments, each only where the
    /// model has such things. Values are given as they are written; the machine of a control state may have no name.
    pub fn of_model(
        label: impl Into<String>,
        variables: &[(String, String)],
        locations: &[(String, String)],
        in_force: Option<&[String]>,
    ) -> Self {
        let written = |(name, value): &(String, String)| (name.clone(), Value::from_written(value));
        let mut values: Vec<(String, Value)> = variables.iter().map(written).collect();
        match locations {
            [] => {}
            [(machine, location)] if machine.is_empty() => {
                values.push(("in".to_owned(), Value::Text(location.clone())));
            }
            several => {
                let text = |(machine, at): &(String, String)| (machine.clone(), Value::Text(at.clone()));
                values.push(("in".to_owned(), Value::Map(several.iter().map(text).collect())));
            }
        }
        if let Some(promises) = in_force {
            let promises = promises.iter().cloned().map(Value::Text).collect();
            values.push(("in_force".to_owned(), Value::Set(promises)));
        }
        State { label: label.into(), values }
    }
}

/// A run: finite, or one that comes back to an earlier state.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The file that the model is in.
    pub source: &'a str,
    /// What the run shows.
    pub description: &'a str,
    /// The states, in order.
    pub states: &'a [State],
    /// The position of the state that follows the last one, where the run goes on for ever.
    pub loop_start: Option<usize>,
    /// The label of the transition that leads back there; empty where there is none.
    pub loop_label: &'a str,
}

/// The path that shows a verdict, as [`Evidence::line`] joins it; what branches off it has no place in this format.
pub fn evidence(source: &str, evidence: &Evidence) -> String {
    let path = evidence.line().path;
    let promises = path.states.iter().any(|state| !state.view.in_force.is_empty());
    let label = |at: usize| path.steps.get(at).map_or("", |step| step.label.as_str());
    let states: Vec<State> = (path.states.iter().enumerate())
        .map(|(at, state)| {
            let StateView { variables, locations, in_force } = &state.view;
            let before = at.checked_sub(1).map_or("", label);
            State::of_model(before, variables, locations, promises.then_some(in_force.as_slice()))
        })
        .collect();
    trace(&Trace {
        source,
        description: &format!("{} of {}", evidence.kind.word(), evidence.formula),
        states: &states,
        loop_start: path.loop_to,
        loop_label: label(path.last()),
    })
}

/// One run as one object.
pub fn trace(trace: &Trace<'_>) -> String {
    let mut object = Map::new();
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
        "source": trace.source,
        "description": trace.description,
        "generator": concat!("servanda ", env!("CARGO_PKG_VERSION")),
    });
    // Every other label belongs to the state that it leads to; that state is there already.
    if !trace.loop_label.is_empty() {
        meta["loop-label"] = json!(trace.loop_label);
    }
    object.insert("#meta".to_owned(), meta);
    let variables = trace.states.first().map_or(&[][..], |state| &state.values).iter();
    object.insert("vars".to_owned(), variables.map(|(name, _)| json!(name)).collect());
    let states = trace.states.iter().enumerate().map(|(index, state)| state_object(index, state));
    object.insert("states".to_owned(), states.collect());
    if let Some(position) = trace.loop_start {
        object.insert("loop".to_owned(), json!(position));
    }
    serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
}

fn state_object(index: usize, state: &State) -> Json {
    let mut meta = Map::new();
    meta.insert("index".to_owned(), json!(index));
    if !state.label.is_empty() {
        meta.insert("label".to_owned(), json!(state.label));
    }
    let mut object = Map::new();
    object.insert("#meta".to_owned(), Json::Object(meta));
    for (name, value) in &state.values {
        object.insert(name.clone(), value.json());
    }
    Json::Object(object)
}
