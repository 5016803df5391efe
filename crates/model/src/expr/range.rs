//! The values that an expression may have, by the ranges of what it reads and without looking at states.

use super::{Arithmetic, Comparison, Expr, position};

/// The least and the greatest value.
pub type Range = (i64, i64);

impl Expr {
    /// The range of the expression where each variable, commitment and action is in the range that `leaf` gives; `None` where it may
    /// have no value.
    pub fn range(&self, leaf: &impl Fn(&Expr) -> Option<Range>) -> Option<Range> {
        Some(match self {
            Expr::Constant(value) => (*value, *value),
            Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) => return leaf(self),
            Expr::Fault(_) => return None,
            Expr::Not(inner) => {
                let (low, high) = truth(inner.range(leaf)?);
                (1 - high, 1 - low)
            }
            Expr::And(parts) => {
                let mut all = (1, 1);
                for part in parts {
                    let part = truth(part.range(leaf)?);
                    all = (part.0.min(all.0), part.1.min(all.1));
                    // What comes behind is not read then.
                    if all.1 == 0 {
                        break;
                    }
                }
                all
            }
            Expr::Or(parts) => {
                let mut all = (0, 0);
                for part in parts {
                    let part = truth(part.range(leaf)?);
                    all = (part.0.max(all.0), part.1.max(all.1));
                    if all.0 == 1 {
                        break;
                    }
                }
                all
            }
            Expr::Compare(comparison, left, right) => {
                compared(*comparison, left.range(leaf)?, right.range(leaf)?)
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                arithmetic_range(*arithmetic, left.range(leaf)?, right.range(leaf)?)?
            }
            Expr::If(condition, then, otherwise) => match truth(condition.range(leaf)?) {
                (0, 0) => otherwise.range(leaf)?,
                (1, 1) => then.range(leaf)?,
                _ => joined(then.range(leaf)?, otherwise.range(leaf)?),
            },
            Expr::Select { index, low, options } => {
                let (first, last) = index.range(leaf)?;
                let from = position(first, *low, options.len())?;
                let to = position(last, *low, options.len())?;
                let mut ranges = options[from..=to].iter().map(|option| option.range(leaf));
                let first = ranges.next()??;
                ranges.try_fold(first, |all, range| Some(joined(all, range?)))?
            }
        })
    }
}

/// The range of a condition that is worth so much.
fn truth((low, high): Range) -> Range {
    (i64::from(low > 0 || high < 0), i64::from((low, high) != (0, 0)))
}

/// What a comparison of two values within ranges may be worth.
pub(crate) fn compared(comparison: Comparison, left: Range, right: Range) -> Range {
    let (always, never) = match comparison {
        Comparison::Less => (left.1 < right.0, left.0 >= right.1),
        Comparison::LessEqual => (left.1 <= right.0, left.0 > right.1),
        Comparison::Equal | Comparison::NotEqual => {
            let same = left.0 == left.1 && left == right;
            let apart = left.1 < right.0 || right.1 < left.0;
            if comparison == Comparison::Equal { (same, apart) } else { (apart, same) }
        }
    };
    (i64::from(always), i64::from(!never))
}

/// The smallest range with both in it.
pub(crate) fn joined(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn arithmetic_range(arithmetic: Arithmetic, left: Range, right: Range) -> Option<Range> {
    match arithmetic {
        Arithmetic::Divide | Arithmetic::Remainder if right.0 <= 0 && right.1 >= 0 => return None,
        // It has the sign of the left side and is smaller than the right side.
        Arithmetic::Remainder => {
            let most = right.0.checked_abs()?.max(right.1.checked_abs()?) - 1;
            return Some((if left.0 < 0 { -most } else { 0 }, if left.1 > 0 { most } else { 0 }));
        }
        _ => {}
    }
    // In each argument the others rise or fall throughout, so the ends of the ranges give the ends of the result.
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let mut values = corners.into_iter().map(|(left, right)| arithmetic.calculate(left, right));
    let first = values.next()??;
    values.try_fold((first, first), |all, value| value.map(|value| joined(all, (value, value))))
}
