//! The object of `equiv`.

use serde::Serialize;

use super::{EndObject, VERSION, end_object, write};
use crate::{DifferenceKind, DifferenceReport, EquivReport, Equivalence, Input, SystemReport};

/// The report of one `equiv`.
pub fn equiv(report: &EquivReport) -> String {
    let good = report.run.input == Input::Good;
    let (equivalent, difference, reason) = match &report.outcome {
        Equivalence::Equivalent => (Some(true), None, None),
        Equivalence::Different(difference) => (Some(false), Some(difference), None),
        Equivalence::Undecided(reason) => (None, None, good.then_some(reason.as_str())),
    };
    write(&EquivObject {
        servanda: VERSION,
        relation: report.relation,
        left: system_object(&report.left),
        right: system_object(&report.right),
        equivalent,
        reason,
        difference: difference.map(difference_object),
        end: end_object(&report.run),
    })
}

#[derive(Serialize)]
struct EquivObject<'a> {
    servanda: &'static str,
    relation: &'static str,
    left: SystemObject<'a>,
    right: SystemObject<'a>,
    equivalent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    difference: Option<DifferenceObject<'a>>,
    #[serde(flatten)]
    end: EndObject<'a>,
}

#[derive(Serialize)]
struct SystemObject<'a> {
    file: &'a str,
    states: Option<String>,
    transitions: Option<String>,
}

/// Either a formula or a trace is given.
#[derive(Serialize)]
struct DifferenceObject<'a> {
    holds_in: &'static str,
    fails_in: &'static str,
    formula: Option<&'a str>,
    trace: Option<&'a [String]>,
    property: Option<&'a str>,
}

fn system_object(system: &SystemReport) -> SystemObject<'_> {
    SystemObject {
        file: &system.file,
        states: system.size.map(|(states, _)| states.to_string()),
        transitions: system.size.map(|(_, transitions)| transitions.to_string()),
    }
}

fn difference_object(difference: &DifferenceReport) -> DifferenceObject<'_> {
    let (holds_in, fails_in) = if difference.in_left { ("left", "right") } else { ("right", "left") };
    let (formula, trace) = match &difference.kind {
        DifferenceKind::Formula(formula) | DifferenceKind::Unsimulated(formula) => {
            (Some(formula.as_str()), None)
        }
        DifferenceKind::Trace(trace) => (None, Some(trace.as_slice())),
    };
    DifferenceObject { holds_in, fails_in, formula, trace, property: difference.property.as_deref() }
}
