//! Expressions in which the variables that always have the same value are replaced by it.

use std::convert::Infallible;

use servanda_model::{Bounds, Command, Expr};

/// A command with constants in place of the variables that never change.
pub(crate) fn command(command: &Command, bounds: &Bounds) -> Command {
    let updates = command.updates.iter().map(|(variable, value)| (*variable, expr(value, bounds)));
    Command { guard: expr(&command.guard, bounds), updates: updates.collect(), ..command.clone() }
}

/// The same for an expression. It is worth the same in every reachable state, and where it had no value it has none.
pub(crate) fn expr(whole: &Expr, bounds: &Bounds) -> Expr {
    if let Expr::Variable(variable) = whole {
        return bounds.constant(*variable).map_or(Expr::Variable(*variable), Expr::Constant);
    }
    let Ok(folded) = whole.try_map_operands(|operand| Ok::<_, Infallible>(expr(operand, bounds)));
    match folded {
        Expr::And(parts) => Expr::and(cut_after(parts, 0)),
        Expr::Or(parts) => Expr::or(cut_after(parts, 1)),
        Expr::If(condition, then, otherwise) => Expr::if_then_else(*condition, *then, *otherwise),
        Expr::Select { index, low, options } => Expr::select(*index, low, options),
        other => match other.known(&|_| None) {
            Ok(Some(value)) => Expr::Constant(value),
            _ => other,
        },
    }
}

/// The parts of a conjunction or disjunction up to the first that decides it; that one alone where those before it always have a value.
fn cut_after(mut parts: Vec<Expr>, decisive: i64) -> Vec<Expr> {
    let decides = |part: &Expr| matches!(part, Expr::Constant(value) if i64::from(*value != 0) == decisive);
    let Some(at) = parts.iter().position(decides) else { return parts };
    parts.truncate(at + 1);
    if parts.iter().any(Expr::can_fault) { parts } else { vec![Expr::Constant(decisive)] }
}
