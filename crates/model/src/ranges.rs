//! The ranges of what expressions are worth, without looking at states. They tell, among others, whether a command can fail to run
//! although its guard holds.

use rustc_hash::FxHashMap;

use crate::{Bounds, Command, Comparison, Expr, Model, Range, VariableId};

/// What is known of variables where some condition holds.
#[derive(Clone, Debug)]
pub struct Ranges<'b> {
    bounds: &'b Bounds,
    known: FxHashMap<VariableId, Range>,
    /// Does the condition hold nowhere?
    never: bool,
}

/// May the guard of a command have no value in some state?
pub fn guard_may_fault(bounds: &Bounds, command: &Command) -> bool {
    command.guard.can_fault() && Ranges::where_holds(bounds, &command.guard).is_none()
}

/// May an assignment of a command have no value, or none that fits, in some state in which the guard holds?
pub fn values_may_fault(model: &Model, bounds: &Bounds, command: &Command) -> bool {
    match Ranges::where_holds(bounds, &command.guard) {
        Some(ranges) => command.updates.iter().any(|update| ranges.may_not_fit(model, update)),
        None => true,
    }
}

/// The least and the greatest value of an expression in all type-correct states; `None` where it may have no value in some of them.
pub fn range_everywhere(model: &Model, expr: &Expr) -> Option<Range> {
    Ranges::new(&Bounds::of_domains(model)).of(expr)
}

impl<'b> Ranges<'b> {
    /// What is known everywhere.
    pub fn new(bounds: &'b Bounds) -> Self {
        Ranges { bounds, known: FxHashMap::default(), never: false }
    }

    /// What is known where a condition holds; `None` where it may have no value.
    pub fn where_holds(bounds: &'b Bounds, condition: &Expr) -> Option<Self> {
        let mut ranges = Ranges::new(bounds);
        // Parts are read from left to right, and each only where those before it hold.
        for part in condition.conjuncts() {
            ranges.never |= ranges.of(part)? == (0, 0);
            ranges.assume(part);
        }
        Some(ranges)
    }

    /// Does the condition hold nowhere?
    pub fn is_never(&self) -> bool {
        self.never
    }

    /// May an assignment have no value here, or none of its variable's domain?
    pub fn may_not_fit(&self, model: &Model, (variable, value): &(VariableId, Expr)) -> bool {
        let domain = &model.variable(*variable).domain;
        let fits = |(low, high): Range| domain.contains(low) && domain.contains(high);
        !self.never && !self.of(value).is_some_and(fits)
    }

    fn of_variable(&self, variable: VariableId) -> Range {
        self.known.get(&variable).copied().unwrap_or(self.bounds.of(variable))
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
        if low > high {
            self.never = true;
        } else if (low, high) != (least, greatest) {
            self.known.insert(variable, (low, high));
            self.never |= !self.bounds.tighten(&mut self.known, vec![variable]);
        }
    }

    /// The range of an expression; `None` where it may have no value.
    pub fn of(&self, expr: &Expr) -> Option<Range> {
        expr.range(&|leaf| match leaf {
            Expr::Variable(variable) => Some(self.of_variable(*variable)),
            Expr::InForce(_) => Some((0, 1)),
            Expr::Action(_) => Some((0, i64::from(u32::MAX))),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arithmetic, Domain, LabelId, Variable, Visibility};

    fn faults(guard: Expr, value: Expr) -> bool {
        let mut model = Model::new("Ranges");
        let domain = Domain::Range { low: 0, high: 3 };
        let x = model.add_variable(Variable::new("x", domain, vec![0], Visibility::Public));
        let command = Command { guard, updates: vec![(x, value)], ..Command::new(LabelId(0)) };
        let bounds = Bounds::of_domains(&model);
        guard_may_fault(&bounds, &command) || values_may_fault(&model, &bounds, &command)
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
