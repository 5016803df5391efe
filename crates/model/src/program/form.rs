//! Sums of fields with coefficients that can neither overflow nor fail, whatever the state: calculated without a stack, and where many
//! fields share a word by counting its bits.

use std::collections::BTreeMap;

use crate::{Expr, Field, Layout, Sum};

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

/// A sum by what its terms are: fields and expressions of other kinds, with their coefficients.
pub(super) struct FieldSum<'e> {
    constant: i128,
    pub(super) fields: Vec<(Field, i64)>,
    pub(super) others: Vec<(&'e Expr, i64)>,
}

impl<'e> FieldSum<'e> {
    /// An expression as a sum; `None` where it may have no value.
    pub(super) fn of(expr: &'e Expr, layout: &Layout) -> Option<Self> {
        Some(FieldSum::new(Sum::of(expr, &|term| most(term, layout))?, layout))
    }

    /// How much the left side is larger than the right side.
    pub(super) fn of_difference(left: &'e Expr, right: &'e Expr, layout: &Layout) -> Option<Self> {
        Some(FieldSum::new(Sum::of_difference(left, right, &|term| most(term, layout))?, layout))
    }

    /// The constant part.
    pub(super) fn constant(&self) -> i64 {
        self.constant as i64
    }

    fn new(sum: Sum<'e>, layout: &Layout) -> Self {
        let Sum { constant, terms, .. } = sum;
        let mut own = FieldSum { constant, fields: Vec::new(), others: Vec::new() };
        for (term, coefficient) in terms {
            match layout.field_of(term) {
                Some(field) if field.mask() == 0 => {
                    own.constant += i128::from(coefficient) * i128::from(field.low());
                }
                Some(field) => own.fields.push((field, coefficient)),
                None => own.others.push((term, coefficient)),
            }
        }
        own.merged()
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

/// A bound of the absolute value of a term, whatever stands in its bits.
fn most(term: &Expr, layout: &Layout) -> Option<u64> {
    match layout.field_of(term) {
        Some(field) => field.low().unsigned_abs().checked_add(field.mask()),
        None => layout.range_of(term).map(|(low, high)| low.unsigned_abs().max(high.unsigned_abs())),
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
