//! What holds whatever the states are: an invariant that the ranges of the variables in it imply.

use servanda_lower::{State, StateFormula};
use servanda_model::{Behaviour, Bounds, guard_may_fault, range_everywhere, values_may_fault};

use crate::tableau::Tableau;

impl Tableau<'_> {
    /// Is it seen from the ranges of variables alone that a formula holds? Where a step may be at fault states have to be visited, since
    /// that is to be said.
    pub(crate) fn holds_at_first_sight(&self, id: StateFormula) -> bool {
        !self.options.unreduced && self.is_implied(id) && !self.may_fault()
    }

    /// Is a formula a conjunction of invariants of which none can be broken in a type-correct state?
    fn is_implied(&self, id: StateFormula) -> bool {
        let arena = &self.common.lowering.arena;
        if let State::And(a, b) = *arena.state(id) {
            return self.is_implied(a) && self.is_implied(b);
        }
        let bad = arena.never(id).and_then(|bad| arena.condition(bad));
        bad.is_some_and(|bad| range_everywhere(self.model, &bad) == Some((0, 0)))
    }

    fn may_fault(&self) -> bool {
        let bounds = Bounds::of_domains(self.model);
        match &self.model.behaviour {
            Behaviour::Commands(commands) => commands.iter().any(|command| {
                guard_may_fault(&bounds, command) || values_may_fault(self.model, &bounds, command)
            }),
            Behaviour::Rounds(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use servanda_engine::{NoLimits, Options};
    use servanda_logic::parse_formula;
    use servanda_model::{Command, Domain, Expr, Label, Model, NamedProposition, Variable, Visibility};

    use super::*;

    /// Is it seen at first sight that x stays below a number, which a command counts up to another?
    fn is_seen(below: i64, up_to: i64, formula: &str, unreduced: bool) -> bool {
        let mut model = Model::new("counter");
        let domain = Domain::Range { low: 0, high: 9 };
        let x = model.add_variable(Variable::new("x", domain, vec![0], Visibility::Public));
        let variable = || Expr::Variable(x);
        let label = model.add_label(Label::message("step", None));
        let guard = variable().less_than(Expr::Constant(up_to));
        let updates = vec![(x, variable().plus(Expr::Constant(1)))];
        model.add_command(Command { guard, updates, ..Command::new(label) });
        let condition = variable().less_than(Expr::Constant(below));
        model.propositions.push(NamedProposition { name: "small".to_owned(), condition });
        let options = Options { unreduced, ..Options::default() };
        let mut tableau = Tableau::new(&model, options, 1, &NoLimits).expect("a model");
        let formula = parse_formula(formula).expect("a formula");
        let id = tableau.common.lowering.property(&formula).expect("a property");
        tableau.holds_at_first_sight(id)
    }

    #[test]
    fn ranges_imply_invariants_and_nothing_else() {
        assert!(is_seen(10, 9, "AG small", false));
        assert!(is_seen(10, 9, "AG small and AG !!small", false));
        // It may be broken for all that ranges say, whether or not it is.
        assert!(!is_seen(9, 3, "AG small", false));
        assert!(!is_seen(10, 9, "EF small", false));
        // A step beyond the range is a fault, which has to be found.
        assert!(!is_seen(10, 10, "AG small", false));
        assert!(!is_seen(10, 9, "AG small", true));
    }
}
