//! Sums of fields with coefficients that can neither overflow nor fail, whatever the state: calculated without a stack, and where many
//! fields share a word by counting its bits.

use std::collections::BTreeMap;

use crate::{Arithmetic, Expr, Field, Layout};

/// Every sum of some of the parts of a form stays below this.
const MOST: i128 = 1 << 62;

/// Counting the bits of a word takes about as long as reading so many fields.
const READS_PER_COUNT: usize = 2;

/// A constant and fields with their coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// With what the fields are offset by.
    constant: i64,
    reads: Box<[(Field, i64)]>,
    counts: Box<[Count]>,
}

/// So much for each of these bits.
#[derive(Clone, Copy, Debug)]
struct Count {
    word: usize,
    mask: u64,
    weight: i64,
}

/// A sum while it is collected: fields and expressions of other kinds, with their coefficients.
#[derive(Default)]
pub(super) struct Sum<'e> {
    constant: i128,
    pub(super) fields: Vec<(Field, i64)>,
    pub(super) others: Vec<(&'e Expr, i64)>,
    /// No sum of some of the parts is larger or, negated, smaller.
    magnitude: i128,
}

impl<'e> Sum<'e> {
    /// An expression as a sum; `None` where it may have no value.
    pub(super) fn of(expr: &'e Expr, layout: &Layout) -> Option<Self> {
        let mut sum = Sum::default();
        sum.add(expr, 1, layout)?;
        Some(sum.merged())
    }

    /// How much the left side is larger than the right side.
    pub(super) fn of_difference(left: &'e Expr, right: &'e Expr, layout: &Layout) -> Option<Self> {
        let mut sum = Sum::default();
        sum.add(left, 1, layout)?;
        sum.add(right, -1, layout)?;
        Some(sum.merged())
    }

    /// The constant part.
    pub(super) fn constant(&self) -> i64 {
        self.constant as i64
    }

    fn add(&mut self, expr: &'e Expr, coefficient: i64, layout: &Layout) -> Option<()> {
        let factor = i128::from(coefficient);
        match (expr, layout.field_of(expr)) {
            (_, Some(field)) if field.mask() == 0 => {
                self.grow(factor * i128::from(field.low()))?;
                self.constant += factor * i128::from(field.low());
            }
            (_, Some(field)) => {
                self.grow(factor * (i128::from(field.low()).abs() + i128::from(field.mask())))?;
                self.fields.push((field, coefficient));
            }
            (Expr::Constant(value), _) => {
                self.grow(factor * i128::from(*value))?;
                self.constant += factor * i128::from(*value);
            }
            (Expr::Arithmetic(Arithmetic::Add, left, right), _) => {
                self.add(left, coefficient, layout)?;
                self.add(right, coefficient, layout)?;
            }
            (Expr::Arithmetic(Arithmetic::Subtract, left, right), _) => {
                self.add(left, coefficient, layout)?;
                self.add(right, coefficient.checked_neg()?, layout)?;
            }
            (Expr::Arithmetic(Arithmetic::Multiply, left, right), _) => match (&**left, &**right) {
                // With 0 what is multiplied would be forgotten, though it may be too large.
                (inner, Expr::Constant(by)) | (Expr::Constant(by), inner) if *by != 0 => {
                    self.add(inner, coefficient.checked_mul(*by)?, layout)?;
                }
                _ => self.add_other(expr, coefficient, layout)?,
            },
            _ => self.add_other(expr, coefficient, layout)?,
        }
        Some(())
    }

    fn add_other(&mut self, expr: &'e Expr, coefficient: i64, layout: &Layout) -> Option<()> {
        let (low, high) = layout.range_of(expr)?;
        self.grow(i128::from(coefficient) * i128::from(low).abs().max(i128::from(high).abs()))?;
        self.others.push((expr, coefficient));
        Some(())
    }

    fn grow(&mut self, by: i128) -> Option<()> {
        self.magnitude += by.abs();
        (self.magnitude < MOST).then_some(())
    }

    /// The same with each field once.
    fn merged(mut self) -> Self {
        self.fields.sort_by_key(|(field, _)| (field.word(), field.bits_in_word()));
        self.fields.dedup_by(|(field, more), (kept, coefficient)| {
            let is_same = field == kept;
            if is_same {
                *coefficient += *more;
            }
            is_same
        });
        self.fields.retain(|(_, coefficient)| *coefficient != 0);
        self
    }

    /// Ready to be calculated, expressions of other kinds left out.
    pub(super) fn form(&self) -> Form {
        let offset: i128 =
            self.fields.iter().map(|(field, by)| i128::from(field.low()) * i128::from(*by)).sum();
        let constant = (self.constant + offset) as i64;
        let mut weights: BTreeMap<(usize, i64), u64> = BTreeMap::new();
        for (field, coefficient) in &self.fields {
            let bits = field.bits_in_word();
            for bit in 0..bits.count_ones() {
                let weight = i128::from(*coefficient) << bit;
                let place = 1 << (bits.trailing_zeros() + bit);
                *weights.entry((field.word(), weight as i64)).or_default() |= place;
            }
        }
        if weights.len() * READS_PER_COUNT < self.fields.len() {
            let count = |((word, weight), mask)| Count { word, mask, weight };
            Form { constant, reads: Box::default(), counts: weights.into_iter().map(count).collect() }
        } else {
            Form { constant, reads: self.fields.as_slice().into(), counts: Box::default() }
        }
    }
}

impl Form {
    /// Its value in a state.
    #[inline]
    pub(super) fn value(&self, state: &[u64]) -> i64 {
        let mut value = self.constant;
        for (field, coefficient) in &self.reads {
            value += coefficient * field.code(state) as i64;
        }
        for Count { word, mask, weight } in &self.counts {
            value += weight * i64::from((state[*word] & mask).count_ones());
        }
        value
    }
}
