//! Exact arithmetic: division in ISPL is division of reals, so `7 / 2` equals no integer.
//!
//! A number is carried as a fraction of two integer expressions. Without division nothing is added to what was
//! written; a comparison of fractions is multiplied out.

use servanda_logic::Binary;
use servanda_model::{Arithmetic, Expr};

/// A number: `top / bottom`.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    pub(crate) top: Expr,
    /// `None`: 1.
    bottom: Option<Expr>,
    /// What it was divided by: the number exists where none of these is 0.
    divisors: Vec<Expr>,
}

impl Ratio {
    /// An integer.
    pub(crate) fn integer(top: Expr) -> Self {
        Ratio { top, bottom: None, divisors: Vec::new() }
    }

    /// Is there no division in it?
    pub(crate) fn is_integer(&self) -> bool {
        self.bottom.is_none() && self.divisors.is_empty()
    }

    /// `self operator right`.
    pub(crate) fn calculate(self, operator: Arithmetic, right: Ratio) -> Ratio {
        let mut divisors = self.divisors;
        divisors.extend(right.divisors);
        let (a, b, c, d) = (self.top, self.bottom, right.top, right.bottom);
        match operator {
            Arithmetic::Add | Arithmetic::Subtract => {
                let top = combine(operator, scaled(a, d.as_ref()), scaled(c, b.as_ref()));
                Ratio { top, bottom: product(b, d), divisors }
            }
            Arithmetic::Multiply => {
                Ratio { top: combine(Arithmetic::Multiply, a, c), bottom: product(b, d), divisors }
            }
            // ISPL has no words for a remainder and for the smaller or larger of two.
            Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::Min | Arithmetic::Max => {
                divisors.push(c.clone());
                Ratio { top: scaled(a, d.as_ref()), bottom: product(b, Some(c)), divisors }.reduced()
            }
        }
    }

    /// Divides out what is known.
    fn reduced(self) -> Ratio {
        match (&self.top, &self.bottom) {
            (_, Some(Expr::Constant(1))) => Ratio { bottom: None, ..self },
            (Expr::Constant(top), Some(Expr::Constant(bottom))) if top.checked_rem(*bottom) == Some(0) => {
                Ratio { top: Expr::Constant(top / bottom), bottom: None, ..self }
            }
            _ => self,
        }
    }

    /// The conditions under which the number exists.
    fn exists(&self) -> Vec<Expr> {
        let mut conditions = Vec::new();
        for divisor in &self.divisors {
            let condition = match divisor {
                Expr::Constant(0) => Expr::FALSE,
                Expr::Constant(_) => continue,
                other => other.clone().compared(Binary::NotEqual, Expr::Constant(0)),
            };
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        conditions
    }

    /// The integer it is, and where it is one.
    pub(crate) fn into_integer(self) -> (Expr, Expr) {
        let mut conditions = self.exists();
        let Some(bottom) = self.bottom else { return (self.top, Expr::and(conditions)) };
        let rest = self.top.clone().calculated(Arithmetic::Remainder, bottom.clone());
        conditions.push(rest.equals(Expr::Constant(0)));
        (self.top.calculated(Arithmetic::Divide, bottom), Expr::and(conditions))
    }

    /// `self relation right`; false where one of them does not exist.
    pub(crate) fn relate(self, relation: Binary, right: Ratio) -> Expr {
        let mut conditions = self.exists();
        for condition in right.exists() {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let left = scaled(self.top, right.bottom.as_ref());
        let scaled_right = scaled(right.top, self.bottom.as_ref());
        let sign = product(self.bottom, right.bottom);
        let ordered = !matches!(relation, Binary::Equal | Binary::NotEqual);
        conditions.push(match sign {
            Some(Expr::Constant(sign)) if sign < 0 => related(relation, scaled_right, left),
            Some(sign) if ordered && !matches!(sign, Expr::Constant(_)) => {
                let zero = || Expr::Constant(0);
                Expr::or([
                    Expr::and([
                        zero().less_than(sign.clone()),
                        related(relation, left.clone(), scaled_right.clone()),
                    ]),
                    Expr::and([sign.less_than(zero()), related(relation, scaled_right, left)]),
                ])
            }
            _ => related(relation, left, scaled_right),
        });
        Expr::and(conditions)
    }
}

/// `left relation right` on integers. What compares a variable with itself is known.
pub(crate) fn related(relation: Binary, left: Expr, right: Expr) -> Expr {
    match (relation, &left, &right) {
        (Binary::Equal, Expr::Variable(a), Expr::Variable(b)) if a == b => Expr::TRUE,
        (Binary::NotEqual, Expr::Variable(a), Expr::Variable(b)) if a == b => Expr::FALSE,
        _ => left.compared(relation, right),
    }
}

fn scaled(expr: Expr, factor: Option<&Expr>) -> Expr {
    match factor {
        None => expr,
        Some(factor) => combine(Arithmetic::Multiply, expr, factor.clone()),
    }
}

fn product(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) => Some(combine(Arithmetic::Multiply, left, right)),
        (one, None) | (None, one) => one,
    }
}

/// A sum, a difference or a product, calculated where both sides are constants.
fn combine(operator: Arithmetic, left: Expr, right: Expr) -> Expr {
    if let (Expr::Constant(a), Expr::Constant(b)) = (&left, &right)
        && let Some(value) = operator.calculate(*a, *b)
    {
        return Expr::Constant(value);
    }
    match (operator, &left, &right) {
        (Arithmetic::Multiply, Expr::Constant(1), _) => right,
        (Arithmetic::Multiply, _, Expr::Constant(1)) => left,
        _ => left.calculated(operator, right),
    }
}

/// Where an assigned value exists, if the value is what [`Ratio::into_integer`] makes of one division or of none.
pub fn existence(value: &Expr) -> Expr {
    match value {
        Expr::Arithmetic(Arithmetic::Divide, top, bottom) => {
            Ratio::integer((**top).clone())
                .calculate(Arithmetic::Divide, Ratio::integer((**bottom).clone()))
                .into_integer()
                .1
        }
        _ => Expr::TRUE,
    }
}
