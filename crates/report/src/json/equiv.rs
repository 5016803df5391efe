//! The objects of `equiv` and of `conform --to`.

use servanda_json::Object;

use super::{VERSION, end, list};
use crate::{
    Compared, DifferenceKind, DifferenceReport, DutiesReport, DutyReport, EquivReport, Input, Run,
    SystemReport, Way,
};

/// The report of one `equiv`.
pub fn equiv(report: &EquivReport) -> String {
    let ([left, right], holds) = (&report.systems, report.outcome.holds());
    Object::new("servanda", VERSION)
        .with("relation", report.relation)
        .with("left", system_object(left))
        .with("right", system_object(right))
        .with("holds", holds)
        .with("equivalent", holds.filter(|_| report.way == Way::Both))
        .with_some("reason", reason(&report.outcome, &report.run))
        .with("difference", report.outcome.difference().map(difference_object))
        .and(end(&report.run))
        .pretty()
}

/// The report of one `conform --to`.
pub fn duties(report: &DutiesReport) -> String {
    let duty = |duty: &DutyReport| {
        Object::new("question", duty.question)
            .with("relation", duty.relation)
            .with("holds", duty.outcome.holds())
            .with_some("reason", reason(&duty.outcome, &report.run))
            .with("difference", duty.outcome.difference().map(difference_object))
    };
    let [agent, protocol] = &report.systems;
    Object::new("servanda", VERSION)
        .with("agent", system_object(agent))
        .with("protocol", system_object(protocol))
        .with("role", report.role.as_deref())
        .with("own", report.own.as_deref())
        .with("hidden", report.hidden.as_slice())
        .with("conforms", report.status().is_wanted())
        .with("questions", list(&report.duties, duty))
        .and(end(&report.run))
        .pretty()
}

/// Why it was not decided, unless the input is to blame.
fn reason<'a>(outcome: &'a Compared, run: &Run) -> Option<&'a String> {
    match outcome {
        Compared::Undecided(reason) => Some(reason).filter(|_| run.input == Input::Good),
        Compared::Holds | Compared::Different(_) => None,
    }
}

fn system_object(system: &SystemReport) -> Object {
    Object::new("file", &system.file)
        .with("states", system.size.map(|(states, _)| states.to_string()))
        .with("transitions", system.size.map(|(_, transitions)| transitions.to_string()))
}

/// Either a formula or a trace is given.
fn difference_object(difference: &DifferenceReport) -> Object {
    let (holds_in, fails_in) = if difference.in_left { ("left", "right") } else { ("right", "left") };
    let (formula, trace, refused) = match &difference.kind {
        DifferenceKind::Formula(formula) | DifferenceKind::Unsimulated(formula) => {
            (Some(formula), None, None)
        }
        DifferenceKind::Run { trace, refused } => (None, Some(trace.as_slice()), refused.as_deref()),
    };
    Object::new("holds_in", holds_in)
        .with("fails_in", fails_in)
        .with("formula", formula)
        .with("trace", trace)
        .with("refused", refused)
        .with("property", difference.property.as_deref())
}
