//! Sums, products and bits joined by very many operators: a tree that is as wide as they are long, and not as high.

use servanda_model::Arithmetic;

use super::term::{Infix, joined};
use crate::ast::Term;

/// Chains of so many operators are read as they are written, one operation after the other.
const SHORT: usize = 250;

const PLUS: Infix = Infix::Arithmetic(Arithmetic::Add);
const MINUS: Infix = Infix::Arithmetic(Arithmetic::Subtract);
const TIMES: Infix = Infix::Arithmetic(Arithmetic::Multiply);

/// Operands with the operators behind them, and the last operand, as one term. Operators that may be grouped in any way are, where there are
/// many: the value is the same.
pub(super) fn joined_all(operands: Vec<(Term, Infix)>, last: Term) -> Term {
    let is_sum = operands.iter().all(|(_, infix)| [PLUS, MINUS].contains(infix));
    let is_short = operands.len() <= SHORT;
    let mut rest = operands.into_iter();
    let Some((first, mut infix)) = rest.next() else { return last };
    let mut behind = Vec::with_capacity(rest.len() + 1);
    for (operand, next) in rest {
        behind.push((std::mem::replace(&mut infix, next), operand));
    }
    behind.push((infix, last));
    if is_short {
        return behind.into_iter().fold(first, |left, (infix, right)| node(infix, left, right));
    }
    if is_sum {
        let (added, taken): (Vec<_>, Vec<_>) = behind.into_iter().partition(|(infix, _)| *infix == PLUS);
        let operands = |part: Vec<(Infix, Term)>| part.into_iter().map(|(_, operand)| operand);
        let first = match balanced(PLUS, operands(added).collect()) {
            Some(added) => node(PLUS, first, added),
            None => first,
        };
        return match balanced(PLUS, operands(taken).collect()) {
            Some(taken) => node(MINUS, first, taken),
            None => first,
        };
    }
    let mut term = first;
    let mut behind = behind.into_iter().peekable();
    while let Some((infix, operand)) = behind.next() {
        let mut run = vec![operand];
        if infix == TIMES || matches!(infix, Infix::Bits(_)) {
            while let Some((_, operand)) = behind.next_if(|(next, _)| *next == infix) {
                run.push(operand);
            }
        }
        if let Some(run) = balanced(infix, run) {
            term = node(infix, term, run);
        }
    }
    term
}

fn node(infix: Infix, left: Term, right: Term) -> Term {
    let span = left.span.to(right.span);
    Term::new(joined(infix, left, right), span)
}

/// A tree of these operands, as low as can be; none of none.
fn balanced(infix: Infix, mut operands: Vec<Term>) -> Option<Term> {
    while operands.len() > 1 {
        let mut pairs = operands.into_iter();
        let mut halved = Vec::with_capacity(pairs.len().div_ceil(2));
        while let Some(left) = pairs.next() {
            halved.push(match pairs.next() {
                Some(right) => node(infix, left, right),
                None => left,
            });
        }
        operands = halved;
    }
    operands.pop()
}
