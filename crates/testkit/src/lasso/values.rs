//! Expressions evaluated in a state as the user sees it.

use servanda_logic::{Binary, Formula, Join, Kind, Unary};
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
        Kind::Joined(join, parts) => {
            let values: Vec<Value> = parts.iter().map(of).collect::<Option<_>>()?;
            match join {
                Join::Any => {
                    let all: Vec<bool> = values.iter().map(Value::as_bool).collect::<Option<_>>()?;
                    Some(Value::Bool(all.contains(&true)))
                }
                Join::All => {
                    let all: Vec<bool> = values.iter().map(Value::as_bool).collect::<Option<_>>()?;
                    Some(Value::Bool(!all.contains(&false)))
                }
                Join::Sum => values.iter().map(Value::as_int).sum::<Option<i64>>().map(Value::Int),
            }
        }
        Kind::Binary(op, left, right) => binary(*op, &of(left)?, &of(right)?),
        _ => None,
    }
}

fn binary(op: Binary, left: &Value, right: &Value) -> Option<Value> {
    let truths = || Some((left.as_bool()?, right.as_bool()?));
    let numbers = || Some((left.as_int()?, right.as_int()?));
    Some(match op {
        Binary::And => truths().map(|(a, b)| Value::Bool(a && b))?,
        Binary::Or => truths().map(|(a, b)| Value::Bool(a || b))?,
        Binary::Implies => truths().map(|(a, b)| Value::Bool(!a || b))?,
        Binary::Iff => truths().map(|(a, b)| Value::Bool(a == b))?,
        Binary::Equal => Value::Bool(left == right),
        Binary::NotEqual => Value::Bool(left != right),
        Binary::Less => numbers().map(|(a, b)| Value::Bool(a < b))?,
        Binary::LessEqual => numbers().map(|(a, b)| Value::Bool(a <= b))?,
        Binary::Greater => numbers().map(|(a, b)| Value::Bool(a > b))?,
        Binary::GreaterEqual => numbers().map(|(a, b)| Value::Bool(a >= b))?,
        Binary::Add => Value::Int(numbers().and_then(|(a, b)| a.checked_add(b))?),
        Binary::Subtract => Value::Int(numbers().and_then(|(a, b)| a.checked_sub(b))?),
        Binary::Multiply => Value::Int(numbers().and_then(|(a, b)| a.checked_mul(b))?),
        Binary::Divide => Value::Int(numbers().and_then(|(a, b)| a.checked_div(b))?),
        Binary::Remainder => Value::Int(numbers().and_then(|(a, b)| a.checked_rem(b))?),
        Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since | Binary::So => return None,
    })
}
