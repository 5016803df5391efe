//! Negations moved inwards, as the step from `A(Φ)` to `E(¬Φ)` does in the papers' examples.

use std::convert::Infallible;

use servanda_logic::{
    ActKind, ActPattern, Arg, Binary, Formula, Join, Kind, OwnRule, Unary, is_state_formula, nnf_with,
};

use crate::Logic;

/// The path formula (negated where `keep` is false) without `->` and `<->`, and with negations only before what no rule
/// takes apart: atoms, acts, commitments and quantified formulas.
pub(crate) fn push(formula: &Formula, keep: bool, logic: Logic) -> Formula {
    let Ok(pushed) =
        nnf_with(formula, keep, |formula, keep| Ok::<_, Infallible>(own_rule(formula, keep, logic)));
    pushed
}

fn own_rule(formula: &Formula, keep: bool, logic: Logic) -> OwnRule {
    let of = |operand: &Formula| push(operand, keep, logic);
    OwnRule::Is(match formula.kind() {
        Kind::Bool(_)
        | Kind::If(..)
        | Kind::Unary(
            Unary::Not | Unary::Next | Unary::Finally | Unary::Globally | Unary::Once | Unary::Historically,
            _,
        )
        | Kind::Binary(
            Binary::And
            | Binary::Or
            | Binary::Implies
            | Binary::Iff
            | Binary::Until
            | Binary::Release
            | Binary::WeakUntil,
            ..,
        )
        | Kind::Joined(Join::Any | Join::All, _) => return OwnRule::None,
        Kind::Binary(Binary::So, ..) if !keep => return OwnRule::None,
        Kind::Unary(Unary::Previous, operand) => of(operand).unary(Unary::Previous),
        Kind::Binary(op @ (Binary::Since | Binary::So), left, right) if keep => {
            of(left).binary(*op, of(right))
        }
        Kind::Act(act) if !keep && logic == Logic::CtlCa && act.kind == Arg::Is(ActKind::Accept) => {
            // The CTL*CA paper's rewriting; it is not a law: docs/formulas.md section 10, item 8.
            let refusal = ActPattern { kind: Arg::Is(ActKind::Refuse), ..act.clone() };
            Formula::new(Kind::Act(refusal), formula.span())
        }
        _ if keep => formula.clone(),
        _ => formula.clone().negated(),
    })
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
        Kind::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().all(is_boolean_of_atoms)
        }
        Kind::Joined(_, parts) => parts.iter().all(is_boolean_of_atoms),
        Kind::Commitment(_) | Kind::Act(_) | Kind::Does(_) => false,
        _ => is_state_formula(formula),
    }
}
