//! Expressions in which variables are replaced by what is known of them.

use std::convert::Infallible;

use crate::{Expr, VariableId};

impl Expr {
    /// The same with something else in the place of each variable, which must be worth the same in every state that counts: a constant, or
    /// another variable. The whole is worth the same in those states then, and where it had no value it has none.
    #[must_use]
    pub fn folded(&self, instead: &impl Fn(VariableId) -> Expr) -> Expr {
        if let Expr::Variable(variable) = self {
            return instead(*variable);
        }
        let Ok(folded) = self.try_map_operands(|operand| Ok::<_, Infallible>(operand.folded(instead)));
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
}

/// The parts of a conjunction or disjunction up to the first that decides it; that one alone where those before it always have a value.
fn cut_after(mut parts: Vec<Expr>, decisive: i64) -> Vec<Expr> {
    let decides = |part: &Expr| matches!(part, Expr::Constant(value) if i64::from(*value != 0) == decisive);
    let Some(at) = parts.iter().position(decides) else { return parts };
    parts.truncate(at + 1);
    if parts.iter().any(Expr::can_fault) { parts } else { vec![Expr::Constant(decisive)] }
}
