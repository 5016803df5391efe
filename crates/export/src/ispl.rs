//! The model and its properties as ISPL text; the printer is that of the front end.

use servanda_engine::Validity;
use servanda_logic::{Formula, Kind, Unary};
use servanda_model::Property;

use crate::{Failure, Subject, Writer};

pub(crate) const WRITER: Writer = Writer {
    name: "ispl",
    about: "writes the model and its properties in the dialect of MCMAS 1.x. A model of the 2005 dialect becomes one with the \
            same verdicts. A Pact protocol becomes one in which the Environment does what is done, with its acts, commitments and \
            properties as an acts file; it must have no properties about strategies. CCS processes cannot be written as ISPL.",
    write,
    acts: Some(|subject| of_protocol(subject).map(|(_, acts)| acts)),
};

/// A Pact protocol and its acts.
fn of_protocol(subject: &Subject<'_>) -> Result<(String, String), Failure> {
    crate::rounds::write(subject).map_err(|reason| Failure::Unfit { target: "ISPL", reason })
}

fn write(subject: &Subject<'_>) -> Result<String, Failure> {
    if !subject.model.behaviour.is_rounds() && subject.model.alphabet.is_none() {
        return of_protocol(subject).map(|(text, _)| text);
    }
    let properties: Vec<Property> = match subject.validity {
        Validity::Initial => subject.properties.to_vec(),
        Validity::Reachable => subject.properties.iter().map(everywhere).collect(),
    };
    servanda_ispl::print(subject.model, &properties)
        .map_err(|reason| Failure::Unfit { target: "ISPL", reason: reason.to_string() })
}

/// The dialect of 2005 decides its formulas in every reachable state and the one written decides them in the initial
/// states, where `AG` says the same.
fn everywhere(property: &Property) -> Property {
    let formula = match property.formula.kind() {
        Kind::Unary(Unary::ForAll, path) if is_globally(path) => property.formula.clone(),
        _ => property.formula.clone().unary(Unary::Globally).unary(Unary::ForAll),
    };
    Property { formula, ..property.clone() }
}

fn is_globally(path: &Formula) -> bool {
    matches!(path.kind(), Kind::Unary(Unary::Globally, _))
}
