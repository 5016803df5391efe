//! Traces in the JSON that `check` writes.

use std::fs;
use std::path::Path;

use serde_json::Value;
use servanda_model::{CommitmentView, StateView};
use servanda_sim::Recording;

/// Reads the trace of a property: the named one, else the first that has a trace.
pub(super) fn read(path: &Path, property: Option<&str>) -> Result<Recording, String> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let document: Value =
        serde_json::from_str(&text).map_err(|error| format!("{name} is not JSON: {error}"))?;
    let trace = find(&document, property).ok_or_else(|| match property {
        Some(property) => format!("{name} has no trace of a property `{property}`"),
        None => format!("{name} has no trace; check --trace --format json writes one"),
    })?;
    recording(trace)
        .ok_or_else(|| format!("{name}: its trace does not have `labels` and `states` as check writes them"))
}

fn find<'j>(document: &'j Value, wanted: Option<&str>) -> Option<&'j Value> {
    let files: Vec<&Value> = match document["files"].as_array() {
        Some(files) => files.iter().collect(),
        None => vec![document],
    };
    let properties = files.into_iter().filter_map(|file| file["properties"].as_array()).flatten();
    let mut fitting = properties.filter(|property| wanted.is_none_or(|name| property["name"] == name));
    fitting.find_map(|property| property.get("trace").filter(|trace| trace.is_object()))
}

fn recording(trace: &Value) -> Option<Recording> {
    let labels = trace["labels"].as_array()?.iter().map(|label| Some(label.as_str()?.to_owned()));
    let states = trace["states"].as_array()?.iter().map(state);
    Some(Recording {
        labels: labels.collect::<Option<Vec<_>>>()?,
        states: states.collect::<Option<Vec<_>>>()?,
        loop_start: trace["loop"].as_u64().and_then(|start| usize::try_from(start).ok()),
    })
}

/// A state has every variable, `in`, `in_force` and, where there are channels, `under_way`.
fn state(value: &Value) -> Option<StateView> {
    let mut view = StateView::default();
    for (name, value) in value.as_object()? {
        match (name.as_str(), value) {
            ("in", Value::Object(machines)) => {
                view.locations =
                    machines.iter().map(|(machine, at)| (machine.clone(), written(at))).collect();
            }
            ("in", value) => view.locations.push((String::new(), written(value))),
            ("under_way", Value::Object(channels)) => {
                let messages = |value: &Value| value.as_array().into_iter().flatten().map(written).collect();
                view.channels =
                    channels.iter().map(|(name, value)| (name.clone(), messages(value))).collect();
            }
            ("in_force", Value::Array(promises)) => {
                view.in_force = promises.iter().map(|one| CommitmentView::unnamed(written(one))).collect()
            }
            (name, value) => view.variables.push((name.to_owned(), written(value))),
        }
    }
    Some(view)
}

/// A value as models write it.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
