//! Properties that hold vacuously.

use servanda_logic::{Binary, Bounded, Formula, Join, Kind, Unary, Within};

/// The left sides of the implications directly under an `AG`, through conjunctions.
pub fn conditions_under_always(formula: &Formula) -> Vec<Formula> {
    let mut found = Vec::new();
    collect(formula, false, &mut found);
    found
}

fn collect(formula: &Formula, under_always: bool, found: &mut Vec<Formula>) {
    match formula.kind() {
        Kind::Unary(Unary::ForAll, path) => {
            if let Some(body) = always(path) {
                collect(body, true, found);
            }
        }
        Kind::Binary(Binary::And, left, right) => {
            collect(left, under_always, found);
            collect(right, under_always, found);
        }
        Kind::Joined(Join::All, parts) => parts.iter().for_each(|part| collect(part, under_always, found)),
        Kind::Binary(Binary::Implies, left, _) if under_always => found.push(left.clone()),
        _ if under_always => always(formula).into_iter().for_each(|body| collect(body, true, found)),
        _ => {}
    }
}

/// What holds all the time, or up to some tick: a condition that never holds does not hold until then.
fn always(path: &Formula) -> Option<&Formula> {
    match path.kind() {
        Kind::Unary(Unary::Globally, body) => Some(body),
        Kind::Bounded(Bounded { goal: Within::Globally(body), .. }) => Some(body),
        _ => None,
    }
}
