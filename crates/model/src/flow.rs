//! Sums that are the same in all reachable states: what is counted in them, and the condition that each of them is.
//!
//! They are found where commands are looked through as the transitions of a Petri net (`algebra/src/flows.rs`).

use crate::{Arithmetic, Comparison, Expr, VariableId};

/// So many conditions of which one holds are told apart two by two.
const FEW: usize = 24;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counted {
    /// The value of a variable.
    Value(VariableId),
    /// 1 where a variable has a value.
    Is(VariableId, i64),
}

impl Counted {
    /// The variable that is looked at.
    pub fn variable(self) -> VariableId {
        match self {
            Counted::Value(id) | Counted::Is(id, _) => id,
        }
    }
}

/// A weighted sum that is the same in all reachable states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What is added up, with positive factors.
    pub terms: Vec<(Counted, i64)>,
    /// What it is at first, and so always.
    pub total: i64,
}

impl Flow {
    /// That the sum is what it is at first.
    pub fn condition(&self) -> Expr {
        let written: Vec<Expr> = self.terms.iter().map(|(term, weight)| weighted(*term, *weight)).collect();
        let simple = self.terms.iter().all(|(term, weight)| *weight == 1 && matches!(term, Counted::Is(..)));
        if simple && self.total == 1 && written.len() <= FEW {
            return one_of(written);
        }
        compare(Comparison::Equal, sum(&written), Expr::Constant(self.total))
    }
}

fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
    Expr::Compare(comparison, Box::new(left), Box::new(right))
}

fn weighted(term: Counted, weight: i64) -> Expr {
    let term = match term {
        Counted::Value(id) => Expr::Variable(id),
        Counted::Is(id, value) => compare(Comparison::Equal, Expr::Variable(id), Expr::Constant(value)),
    };
    if weight == 1 {
        return term;
    }
    Expr::Arithmetic(Arithmetic::Multiply, Box::new(term), Box::new(Expr::Constant(weight)))
}

/// A sum as a shallow tree of adders.
fn sum(terms: &[Expr]) -> Expr {
    match terms {
        [] => Expr::Constant(0),
        [one] => one.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            Expr::Arithmetic(Arithmetic::Add, Box::new(sum(left)), Box::new(sum(right)))
        }
    }
}

/// Exactly one condition holds.
fn one_of(conditions: Vec<Expr>) -> Expr {
    let mut all = Vec::new();
    for (at, one) in conditions.iter().enumerate() {
        for other in &conditions[..at] {
            let apart = Expr::And(vec![one.clone(), other.clone()]);
            all.push(Expr::Not(Box::new(apart)));
        }
    }
    all.push(Expr::Or(conditions));
    Expr::And(all)
}
