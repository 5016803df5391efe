//! Runs in the Informal Trace Format, the JSON that Apalache, Quint and their tools read (Apalache's ADR 15).

use serde_json::{Map, Value, json};
use servanda_evidence::{Evidence, Path};
use servanda_model::{CommitmentView, StateView};

/// The path that shows a verdict, as [`Evidence::line`] joins it; what branches off it has no place in this format.
pub fn evidence(source: &str, evidence: &Evidence) -> String {
    let description = format!("{} of {}", evidence.kind.word(), evidence.formula);
    let path = evidence.line().path;
    let labels = path.steps.iter().map(|step| step.label.as_str()).collect::<Vec<_>>().join("\n");
    let legend = CommitmentView::mentioned(&evidence.commitments, &labels);
    let legend = legend.iter().map(|one| (one.called().to_owned(), json!(one.text)));
    written(source, &description, &path, legend.collect())
}

/// One run as one object: `source` is the file that the model is in, `description` what the run shows.
pub fn path(source: &str, description: &str, path: &Path) -> String {
    written(source, description, path, Map::new())
}

/// A run; `legend` is what its labels call commitments.
fn written(source: &str, description: &str, path: &Path, legend: Map<String, Value>) -> String {
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
        "source": source,
        "description": description,
        "generator": concat!("servanda ", env!("CARGO_PKG_VERSION")),
    });
    if !legend.is_empty() {
        meta["commitments"] = Value::Object(legend);
    }
    let label = |at: usize| path.steps.get(at).map_or("", |step| step.label.as_str());
    // Every other label belongs to the state that it leads to; that state is there already.
    if !label(path.last()).is_empty() {
        meta["loop-label"] = json!(label(path.last()));
    }
    let promises = path.states.iter().any(|state| !state.view.in_force.is_empty());
    let values: Vec<_> = path.states.iter().map(|state| values(&state.view, promises)).collect();
    let names = values.first().into_iter().flatten().map(|(name, _)| json!(name));
    let mut trace = json!({"#meta": meta, "vars": names.collect::<Vec<_>>()});
    let states = values.into_iter().enumerate().map(|(index, values)| {
        let mut meta = json!({"index": index});
        // The label of the transition that leads here.
        if let Some(label) = index.checked_sub(1).map(label).filter(|label| !label.is_empty()) {
            meta["label"] = json!(label);
        }
        Value::Object(Map::from_iter(values.into_iter().chain([("#meta".to_owned(), meta)])))
    });
    trace["states"] = states.collect();
    if let Some(position) = path.loop_to {
        trace["loop"] = json!(position);
    }
    serde_json::to_string_pretty(&trace).unwrap_or_default() + "\n"
}

/// The variables of a state, then `in` for control states, `under_way` for channels and `in_force` for commitments, each only where the run has such things.
fn values(view: &StateView, promises: bool) -> Vec<(String, Value)> {
    let variables = view.variables.iter().map(|(name, value)| (name.clone(), value_of(value)));
    let place = match view.locations.as_slice() {
        [] => None,
        [(machine, location)] if machine.is_empty() => Some(json!(location)),
        // No record, whose fields would have to be identifiers: machines have names such as `Side[1]`.
        several => Some(json!({"#map": several})),
    };
    let place = place.map(|place| ("in".to_owned(), place));
    let in_force = promises.then(|| {
        (
            "in_force".to_owned(),
            json!({"#set": view.in_force.iter().map(|promise| &promise.text).collect::<Vec<_>>()}),
        )
    });
    // What is under way is in the order in which it was sent.
    let channels =
        (!view.channels.is_empty()).then(|| ("under_way".to_owned(), json!({"#map": view.channels})));
    variables.chain(place).chain(channels).chain(in_force).collect()
}

/// What a value is that is known only as it is written: `true`, `-3`, `idle`. Integers are given in a way that no reader can lose
/// digits of.
fn value_of(text: &str) -> Value {
    match (text.parse::<bool>(), text.parse::<i64>()) {
        (Ok(truth), _) => json!(truth),
        (_, Ok(number)) => json!({"#bigint": number.to_string()}),
        _ => json!(text),
    }
}
