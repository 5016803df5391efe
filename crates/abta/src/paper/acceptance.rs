//! Acceptance: Definition 6 of the ACTL* paper, Definition 7 of the CTL*CA paper.

use servanda_logic::{Binary, Formula, Kind, Unary};

use crate::automaton::{AcceptanceSet, StateId};
use crate::tableau::Row;

/// For each until formula `φ` in some state: the states with neither `φ` nor `X φ`, or with what `φ` waits for.
pub(crate) fn acceptance(rows: &[Row]) -> Vec<AcceptanceSet> {
    let formulas: Vec<Vec<&Formula>> = rows.iter().map(|row| row.goal.formulas().collect()).collect();
    let mut untils: Vec<&Formula> = Vec::new();
    for formula in formulas.iter().flatten() {
        if awaited(formula).is_some() && !untils.contains(formula) {
            untils.push(formula);
        }
    }
    let accepts = |until: &Formula, own: &[&Formula]| {
        let postponed = own.iter().any(|formula| match formula.kind() {
            Kind::Unary(Unary::Next, operand) => operand == until,
            _ => *formula == until,
        });
        !postponed || awaited(until).is_some_and(|awaited| has_all(awaited, own))
    };
    let set = |until: &Formula| AcceptanceSet {
        component: None,
        formula: until.to_string(),
        states: (0..rows.len())
            .filter(|index| accepts(until, &formulas[*index]))
            .map(StateId::from_index)
            .collect(),
    };
    untils.into_iter().map(set).collect()
}

/// What an until formula waits for.
fn awaited(formula: &Formula) -> Option<&Formula> {
    match formula.kind() {
        Kind::Unary(Unary::Finally, awaited) | Kind::Binary(Binary::Until, _, awaited) => Some(awaited),
        _ => None,
    }
}

/// Is the formula in the set, be it as its conjuncts?
fn has_all(formula: &Formula, set: &[&Formula]) -> bool {
    set.contains(&formula)
        || match formula.kind() {
            Kind::Binary(Binary::And, left, right) => has_all(left, set) && has_all(right, set),
            _ => false,
        }
}
