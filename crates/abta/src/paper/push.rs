//! Negations moved inwards, as the step from `A(Φ)` to `E(¬Φ)` does in the papers' examples.

use servanda_logic::{ActKind, ActPattern, Arg, Binary, Formula, Join, Kind, Unary, is_state_formula};

use crate::Logic;

/// The path formula (negated where `keep` is false) without `->` and `<->`, and with negations only before what no rule
/// takes apart: atoms, acts, commitments and quantified formulas.
pub(crate) fn push(formula: &Formula, keep: bool, logic: Logic) -> Formula {
    let of = |operand: &Formula, keep: bool| push(operand, keep, logic);
    let span = formula.span();
    let unary = |op: Unary, operand: Formula| Formula::new(Kind::Unary(op, operand), span);
    let binary =
        |op: Binary, left: Formula, right: Formula| Formula::new(Kind::Binary(op, left, right), span);
    let as_it_is = || if keep { formula.clone() } else { formula.clone().negated() };
    match formula.kind() {
        Kind::Bool(value) => Formula::new(Kind::Bool(*value == keep), span),
        Kind::Unary(op, operand) => match (op, keep) {
            (Unary::Not, _) => of(operand, !keep),
            (Unary::Next | Unary::Previous, _) => unary(*op, of(operand, keep)),
            (Unary::Finally | Unary::Globally | Unary::Once | Unary::Historically, true) => {
                unary(*op, of(operand, true))
            }
            (Unary::Finally, false) => unary(Unary::Globally, of(operand, false)),
            (Unary::Globally, false) => unary(Unary::Finally, of(operand, false)),
            (Unary::Once, false) => unary(Unary::Historically, of(operand, false)),
            (Unary::Historically, false) => unary(Unary::Once, of(operand, false)),
            _ => as_it_is(),
        },
        Kind::Binary(op, left, right) => match (op, keep) {
            (Binary::And | Binary::Or | Binary::Until | Binary::WeakUntil | Binary::Release, true) => {
                binary(*op, of(left, true), of(right, true))
            }
            (Binary::Since | Binary::So, true) => binary(*op, of(left, true), of(right, true)),
            (Binary::And, false) => binary(Binary::Or, of(left, false), of(right, false)),
            (Binary::Or, false) => binary(Binary::And, of(left, false), of(right, false)),
            (Binary::Implies, true) => binary(Binary::Or, of(left, false), of(right, true)),
            (Binary::Implies, false) => binary(Binary::And, of(left, true), of(right, false)),
            (Binary::Iff, _) => {
                let both = binary(Binary::And, of(left, true), of(right, keep));
                let neither = binary(Binary::And, of(left, false), of(right, !keep));
                binary(Binary::Or, both, neither)
            }
            (Binary::Until, false) => binary(Binary::Release, of(left, false), of(right, false)),
            (Binary::Release, false) => binary(Binary::Until, of(left, false), of(right, false)),
            (Binary::WeakUntil, false) => {
                let neither = binary(Binary::And, of(left, false), of(right, false));
                binary(Binary::Until, of(right, false), neither)
            }
            (Binary::So, false) => {
                let next = binary(Binary::And, of(left, true), of(right, false));
                binary(Binary::Or, of(left, false), unary(Unary::Next, next))
            }
            _ => as_it_is(),
        },
        Kind::Joined(join @ (Join::Any | Join::All), parts) => {
            let join = match (join, keep) {
                (Join::Any, true) | (Join::All, false) => Join::Any,
                _ => Join::All,
            };
            Formula::new(Kind::Joined(join, parts.iter().map(|part| of(part, keep)).collect()), span)
        }
        Kind::Act(act) if !keep && logic == Logic::CtlCa && act.kind == Arg::Is(ActKind::Accept) => {
            // The CTL*CA paper's rewriting; it is not a law: docs/formulas.md section 10, item 8.
            Formula::new(Kind::Act(ActPattern { kind: Arg::Is(ActKind::Refuse), ..act.clone() }), span)
        }
        _ => as_it_is(),
    }
}

/// Is it a boolean combination of atoms? The papers leave such formulas whole once a rule has set them apart: neither R1
/// nor R2 is applied to `¬φ2 ∨ φ1` in (16) of Table 2.
pub(crate) fn is_boolean_of_atoms(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::Not, operand) => is_boolean_of_atoms(operand),
        Kind::Unary(..) => false,
        Kind::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff, left, right) => {
            is_boolean_of_atoms(left) && is_boolean_of_atoms(right)
        }
        Kind::Joined(_, parts) => parts.iter().all(is_boolean_of_atoms),
        Kind::Commitment(_) | Kind::Act(_) | Kind::Does(_) => false,
        _ => is_state_formula(formula),
    }
}
