//! The run that shows a verdict as a code flow: a location for the initial state and one for each step.
//!
//! A step that is written in several places, such as a round in which several agents change, is followed by these places, one level
//! deeper. Messages count states as the text output does, so that `back to 4` means the same in both.

use serde::Serialize;
use serde::ser::Serializer;
use servanda_evidence::{Evidence, Path};
use servanda_model::StateView;

use super::{Message, Physical, physical, whole};
use crate::Origin;
use crate::path_words::{changes, extent};

/// A run through a model, as results carry it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    message: Message,
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: FlowPlace,
    /// 0 for a step, 1 for a part of it.
    nesting_level: u8,
    #[serde(skip_serializing_if = "Values::is_empty")]
    state: Values,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowPlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    message: Message,
}

/// What a state is like, name by name.
#[derive(Default)]
struct Values(Vec<(String, Message)>);

impl Values {
    fn of(view: &StateView, promises: Promises) -> Self {
        let control = view.locations.iter().map(|(machine, location)| match machine.as_str() {
            "" => ("in".to_owned(), location.clone()),
            machine => (format!("{machine} in"), location.clone()),
        });
        let mut values: Vec<(String, String)> = control.chain(view.variables.iter().cloned()).collect();
        if promises == Promises::Some {
            values.push(("in force".to_owned(), view.in_force.join(", ")));
        }
        Values(values.into_iter().map(|(name, text)| (name, Message { text })).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Is any commitment in force on a run? If not, it is not worth saying in every state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promises {
    None,
    Some,
}

/// The flow of evidence about the model in `file`.
pub(super) fn code_flow(file: &str, evidence: &Evidence, origins: &[Vec<Origin>]) -> CodeFlow {
    let path = evidence.line().path;
    let any = path.states.iter().any(|state| !state.view.in_force.is_empty());
    let promises = if any { Promises::Some } else { Promises::None };
    let mut locations = vec![FlowLocation {
        location: FlowPlace {
            physical_location: whole(file),
            message: Message { text: format!("0: {}", path.states[0].view) },
        },
        nesting_level: 0,
        state: Values::of(&path.states[0].view, promises),
    }];
    for at in 0..path.steps.len() {
        let places = origins.get(at).map_or(&[][..], Vec::as_slice);
        locations.extend(step(file, &path, at, places, promises));
    }
    CodeFlow {
        message: Message { text: format!("{}{}", evidence.kind.word(), extent(&path)) },
        thread_flows: [ThreadFlow { locations }],
    }
}

fn step(file: &str, path: &Path, at: usize, places: &[Origin], promises: Promises) -> Vec<FlowLocation> {
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
    let state = Values::of(&reached.view, promises);
    let (here, parts) = match places {
        [only] => (Some(physical(&only.location)), &[][..]),
        several => (whole(file), several),
    };
    let mut found = vec![FlowLocation {
        location: FlowPlace { physical_location: here, message: Message { text } },
        nesting_level: 0,
        state,
    }];
    found.extend(parts.iter().map(|part| FlowLocation {
        location: FlowPlace {
            physical_location: Some(physical(&part.location)),
            message: Message { text: part.what.clone() },
        },
        nesting_level: 1,
        state: Values::default(),
    }));
    found
}
