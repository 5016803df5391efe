//! Constant arithmetic inside ground formulas: what can never be computed is a mistake.

use servanda_logic::{Binary, Formula, Join, Kind, Unary};
use servanda_model::Arithmetic;
use servanda_syntax::{Code, Diagnostic, Findings, all};

/// Reports divisions by a constant zero and constant expressions too large to compute; says whether there are none.
pub(crate) fn check_constants(formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let before = diagnostics.len();
    fold(formula, diagnostics);
    diagnostics.len() == before
}

/// The value of a constant integer expression; `None` for everything else.
pub(crate) fn constant(formula: &Formula) -> Option<i64> {
    fold(formula, &mut Vec::new())
}

fn fold(formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> Option<i64> {
    match formula.kind() {
        Kind::Int(value) => Some(*value),
        Kind::Unary(Unary::Minus, inner) => {
            let inner = fold(inner, diagnostics)?;
            computed(inner.checked_neg(), formula, diagnostics)
        }
        Kind::Binary(op, left, right) => {
            let (left, right_value) = (fold(left, diagnostics), fold(right, diagnostics));
            if right_value == Some(0) && matches!(op, Binary::Divide | Binary::Remainder) {
                return diagnostics.error(Code::DivisionByZero, "division by zero", right.span());
            }
            let (a, b) = (left?, right_value?);
            computed(Arithmetic::of(*op)?.calculate(a, b), formula, diagnostics)
        }
        Kind::Joined(Join::Sum, parts) => {
            let values = all(parts.iter().map(|part| fold(part, diagnostics)))?;
            let sum = values.into_iter().try_fold(0_i64, i64::checked_add);
            computed(sum, formula, diagnostics)
        }
        kind => {
            kind.for_each_child(|child| {
                fold(child, diagnostics);
            });
            None
        }
    }
}

fn computed(value: Option<i64>, formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> Option<i64> {
    if value.is_none() {
        let message = "the value of this expression is too large to compute";
        diagnostics.push(Diagnostic::error(Code::Overflow, message, formula.span()));
    }
    value
}
