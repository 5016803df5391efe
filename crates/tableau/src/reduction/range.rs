//! Can a command fail to run although its guard holds? Decided by the ranges of what it computes, without looking at states.

use rustc_hash::FxHashMap;
use servanda_model::{Command, Comparison, Expr, Model, Range, VariableId};

/// What is known of variables beyond their domains.
struct Ranges<'m> {
    model: &'m Model,
    known: FxHashMap<VariableId, Range>,
}

/// May the guard of a command have no value in some state?
pub(super) fn guard_may_fault(model: &Model, command: &Command) -> bool {
    command.guard.can_fault() && Ranges::where_holds(model, &command.guard).is_none()
}

/// May an assignment of a command have no value, or none that fits, in some state in which the guard holds?
pub(super) fn values_may_fault(model: &Model, command: &Command) -> bool {
    let Some(ranges) = Ranges::where_holds(model, &command.guard) else { return true };
    command.updates.iter().any(|(variable, value)| {
        let domain = &model.variable(*variable).domain;
        ranges.of(value).is_none_or(|(low, high)| !domain.contains(low) || !domain.contains(high))
    })
}

/// The least and the greatest value of an expression; `None` where it may have no value in some state.
pub(crate) fn range_everywhere(model: &Model, expr: &Expr) -> Option<(i64, i64)> {
    Ranges { model, known: FxHashMap::default() }.of(expr)
}

impl<'m> Ranges<'m> {
    /// What is known where a condition holds; `None` where it may have no value.
    fn where_holds(model: &'m Model, condition: &Expr) -> Option<Self> {
        let mut ranges = Ranges { model, known: FxHashMap::default() };
        // Parts are read from left to right, and each only where those before it hold.
        for part in condition.conjuncts() {
            ranges.of(part)?;
            ranges.assume(part);
        }
        Some(ranges)
    }

    fn of_variable(&self, variable: VariableId) -> Range {
        let domain = &self.model.variable(variable).domain;
        self.known.get(&variable).copied().unwrap_or((domain.low(), domain.high()))
    }

    /// A condition holds.
    fn assume(&mut self, condition: &Expr) {
        let (variable, low, high) = match condition {
            Expr::Variable(variable) => (*variable, 1, i64::MAX),
            Expr::Not(inner) => match **inner {
                Expr::Variable(variable) => (variable, i64::MIN, 0),
                _ => return,
            },
            Expr::Compare(comparison, left, right) => match (comparison, &**left, &**right) {
                (Comparison::Equal, Expr::Variable(variable), Expr::Constant(value))
                | (Comparison::Equal, Expr::Constant(value), Expr::Variable(variable)) => {
                    (*variable, *value, *value)
                }
                (Comparison::Less, Expr::Variable(variable), Expr::Constant(value)) => {
                    (*variable, i64::MIN, value.saturating_sub(1))
                }
                (Comparison::LessEqual, Expr::Variable(variable), Expr::Constant(value)) => {
                    (*variable, i64::MIN, *value)
                }
                (Comparison::Less, Expr::Constant(value), Expr::Variable(variable)) => {
                    (*variable, value.saturating_add(1), i64::MAX)
                }
                (Comparison::LessEqual, Expr::Constant(value), Expr::Variable(variable)) => {
                    (*variable, *value, i64::MAX)
                }
                _ => return,
            },
            _ => return,
        };
        let (least, greatest) = self.of_variable(variable);
        let (low, high) = (low.max(least), high.min(greatest));
        // Where no value is left the condition never holds, and whatever is said of such states is true.
        if low <= high {
            self.known.insert(variable, (low, high));
        }
    }

    /// The range of an expression; `None` where it may have no value.
    fn of(&self, expr: &Expr) -> Option<Range> {
        expr.range(&|leaf| match leaf {
            Expr::Variable(variable) => Some(self.of_variable(*variable)),
            Expr::InForce(_) => Some((0, 1)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use servanda_model::{Arithmetic, Domain, LabelId, Variable, Visibility};

    use super::*;

    fn faults(guard: Expr, value: Expr) -> bool {
        let mut model = Model::new("Ranges");
        let domain = Domain::Range { low: 0, high: 3 };
        let x = model.add_variable(Variable::new("x", domain, vec![0], Visibility::Public));
        let command = Command { guard, updates: vec![(x, value)], ..Command::new(LabelId(0)) };
        guard_may_fault(&model, &command) || values_may_fault(&model, &command)
    }

    #[test]
    fn what_the_guard_keeps_in_range_does_not_fail() {
        let x = || Expr::variable(VariableId(0));
        let number = Expr::Constant;
        let below = |value| x().less_than(number(value));
        assert!(!faults(below(3), x().plus(number(1))));
        assert!(faults(below(4), x().plus(number(1))));
        assert!(!faults(Expr::TRUE, number(3)));
        assert!(faults(Expr::TRUE, number(4)));
        let divided = |by: Expr| Expr::Arithmetic(Arithmetic::Divide, Box::new(number(3)), Box::new(by));
        assert!(faults(Expr::TRUE, divided(x())));
        assert!(!faults(number(0).less_than(x()), divided(x())));
        assert!(!faults(Expr::And(vec![number(0).less_than(x()), divided(x()).equals(number(1))]), x()));
        assert!(faults(Expr::And(vec![divided(x()).equals(number(1)), number(0).less_than(x())]), x()));
        let rest = |by| Expr::Arithmetic(Arithmetic::Remainder, Box::new(x()), Box::new(number(by)));
        assert!(!faults(Expr::TRUE, rest(3)));
        assert!(faults(Expr::TRUE, rest(0)));
    }
}
