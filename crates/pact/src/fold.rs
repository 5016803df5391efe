//! Constant arithmetic inside ground formulas: what can never be computed is a mistake, unless it is never read.

use servanda_logic::{Binary, Formula, Join, Kind, Unary};
use servanda_model::Arithmetic;
use servanda_syntax::{Code, Diagnostic, Findings, all};

use crate::constant::decided;

/// A value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Int(i64),
    Bool(bool),
}

/// Reports divisions by a constant zero and constant expressions too large to compute; says whether there are none.
pub(crate) fn check_constants(formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let before = diagnostics.len();
    fold(formula, diagnostics);
    diagnostics.len() == before
}

/// The value of a constant integer expression; `None` for everything else.
pub(crate) fn constant(formula: &Formula) -> Option<i64> {
    match fold(formula, &mut Vec::new())? {
        Known::Int(value) => Some(value),
        Known::Bool(_) => None,
    }
}

/// The truth of a constant condition; `None` for everything else.
pub(crate) fn constant_truth(formula: &Formula) -> Option<bool> {
    truth(fold(formula, &mut Vec::new()))
}

fn integer(value: Option<Known>) -> Option<i64> {
    match value? {
        Known::Int(value) => Some(value),
        Known::Bool(_) => None,
    }
}

fn truth(value: Option<Known>) -> Option<bool> {
    match value? {
        Known::Bool(value) => Some(value),
        Known::Int(_) => None,
    }
}

fn fold(formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> Option<Known> {
    match formula.kind() {
        Kind::Int(value) => Some(Known::Int(*value)),
        Kind::Bool(value) => Some(Known::Bool(*value)),
        Kind::Unary(Unary::Not, inner) => truth(fold(inner, diagnostics)).map(|value| Known::Bool(!value)),
        Kind::Unary(Unary::Minus, inner) => {
            let inner = integer(fold(inner, diagnostics))?;
            computed(inner.checked_neg(), formula, diagnostics)
        }
        Kind::Binary(op, left, right) => binary(formula, *op, left, right, diagnostics),
        Kind::If(condition, then, otherwise) => match truth(fold(condition, diagnostics)) {
            Some(true) => fold(then, diagnostics),
            Some(false) => fold(otherwise, diagnostics),
            None => {
                fold(then, diagnostics);
                fold(otherwise, diagnostics);
                None
            }
        },
        Kind::Joined(Join::Sum, parts) => {
            let values = all(parts.iter().map(|part| integer(fold(part, diagnostics))))?;
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

fn binary(
    whole: &Formula,
    op: Binary,
    left: &Formula,
    right: &Formula,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Known> {
    let a = fold(left, diagnostics);
    if let Some(decided) = decided(op, truth(a)) {
        return Some(Known::Bool(decided));
    }
    let b = fold(right, diagnostics);
    if integer(b) == Some(0) && matches!(op, Binary::Divide | Binary::Remainder) {
        return diagnostics.error(Code::DivisionByZero, "division by zero", right.span());
    }
    match (op, a?, b?) {
        (Binary::And | Binary::Or | Binary::Implies, Known::Bool(_), Known::Bool(b)) => Some(Known::Bool(b)),
        (Binary::Iff | Binary::Equal, a, b) => Some(Known::Bool(a == b)),
        (Binary::NotEqual, a, b) => Some(Known::Bool(a != b)),
        (Binary::Less, Known::Int(a), Known::Int(b)) => Some(Known::Bool(a < b)),
        (Binary::LessEqual, Known::Int(a), Known::Int(b)) => Some(Known::Bool(a <= b)),
        (Binary::Greater, Known::Int(a), Known::Int(b)) => Some(Known::Bool(a > b)),
        (Binary::GreaterEqual, Known::Int(a), Known::Int(b)) => Some(Known::Bool(a >= b)),
        (op, Known::Int(a), Known::Int(b)) => {
            computed(Arithmetic::of(op)?.calculate(a, b), whole, diagnostics)
        }
        _ => None,
    }
}

fn computed(value: Option<i64>, formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> Option<Known> {
    if value.is_none() {
        let message = "the value of this expression is too large to compute";
        diagnostics.push(Diagnostic::error(Code::Overflow, message, formula.span()));
    }
    value.map(Known::Int)
}
