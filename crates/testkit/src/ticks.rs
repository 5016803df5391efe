//! Models in which time passes, and operators that count it, made of models and formulas without.

use servanda_logic::{Binary, Bounded, Epistemic, Formula, Kind, Unary, Within};
use servanda_model::{Expr, LabelId, Model};

/// Makes one of the labels of a model the tick; which one depends on `choice`.
pub fn make_a_label_tick(model: &mut Model, choice: usize) {
    let labels: Vec<LabelId> = model.labels().map(|(id, _)| id).collect();
    model.tick = labels.get(choice % labels.len().max(1)).copied();
}

/// Lets control rest where a variable has its least value; which one depends on `choice`.
pub(crate) fn let_control_rest(model: &mut Model, choice: usize) {
    let variables: Vec<_> = model.variables().map(|(id, variable)| (id, variable.domain.low())).collect();
    model.rest = variables
        .get(choice % variables.len().max(1))
        .map(|(id, least)| Expr::variable(*id).equals(Expr::Constant(*least)));
}

/// The formula with bounds at some of its operators; which ones and how large they are depends on `choice`. What is said of acts and in
/// contents stays as it is, since it names commitments of the model.
pub fn with_bounds(formula: &Formula, choice: usize) -> Formula {
    let mut choice = choice;
    bounded(formula, &mut choice)
}

fn bounded(formula: &Formula, choice: &mut usize) -> Formula {
    let span = formula.span();
    let mut bound = || {
        *choice = choice.wrapping_mul(31).wrapping_add(7);
        Some(*choice / 8 % 5)
            .filter(|bound| *bound < 3)
            .map(|bound| Formula::new(Kind::Int(bound as i64), span))
    };
    let within = |bound, goal| Formula::new(Kind::Bounded(Bounded { bound, goal }), span);
    match formula.kind() {
        Kind::Unary(op @ (Unary::Finally | Unary::Globally), operand) => {
            let bound = bound();
            let operand = bounded(operand, choice);
            match (bound, op) {
                (None, _) => Formula::new(Kind::Unary(*op, operand), span),
                (Some(bound), Unary::Finally) => within(bound, Within::Finally(operand)),
                (Some(bound), _) => within(bound, Within::Globally(operand)),
            }
        }
        Kind::Binary(Binary::Until, left, right) => {
            let bound = bound();
            let (left, right) = (bounded(left, choice), bounded(right, choice));
            match bound {
                None => Formula::new(Kind::Binary(Binary::Until, left, right), span),
                Some(bound) => within(bound, Within::Until(left, right)),
            }
        }
        Kind::Unary(..) | Kind::Binary(..) | Kind::Joined(..) | Kind::Epistemic(Epistemic { .. }) => {
            formula.map_children(|child| bounded(child, choice))
        }
        _ => formula.clone(),
    }
}
