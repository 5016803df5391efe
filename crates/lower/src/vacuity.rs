//! Properties that hold vacuously.

use servanda_logic::{Binary, Formula, Join, Kind, Unary};

/// The left sides of the implications directly under an `AG`, through conjunctions.
pub fn conditions_under_always(formula: &Formula) -> Vec<Formula> {
    let mut found = Vec::new();
    collect(formula, false, &mut found);
    found
}

fn collect(formula: &Formula, under_always: bool, found: &mut Vec<Formula>) {
    match formula.kind() {
        Kind::Unary(Unary::ForAll, path) => {
            if let Kind::Unary(Unary::Globally, body) = path.kind() {
                collect(body, true, found);
            }
        }
        Kind::Unary(Unary::Globally, body) if under_always => collect(body, true, found),
        Kind::Binary(Binary::And, left, right) => {
            collect(left, under_always, found);
            collect(right, under_always, found);
        }
        Kind::Joined(Join::All, parts) => parts.iter().for_each(|part| collect(part, under_always, found)),
        Kind::Binary(Binary::Implies, left, _) if under_always => found.push(left.clone()),
        _ => {}
    }
}
