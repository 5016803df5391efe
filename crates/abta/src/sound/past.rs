//! Linear past: unfolded into what is true now and history literals `Y ψ`.
//!
//! `φ S ψ` is `ψ | (φ & Y (φ S ψ))`, and `P`, `H` alike. What stands under `Y` is settled by the run so far and the
//! present state, provided it looks at most one step ahead of its position: the automaton then runs on the model with one
//! remembered bit per history literal, false at the start. What looks further ahead would have to be guessed, and is
//! refused.

use servanda_logic::{Arg, Binary, Formula, Kind, Unary, is_state_formula};

/// How many positions after its own a formula must see to be settled; `None`: no number of them is enough.
pub(crate) fn looks_ahead(formula: &Formula) -> Option<u32> {
    if is_state_formula(formula) {
        return Some(0);
    }
    match formula.kind() {
        Kind::Does(_) => Some(1),
        Kind::Act(act) => match (&act.kind, &act.commitment) {
            // Their contents are read along the path.
            (Arg::Is(kind), Arg::Is(commitment)) if kind.settles() => match commitment.kind() {
                Kind::Commitment(terms) => match &terms.content {
                    Arg::Is(content) => Some(looks_ahead(content)? + 1),
                    Arg::Any => None,
                },
                _ => None,
            },
            _ => Some(1),
        },
        Kind::Unary(op, operand) => match op {
            Unary::Not | Unary::Once | Unary::Historically => looks_ahead(operand),
            Unary::Next => Some(looks_ahead(operand)?.saturating_add(1)),
            Unary::Previous => Some(looks_ahead(operand)?.saturating_sub(1)),
            _ => None,
        },
        Kind::Binary(op, left, right) => match op {
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff | Binary::Since => {
                Some(looks_ahead(left)?.max(looks_ahead(right)?))
            }
            Binary::So => Some(looks_ahead(left)?.max(looks_ahead(right)?).saturating_add(1)),
            _ => None,
        },
        Kind::If(condition, then, otherwise) => {
            Some(looks_ahead(condition)?.max(looks_ahead(then)?).max(looks_ahead(otherwise)?))
        }
        Kind::Joined(_, parts) => parts.iter().try_fold(0, |most, part| Some(most.max(looks_ahead(part)?))),
        _ => None,
    }
}
