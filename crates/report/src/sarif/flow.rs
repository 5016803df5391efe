//! The run that shows a verdict as a code flow: a location for the initial state and one for each step.
//!
//! A step that is written in several places, such as a round in which several agents change, is followed by these places, one level
//! deeper. Messages count states as the text output does, so that `back to 4` means the same in both.

use servanda_evidence::{Evidence, Path};
use servanda_json::Object;
use servanda_model::{CommitmentView, StateView};

use super::{message, physical, whole};
use crate::Origin;
use crate::path_words::{changes, extent};

/// What a state is like, name by name.
fn values(view: &StateView, promises: bool) -> Object {
    let mut values = Object::default();
    for (machine, location) in &view.locations {
        let name = if machine.is_empty() { "in".to_owned() } else { format!("{machine} in") };
        values = values.with(name, message(location));
    }
    for (name, value) in &view.variables {
        values = values.with(name, message(value));
    }
    values.with_some("in force", promises.then(|| message(CommitmentView::list(&view.in_force))))
}

/// The flow of evidence about the model in `file`.
pub(super) fn code_flow(file: &str, evidence: &Evidence, origins: &[Vec<Origin>]) -> Object {
    let path = evidence.line().path;
    // If no commitment is in force on the run, that is not worth saying in every state.
    let promises = path.states.iter().any(|state| !state.view.in_force.is_empty());
    let start = &path.states[0].view;
    let mut locations = vec![location(whole(file), format!("0: {start}"), 0, values(start, promises))];
    for at in 0..path.steps.len() {
        let places = origins.get(at).map_or(&[][..], Vec::as_slice);
        locations.extend(step(file, &path, at, places, promises));
    }
    Object::new("message", message(format!("{}{}", evidence.kind.word(), extent(&path))))
        .with("threadFlows", vec![Object::new("locations", locations)])
}

/// A location of a flow; its level is 0 for a step and 1 for a part of it.
fn location(place: Option<Object>, text: String, level: u64, state: Object) -> Object {
    let location = Object::default().with_some("physicalLocation", place).with("message", message(text));
    Object::new("location", location)
        .with("nestingLevel", level)
        .with_some("state", (!state.is_empty()).then_some(state))
}

fn step(file: &str, path: &Path, at: usize, places: &[Origin], promises: bool) -> Vec<Object> {
    let label = match path.steps[at].label.as_str() {
        "" => "nothing more can happen",
        label => label,
    };
    let before = &path.states[at].view;
    let (text, reached) = match path.states.get(at + 1) {
        Some(after) => (format!("{}: {label} → {}", at + 1, changes(before, &after.view)), after),
        None => {
            let to = path.loop_to.unwrap_or_default();
            (format!("{label}, back to {to}"), &path.states[to])
        }
    };
    let (here, parts) = match places {
        [only] => (Some(physical(&only.location)), &[][..]),
        several => (whole(file), several),
    };
    let mut found = vec![location(here, text, 0, values(&reached.view, promises))];
    found.extend(
        parts
            .iter()
            .map(|part| location(Some(physical(&part.location)), part.what.clone(), 1, Object::default())),
    );
    found
}
