//! Expressions made from smaller ones; what is constant is calculated at once where it cannot fail.

use servanda_logic::Binary;

use super::{Arithmetic, Comparison, Expr, position};
use crate::{FaultKind, VariableId};

/// So many parts of a sum are added one after the other.
const LONGEST_SUM: usize = 100;

impl Expr {
    /// Always true.
    pub const TRUE: Expr = Expr::Constant(1);
    /// Always false.
    pub const FALSE: Expr = Expr::Constant(0);

    /// The value of a variable.
    pub fn variable(variable: VariableId) -> Expr {
        Expr::Variable(variable)
    }

    /// Logical negation.
    pub fn negate(self) -> Expr {
        match self {
            Expr::Constant(value) => Expr::Constant(i64::from(value == 0)),
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        }
    }

    /// Conjunction, flattened.
    pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
        flat(parts, Expr::TRUE, Expr::And)
    }

    /// Disjunction, flattened.
    pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
        flat(parts, Expr::FALSE, Expr::Or)
    }

    /// `self op value`, for an operator that compares.
    pub fn compared(self, op: Binary, value: Expr) -> Expr {
        let (comparison, left, right) = match op {
            Binary::NotEqual => (Comparison::NotEqual, self, value),
            Binary::Less => (Comparison::Less, self, value),
            Binary::LessEqual => (Comparison::LessEqual, self, value),
            Binary::Greater => (Comparison::Less, value, self),
            Binary::GreaterEqual => (Comparison::LessEqual, value, self),
            _ => (Comparison::Equal, self, value),
        };
        Expr::Compare(comparison, Box::new(left), Box::new(right))
    }

    /// `self = value`.
    pub fn equals(self, value: Expr) -> Expr {
        self.compared(Binary::Equal, value)
    }

    /// `self < value`.
    pub fn less_than(self, value: Expr) -> Expr {
        self.compared(Binary::Less, value)
    }

    /// `self op value`, calculated when it is asked for.
    pub fn calculated(self, op: Arithmetic, value: Expr) -> Expr {
        Expr::Arithmetic(op, Box::new(self), Box::new(value))
    }

    /// `then` where the condition holds, otherwise `otherwise`.
    pub fn if_then_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match (condition, then, otherwise) {
            (Expr::Constant(0), _, otherwise) => otherwise,
            (Expr::Constant(_), then, _) => then,
            (condition, then, otherwise) if then == otherwise && !condition.can_fault() => then,
            (condition, then, otherwise) => {
                Expr::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
        }
    }

    /// The option with a number, the first having the number `low`.
    pub fn select(index: Expr, low: i64, mut options: Vec<Expr>) -> Expr {
        match index {
            Expr::Constant(index) => match position(index, low, options.len()) {
                Some(at) => options.swap_remove(at),
                None => Expr::Fault(FaultKind::IndexOutOfRange),
            },
            index => Expr::Select { index: Box::new(index), low, options },
        }
    }

    /// The smaller of two.
    pub fn min(self, value: Expr) -> Expr {
        self.one_of_two(Arithmetic::Min, value)
    }

    /// The larger of two.
    pub fn max(self, value: Expr) -> Expr {
        self.one_of_two(Arithmetic::Max, value)
    }

    fn one_of_two(self, op: Arithmetic, value: Expr) -> Expr {
        match (&self, &value) {
            (Expr::Constant(left), Expr::Constant(right)) => match op.calculate(*left, *right) {
                Some(result) => Expr::Constant(result),
                None => self.calculated(op, value),
            },
            _ => self.calculated(op, value),
        }
    }

    /// `self + value`.
    pub fn plus(self, value: Expr) -> Expr {
        self.calculated(Arithmetic::Add, value)
    }

    /// The sum of all these. Of very many the tree is low: neighbours are added first.
    pub fn sum(mut parts: Vec<Expr>) -> Expr {
        while parts.len() > LONGEST_SUM {
            let mut rest = parts.into_iter();
            let mut sums = Vec::new();
            while let Some(first) = rest.next() {
                sums.push(match rest.next() {
                    Some(second) => first.plus(second),
                    None => first,
                });
            }
            parts = sums;
        }
        parts.into_iter().reduce(Expr::plus).unwrap_or(Expr::Constant(0))
    }
}

/// Parts joined by one connective: those that are so joined themselves are taken apart, and what changes nothing is left out.
fn flat(parts: impl IntoIterator<Item = Expr>, neutral: Expr, join: fn(Vec<Expr>) -> Expr) -> Expr {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Expr::And(inner) if neutral == Expr::TRUE => flat.extend(inner),
            Expr::Or(inner) if neutral == Expr::FALSE => flat.extend(inner),
            other if other == neutral => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => neutral,
        1 => flat.remove(0),
        _ => join(flat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Expr {
        Expr::Variable(VariableId::from_index(0))
    }

    #[test]
    fn a_conditional_with_a_constant_condition_is_one_of_its_values() {
        let (one, two) = (Expr::Constant(1), Expr::Constant(2));
        assert_eq!(Expr::if_then_else(Expr::TRUE, one.clone(), two.clone()), one);
        assert_eq!(Expr::if_then_else(Expr::FALSE, one.clone(), two.clone()), two);
        assert_eq!(Expr::if_then_else(x(), one.clone(), one.clone()), one);
    }

    #[test]
    fn a_condition_without_a_value_is_not_forgotten() {
        let fault = Expr::Fault(FaultKind::DivisionByZero);
        let kept = Expr::if_then_else(fault, Expr::TRUE, Expr::TRUE);
        assert_eq!(kept.known(&|_| None), Err(FaultKind::DivisionByZero));
    }

    #[test]
    fn a_constant_index_takes_its_option() {
        let options = vec![Expr::Constant(7), x()];
        assert_eq!(Expr::select(Expr::Constant(4), 3, options.clone()), x());
        let beyond = Expr::select(Expr::Constant(5), 3, options.clone());
        assert_eq!(beyond, Expr::Fault(FaultKind::IndexOutOfRange));
        let far = Expr::select(Expr::Constant(i64::MIN), 3, options);
        assert_eq!(far, Expr::Fault(FaultKind::IndexOutOfRange));
    }

    #[test]
    fn the_smaller_and_the_larger_of_constants() {
        assert_eq!(Expr::Constant(-3).min(Expr::Constant(2)), Expr::Constant(-3));
        assert_eq!(Expr::Constant(-3).max(Expr::Constant(2)), Expr::Constant(2));
        assert_eq!(x().max(Expr::Constant(2)), x().calculated(Arithmetic::Max, Expr::Constant(2)));
    }
}
