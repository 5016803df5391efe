//! A state as an object.

use servanda_model::{CommitmentView, StateView};

use crate::{Json, Object, list};

/// A state as the user sees it: every variable under its name, `in`, `under_way` where there are channels, and `in_force` with
/// commitments written out. Truth values and numbers are such, names of values are strings.
pub fn state(view: &StateView) -> Object {
    let variables = view.variables.iter().fold(Object::default(), |object, (name, value)| {
        object.with(
            name,
            match (value.parse::<bool>(), value.parse::<i64>()) {
                (Ok(truth), _) => Json::from(truth),
                (_, Ok(number)) => Json::from(number),
                _ => Json::from(value),
            },
        )
    });
    let places = match view.locations.as_slice() {
        [] => None,
        [(machine, location)] if machine.is_empty() => Some(Json::from(location)),
        machines => {
            let each = |all: Object, (machine, location): &(String, String)| all.with(machine, location);
            Some(machines.iter().fold(Object::default(), each).into())
        }
    };
    let channels = view
        .channels
        .iter()
        .fold(Object::default(), |all, (name, messages)| all.with(name, messages.as_slice()));
    let channels = (!view.channels.is_empty()).then(|| Json::from(channels));
    let places = variables.with_some("in", places).with_some("under_way", channels);
    places.with("in_force", list(&view.in_force, |promise| &promise.text))
}

/// What the names of commitments stand for, `{"paying": "SC(..)"}`; nothing where there are none.
pub fn legend(mentioned: &[&CommitmentView]) -> Option<Object> {
    let all = mentioned.iter().fold(Object::default(), |all, one| all.with(one.called(), &one.text));
    (!all.is_empty()).then_some(all)
}
