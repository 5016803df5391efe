//! Expressions evaluated in a state as the user sees it.

use servanda_logic::{Arg, Binary, Formula, Join, Kind, Reference, Unary, parse_formula};
use servanda_model::StateView;

/// A value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    /// A value of an enumeration.
    Literal(String),
}

impl Value {
    fn read(text: &str) -> Value {
        match (text.parse::<bool>(), text.parse::<i64>()) {
            (Ok(value), _) => Value::Bool(value),
            (_, Ok(number)) => Value::Int(number),
            _ => Value::Literal(text.to_owned()),
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }
}

/// The value of an expression; `None` where it has none, or is no expression.
pub(super) fn value(state: &StateView, formula: &Formula) -> Option<Value> {
    let of = |formula: &Formula| value(state, formula);
    match formula.kind() {
        Kind::Bool(value) => Some(Value::Bool(*value)),
        Kind::Int(number) => Some(Value::Int(*number)),
        Kind::Name(reference) => {
            let name = reference.to_string();
            let variable = state.variables.iter().find(|(variable, _)| *variable == name);
            Some(variable.map_or(Value::Literal(name), |(_, value)| Value::read(value)))
        }
        Kind::At(at) => {
            let machine = at.machine.as_ref().map(ToString::to_string);
            let wanted = at.location.to_string();
            let here = state
                .locations
                .iter()
                .find(|(name, _)| machine.as_ref().is_none_or(|machine| machine == name));
            here.map(|(_, location)| Value::Bool(*location == wanted))
        }
        Kind::Unary(Unary::Not, operand) => Some(Value::Bool(!of(operand)?.as_bool()?)),
        Kind::Unary(Unary::Minus, operand) => Some(Value::Int(of(operand)?.as_int()?.checked_neg()?)),
        Kind::If(condition, then, otherwise) => of(if of(condition)?.as_bool()? { then } else { otherwise }),
        Kind::Joined(join, parts) => {
            let values: Vec<Value> = parts.iter().map(of).collect::<Option<_>>()?;
            let truths = || values.iter().map(Value::as_bool).collect::<Option<Vec<bool>>>();
            Some(match join {
                Join::Any => Value::Bool(truths()?.contains(&true)),
                Join::All => Value::Bool(!truths()?.contains(&false)),
                Join::Sum => Value::Int(values.iter().map(Value::as_int).sum::<Option<i64>>()?),
            })
        }
        Kind::Binary(op, left, right) => binary(*op, &of(left)?, &of(right)?),
        Kind::Active(subject) => {
            Some(Value::Bool(state.in_force.iter().any(|promise| is_about(subject, &promise.text))))
        }
        _ => None,
    }
}

/// Does a pattern match a commitment that is shown so?
fn is_about(subject: &Arg<Formula>, shown: &str) -> bool {
    let promise = parse_formula(shown).expect("a commitment");
    let (Arg::Is(pattern), Kind::Commitment(promise)) = (subject, promise.kind()) else { return true };
    let Kind::Commitment(pattern) = pattern.kind() else { return false };
    let tag = match (&pattern.tag, &promise.tag) {
        (Some(Arg::Is(_)) | None, _) => pattern.tag == promise.tag,
        (Some(Arg::Any), _) => true,
    };
    let same = |wanted: &Arg<Reference>, found: &Arg<Reference>| *wanted == Arg::Any || wanted == found;
    // What is shown is read again, and so must be what it is compared with: ranges have been written out.
    let again = |content: &Formula| parse_formula(&content.to_string()).expect("a content");
    let content = pattern.content.given().is_none_or(|content| Arg::Is(again(content)) == promise.content);
    tag && content && same(&pattern.debtor, &promise.debtor) && same(&pattern.creditor, &promise.creditor)
}

fn binary(op: Binary, left: &Value, right: &Value) -> Option<Value> {
    let truths = || Some((left.as_bool()?, right.as_bool()?));
    let numbers = || Some((left.as_int()?, right.as_int()?));
    let compare = |holds: fn(&i64, &i64) -> bool| numbers().map(|(a, b)| Value::Bool(holds(&a, &b)));
    let calculate =
        |result: fn(i64, i64) -> Option<i64>| numbers().and_then(|(a, b)| result(a, b)).map(Value::Int);
    match op {
        Binary::Min => calculate(|a, b| Some(a.min(b))),
        Binary::Max => calculate(|a, b| Some(a.max(b))),
        Binary::And => truths().map(|(a, b)| Value::Bool(a && b)),
        Binary::Or => truths().map(|(a, b)| Value::Bool(a || b)),
        Binary::Implies => truths().map(|(a, b)| Value::Bool(!a || b)),
        Binary::Iff => truths().map(|(a, b)| Value::Bool(a == b)),
        Binary::Equal => Some(Value::Bool(left == right)),
        Binary::NotEqual => Some(Value::Bool(left != right)),
        Binary::Less => compare(i64::lt),
        Binary::LessEqual => compare(i64::le),
        Binary::Greater => compare(i64::gt),
        Binary::GreaterEqual => compare(i64::ge),
        Binary::Add => calculate(i64::checked_add),
        Binary::Subtract => calculate(i64::checked_sub),
        Binary::Multiply => calculate(i64::checked_mul),
        Binary::Divide => calculate(i64::checked_div),
        Binary::Remainder => calculate(i64::checked_rem),
        Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since | Binary::So => None,
    }
}
