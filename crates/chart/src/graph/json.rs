//! For programs.

use serde_json::{Map, Value, json};
use servanda_model::StateView;

use super::StateGraph;

/// The graph as a JSON object: `name`, `initial` (numbers of states), `states` and `transitions` with `from`, `label` and `to`. A state
/// gives every variable, `in` and `in_force`, as in the traces of `check`.
pub fn graph_json(graph: &StateGraph) -> String {
    let states: Vec<Value> = graph.states.iter().map(state).collect();
    let transitions = graph.transitions.iter();
    let transitions: Vec<Value> =
        transitions.map(|t| json!({"from": t.from, "label": t.label, "to": t.to})).collect();
    let object =
        json!({"name": graph.name, "initial": graph.initial, "states": states, "transitions": transitions});
    let mut text = serde_json::to_string_pretty(&object).unwrap_or_default();
    text.push('\n');
    text
}

fn state(view: &StateView) -> Value {
    let mut object = Map::new();
    for (name, value) in &view.variables {
        object.insert(name.clone(), value_of(value));
    }
    match view.locations.as_slice() {
        [] => {}
        [(name, location)] if name.is_empty() => {
            object.insert("in".to_owned(), json!(location));
        }
        several => {
            let places = several.iter().map(|(machine, location)| (machine.clone(), json!(location)));
            object.insert("in".to_owned(), Value::Object(places.collect()));
        }
    }
    object.insert("in_force".to_owned(), json!(view.in_force));
    Value::Object(object)
}

/// Truth values and numbers as such, names of values as strings.
fn value_of(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number)),
    }
}
