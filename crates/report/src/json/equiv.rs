//! The object of `equiv`.

use servanda_json::Object;

use super::{VERSION, end};
use crate::{DifferenceKind, DifferenceReport, EquivReport, Equivalence, Input, SystemReport};

/// The report of one `equiv`.
pub fn equiv(report: &EquivReport) -> String {
    let [left, right] = &report.systems;
    let good = report.run.input == Input::Good;
    let (equivalent, difference, reason) = match &report.outcome {
        Equivalence::Equivalent => (Some(true), None, None),
        Equivalence::Different(difference) => (Some(false), Some(difference), None),
        Equivalence::Undecided(reason) => (None, None, good.then_some(reason)),
    };
    Object::new("servanda", VERSION)
        .with("relation", report.relation)
        .with("left", system_object(left))
        .with("right", system_object(right))
        .with("equivalent", equivalent)
        .with_some("reason", reason)
        .with("difference", difference.map(difference_object))
        .and(end(&report.run))
        .pretty()
}

fn system_object(system: &SystemReport) -> Object {
    Object::new("file", &system.file)
        .with("states", system.size.map(|(states, _)| states.to_string()))
        .with("transitions", system.size.map(|(_, transitions)| transitions.to_string()))
}

/// Either a formula or a trace is given.
fn difference_object(difference: &DifferenceReport) -> Object {
    let (holds_in, fails_in) = if difference.in_left { ("left", "right") } else { ("right", "left") };
    let (formula, trace) = match &difference.kind {
        DifferenceKind::Formula(formula) | DifferenceKind::Unsimulated(formula) => (Some(formula), None),
        DifferenceKind::Trace(trace) => (None, Some(trace.as_slice())),
    };
    Object::new("holds_in", holds_in)
        .with("fails_in", fails_in)
        .with("formula", formula)
        .with("trace", trace)
        .with("property", difference.property.as_deref())
}
