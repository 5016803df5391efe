//! Sums that are the same in all reachable states: what is counted in them, and the condition that each of them is.
//!
//! They are found where commands are looked through as the transitions of a Petri net (`algebra/src/flows.rs`).

use crate::{Arithmetic, Comparison, Expr, Range, VariableId};

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

    /// What is counted of a variable with a value in this range.
    pub fn range(self, (low, high): Range) -> Range {
        match self {
            Counted::Value(_) => (low, high),
            Counted::Is(_, value) => {
                (i64::from((low, high) == (value, value)), i64::from((low..=high).contains(&value)))
            }
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
    /// Tells the ranges that variables have by this sum alone where they have those that `of` says: what the others leave of the total.
    /// A range in which nothing is left has its ends the wrong way round.
    pub(crate) fn leaves(&self, of: impl Fn(VariableId) -> Range, mut tell: impl FnMut(VariableId, Range)) {
        let extent = |(term, weight): &(Counted, i64)| {
            let (low, high) = term.range(of(term.variable()));
            let weight = i128::from(*weight);
            (weight * i128::from(low), weight * i128::from(high))
        };
        let whole = self.terms.iter().map(extent);
        let (least, most) = whole.fold((0, 0), |(low, high), (least, most)| (low + least, high + most));
        for counted in &self.terms {
            let (own_least, own_most) = extent(counted);
            // What the others add lies between these.
            let (low, high) = (least - own_least, most - own_most);
            let (term, weight) = (counted.0, i128::from(counted.1));
            let total = i128::from(self.total);
            // Weights are positive: rounded inwards.
            let (low, high) = (-(high - total).div_euclid(weight), (total - low).div_euclid(weight));
            let (known_low, known_high) = of(term.variable());
            match term {
                Counted::Value(id) => {
                    let low = low.max(i128::from(known_low));
                    let high = high.min(i128::from(known_high));
                    if let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) {
                        tell(id, (low, high));
                    }
                }
                Counted::Is(id, value) if low > 0 => tell(id, (value.max(known_low), value.min(known_high))),
                Counted::Is(id, value) if high < 1 && value == known_low => {
                    tell(id, (known_low + 1, known_high))
                }
                Counted::Is(id, value) if high < 1 && value == known_high => {
                    tell(id, (known_low, known_high - 1))
                }
                Counted::Is(..) => {}
            }
        }
    }

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
