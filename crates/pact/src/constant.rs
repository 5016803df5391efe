//! Expressions whose value is known before anything runs: parameters, ranges, indices, initial values.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::{Binary, Comprehension, Formula, Join, Kind, Reference, Unary};
use servanda_model::Arithmetic;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::bindings::Bindings;
use crate::names::{NameKind, Names};

/// Repetitions that are made, in `for` and in comprehensions.
pub(crate) const MOST_REPETITIONS: u64 = 100_000;

/// The values of parameters; `None`: it could not be computed, which was reported.
pub(crate) type Parameters = FxHashMap<Arc<str>, Option<i64>>;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Int(i64),
    Bool(bool),
    Literal(Arc<str>),
}

impl Constant {
    pub(crate) fn described(&self) -> String {
        match self {
            Constant::Int(value) => format!("the integer `{value}`"),
            Constant::Bool(value) => format!("the truth value `{value}`"),
            Constant::Literal(name) => format!("the enumeration value `{name}`"),
        }
    }
}

/// Computes constants. `None` always means that the reason has been reported.
pub(crate) struct Evaluator<'a> {
    pub(crate) names: &'a Names,
    pub(crate) parameters: &'a Parameters,
    pub(crate) bindings: Bindings,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    repetitions: u64,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        names: &'a Names,
        parameters: &'a Parameters,
        bindings: &Bindings,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Evaluator { names, parameters, bindings: bindings.clone(), diagnostics, repetitions: 0 }
    }

    /// An integer.
    pub(crate) fn integer(&mut self, formula: &Formula) -> Option<i64> {
        match self.value(formula)? {
            Constant::Int(value) => Some(value),
            other => self.wrong("an integer", &other, formula),
        }
    }

    fn boolean(&mut self, formula: &Formula) -> Option<bool> {
        match self.value(formula)? {
            Constant::Bool(value) => Some(value),
            other => self.wrong("a truth value", &other, formula),
        }
    }

    fn wrong<T>(&mut self, wanted: &str, found: &Constant, formula: &Formula) -> Option<T> {
        let message = format!("expected {wanted}, found {}", found.described());
        self.diagnostics.error(Code::Type, message, formula.span())
    }

    /// A value of any type.
    pub(crate) fn value(&mut self, formula: &Formula) -> Option<Constant> {
        match formula.kind() {
            Kind::Bool(value) => Some(Constant::Bool(*value)),
            Kind::Int(value) => Some(Constant::Int(*value)),
            Kind::Name(reference) => self.name(reference),
            Kind::Unary(Unary::Not, inner) => self.boolean(inner).map(|value| Constant::Bool(!value)),
            Kind::Unary(Unary::Minus, inner) => {
                let value = self.integer(inner)?;
                self.checked(value.checked_neg(), formula.span())
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right, formula.span()),
            Kind::If(condition, then, otherwise) => match self.boolean(condition)? {
                true => self.value(then),
                false => self.value(otherwise),
            },
            Kind::Comprehension(comprehension) => self.comprehension(comprehension, formula.span()),
            _ => self.diagnostics.error(Code::NotConstant, "a constant is wanted here", formula.span()),
        }
    }

    fn name(&mut self, reference: &Reference) -> Option<Constant> {
        let (name, span) = (&*reference.name, reference.span);
        let value = match (self.bindings.get(name), self.names.kind(name)) {
            (Some(value), _) => Constant::Int(value),
            (None, _) if self.bindings.is_received(name) => {
                let message = format!("`{name}` is what is received; a constant is wanted here");
                return self.diagnostics.error(Code::NotConstant, message, span);
            }
            (None, Some(NameKind::Parameter)) => match self.parameters.get(name) {
                Some(value) => Constant::Int((*value)?),
                None => {
                    let message = format!("the parameter `{name}` is used before it is declared");
                    return self.diagnostics.error(Code::UnknownName, message, span);
                }
            },
            (None, Some(NameKind::Literal)) => Constant::Literal(reference.name.clone()),
            (None, Some(kind)) => {
                let message = format!("`{name}` is {}; a constant is wanted here", kind.described());
                return self.diagnostics.error(Code::NotConstant, message, span);
            }
            (None, None) => {
                let known = self.names.of_kind(NameKind::Parameter).chain(self.bindings.names());
                let known = known.chain(self.names.of_kind(NameKind::Literal)).chain(["true", "false"]);
                return self.diagnostics.refuse(Diagnostic::nothing(name, span, known));
            }
        };
        if !reference.indices.is_empty() {
            return self.diagnostics.error(Code::WrongIndices, format!("`{name}` has no index"), span);
        }
        Some(value)
    }

    fn checked(&mut self, value: Option<i64>, span: Span) -> Option<Constant> {
        match value {
            Some(value) => Some(Constant::Int(value)),
            None => self.diagnostics.error(
                Code::Overflow,
                "the value of this expression is too large to compute",
                span,
            ),
        }
    }

    fn binary(&mut self, op: Binary, left: &Formula, right: &Formula, span: Span) -> Option<Constant> {
        match op {
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff => {
                let a = self.boolean(left);
                if let Some(decided) = decided(op, a) {
                    return Some(Constant::Bool(decided));
                }
                let b = self.boolean(right);
                let (a, b) = (a?, b?);
                Some(Constant::Bool(match op {
                    Binary::And => a && b,
                    Binary::Or => a || b,
                    Binary::Implies => !a || b,
                    _ => a == b,
                }))
            }
            Binary::Equal | Binary::NotEqual => {
                let (a, b) = (self.value(left), self.value(right));
                let (a, b) = (a?, b?);
                if std::mem::discriminant(&a) != std::mem::discriminant(&b) {
                    let message = format!("{} is compared with {}", a.described(), b.described());
                    return self.diagnostics.error(Code::Type, message, span);
                }
                Some(Constant::Bool((a == b) == (op == Binary::Equal)))
            }
            Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since | Binary::So => {
                self.diagnostics.error(Code::NotConstant, "a constant is wanted here", span)
            }
            _ => {
                let (a, b) = (self.integer(left), self.integer(right));
                self.arithmetic(op, a?, b?, right.span(), span)
            }
        }
    }

    fn arithmetic(&mut self, op: Binary, a: i64, b: i64, divisor: Span, span: Span) -> Option<Constant> {
        if b == 0 && matches!(op, Binary::Divide | Binary::Remainder) {
            return self.diagnostics.error(Code::DivisionByZero, "division by zero", divisor);
        }
        let value = match op {
            Binary::Less => return Some(Constant::Bool(a < b)),
            Binary::LessEqual => return Some(Constant::Bool(a <= b)),
            Binary::Greater => return Some(Constant::Bool(a > b)),
            Binary::GreaterEqual => return Some(Constant::Bool(a >= b)),
            _ => Arithmetic::of(op)?.calculate(a, b),
        };
        self.checked(value, span)
    }

    fn comprehension(&mut self, comprehension: &Comprehension, span: Span) -> Option<Constant> {
        let Comprehension { join, index, low, high, body } = comprehension;
        let (low, high) = self.range(low, high)?;
        let mut result = match join {
            Join::Any => Constant::Bool(false),
            Join::All => Constant::Bool(true),
            Join::Sum => Constant::Int(0),
        };
        for value in low..=high {
            self.repetitions += 1;
            if self.repetitions > MOST_REPETITIONS {
                return self.diagnostics.error(Code::TooManyRepetitions, too_many_repetitions(), span);
            }
            self.bindings.push(index, value);
            let part = match join {
                Join::Sum => self.integer(body).map(Constant::Int),
                _ => self.boolean(body).map(Constant::Bool),
            };
            self.bindings.pop();
            result = match (result, part?) {
                (Constant::Bool(sofar), Constant::Bool(part)) => {
                    Constant::Bool(if *join == Join::Any { sofar | part } else { sofar & part })
                }
                (Constant::Int(sofar), Constant::Int(part)) => self.checked(sofar.checked_add(part), span)?,
                (sofar, _) => sofar,
            };
        }
        Some(result)
    }

    /// The bounds of a range.
    pub(crate) fn range(&mut self, low: &Formula, high: &Formula) -> Option<(i64, i64)> {
        let (low, high) = (self.integer(low), self.integer(high));
        Some((low?, high?))
    }
}

/// What the left side of a connective decides alone; then the right side is not read.
pub(crate) fn decided(op: Binary, left: Option<bool>) -> Option<bool> {
    match (op, left?) {
        (Binary::And, false) => Some(false),
        (Binary::Or, true) | (Binary::Implies, false) => Some(true),
        _ => None,
    }
}

/// The message for both kinds of repetition.
pub(crate) fn too_many_repetitions() -> String {
    format!("this repeats more than {MOST_REPETITIONS} times")
}

/// The number of values from `low` to `high`.
pub(crate) fn range_length(low: i64, high: i64) -> u64 {
    if low > high { 0 } else { high.abs_diff(low).saturating_add(1) }
}
