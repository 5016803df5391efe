//! Expressions as sums: a constant, and what is added to it so many times.

use super::{Arithmetic, Expr};

/// Every sum of some of the parts stays below this, so that no order of adding them up leaves 64 bits.
const MOST: i128 = 1 << 62;

/// A constant, and terms that are no sums themselves with their coefficients. A term may occur more than once.
#[derive(Debug, Default)]
pub struct Sum<'e> {
    /// What is added once.
    pub constant: i128,
    /// No coefficient is 0.
    pub terms: Vec<(&'e Expr, i64)>,
    /// No sum of some of the parts is larger or, negated, smaller.
    magnitude: i128,
}

impl<'e> Sum<'e> {
    /// An expression as a sum. `most` bounds the absolute value of a term; `None` where it does not, or where a sum of some of the parts
    /// may be too large.
    pub fn of(expr: &'e Expr, most: &impl Fn(&Expr) -> Option<u64>) -> Option<Self> {
        let mut sum = Sum::default();
        sum.add(expr, 1, most)?;
        Some(sum)
    }

    /// How much the left side is larger than the right side.
    pub fn of_difference(
        left: &'e Expr,
        right: &'e Expr,
        most: &impl Fn(&Expr) -> Option<u64>,
    ) -> Option<Self> {
        let mut sum = Sum::of(left, most)?;
        sum.add(right, -1, most)?;
        Some(sum)
    }

    fn add(&mut self, expr: &'e Expr, coefficient: i64, most: &impl Fn(&Expr) -> Option<u64>) -> Option<()> {
        match expr {
            Expr::Constant(value) => {
                let value = i128::from(coefficient) * i128::from(*value);
                self.constant += value;
                return self.grow(value);
            }
            Expr::Arithmetic(Arithmetic::Add, left, right) => {
                self.add(left, coefficient, most)?;
                return self.add(right, coefficient, most);
            }
            Expr::Arithmetic(Arithmetic::Subtract, left, right) => {
                self.add(left, coefficient, most)?;
                return self.add(right, coefficient.checked_neg()?, most);
            }
            Expr::Arithmetic(Arithmetic::Multiply, left, right) => {
                // With 0 what is multiplied would be forgotten, though it may be too large.
                if let (inner, Expr::Constant(by)) | (Expr::Constant(by), inner) = (&**left, &**right)
                    && *by != 0
                {
                    return self.add(inner, coefficient.checked_mul(*by)?, most);
                }
            }
            _ => {}
        }
        self.terms.push((expr, coefficient));
        self.grow(i128::from(coefficient) * i128::from(most(expr)?))
    }

    fn grow(&mut self, by: i128) -> Option<()> {
        self.magnitude += by.abs();
        (self.magnitude < MOST).then_some(())
    }
}
