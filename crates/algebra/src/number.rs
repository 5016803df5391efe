//! Integers as rows of bits: two's complement, least significant bit first, the last bit being the sign.
//!
//! Every number carries an interval that its values do not leave, and has just the bits that the interval needs.

use servanda_engine::Halt;
use servanda_model::{Arithmetic, Comparison};

use crate::Algebra;

/// An integer that depends on bits.
pub struct Number<A: Algebra> {
    bits: Vec<A::Function>,
    low: i128,
    high: i128,
}

/// The bits that all values of an interval need, the sign included.
fn width(low: i128, high: i128) -> usize {
    let magnitude = |value: i128| 128 - if value < 0 { !value } else { value }.leading_zeros() as usize;
    magnitude(low).max(magnitude(high)) + 1
}

fn too_wide() -> Halt {
    Halt::TooLarge("an arithmetic result may be beyond 64 bits".to_owned())
}

impl<A: Algebra> Number<A> {
    /// A constant.
    pub fn constant(algebra: &A, value: i64) -> Self {
        let value = i128::from(value);
        let bits = (0..width(value, value)).map(|bit| algebra.constant(value >> bit & 1 == 1)).collect();
        Number { bits, low: value, high: value }
    }

    /// 0 or 1.
    pub fn of_truth(algebra: &A, truth: A::Function) -> Self {
        if truth == algebra.falsity() {
            return Number::constant(algebra, 0);
        }
        if truth == algebra.truth() {
            return Number::constant(algebra, 1);
        }
        Number { bits: vec![truth, algebra.falsity()], low: 0, high: 1 }
    }

    /// A row of bits that spells a code from 0 on, where code 0 means `low` and no code is above `most`.
    pub fn of_code(algebra: &mut A, code: Vec<A::Function>, low: i64, most: u64) -> Result<Self, Halt> {
        let all_codes = (1_i128 << code.len().min(64)) - 1;
        let most = if A::READS_ALL_CODES { all_codes } else { i128::from(most) };
        let mut bits = code;
        bits.push(algebra.falsity());
        let code = Number { bits, low: 0, high: most };
        if low == 0 {
            return Ok(code.within(0, most));
        }
        let (offset, carry) = (Number::constant(algebra, low), algebra.falsity());
        code.sum(algebra, &offset, carry, i128::from(low), i128::from(low) + most)
    }

    /// The bit of the two's complement at a position, the sign repeated.
    pub fn bit(&self, index: usize) -> &A::Function {
        &self.bits[index.min(self.bits.len() - 1)]
    }

    fn sign(&self) -> &A::Function {
        self.bit(usize::MAX)
    }

    /// The same number, known to lie in an interval.
    fn within(&self, low: i128, high: i128) -> Self {
        let bits = (0..width(low, high)).map(|index| self.bit(index).clone()).collect();
        Number { bits, low, high }
    }

    /// `a + b + carry`, known to lie in an interval. Bits beyond its width cannot matter.
    fn sum(
        &self,
        algebra: &mut A,
        other: &Self,
        carry: A::Function,
        low: i128,
        high: i128,
    ) -> Result<Self, Halt> {
        let mut carry = carry;
        let mut bits = Vec::new();
        for index in 0..width(low, high) {
            let (sum, next) = full_adder(algebra, self.bit(index), other.bit(index), &carry)?;
            bits.push(sum);
            carry = next;
        }
        Ok(Number { bits, low, high })
    }

    fn inverted(&self, algebra: &mut A) -> Result<Self, Halt> {
        let bits = self.bits.iter().map(|bit| algebra.not(bit)).collect::<Result<_, _>>()?;
        Ok(Number { bits, low: !self.high, high: !self.low })
    }

    fn add(&self, algebra: &mut A, other: &Self) -> Result<Self, Halt> {
        let carry = algebra.falsity();
        self.sum(algebra, other, carry, self.low + other.low, self.high + other.high)
    }

    /// The difference; it may need more than 64 bits, which is right for codes.
    pub(crate) fn subtract(&self, algebra: &mut A, other: &Self) -> Result<Self, Halt> {
        let (inverted, carry) = (other.inverted(algebra)?, algebra.truth());
        self.sum(algebra, &inverted, carry, self.low - other.high, self.high - other.low)
    }

    fn negated(&self, algebra: &mut A) -> Result<Self, Halt> {
        Number::constant(algebra, 0).subtract(algebra, self)
    }

    fn absolute(&self, algebra: &mut A) -> Result<Self, Halt> {
        if self.low >= 0 {
            return Ok(self.within(self.low, self.high));
        }
        let negated = self.negated(algebra)?;
        self.choose(algebra, self.sign(), &negated, 0, self.high.max(-self.low))
    }

    /// One number where the condition holds, otherwise another.
    pub(crate) fn either(
        algebra: &mut A,
        condition: &A::Function,
        then: Self,
        otherwise: Self,
    ) -> Result<Self, Halt> {
        let (low, high) = (then.low.min(otherwise.low), then.high.max(otherwise.high));
        otherwise.choose(algebra, condition, &then, low, high)
    }

    /// `instead` where the condition holds, otherwise this number; known to lie in an interval.
    fn choose(
        &self,
        algebra: &mut A,
        condition: &A::Function,
        instead: &Self,
        low: i128,
        high: i128,
    ) -> Result<Self, Halt> {
        let bits = (0..width(low, high))
            .map(|index| algebra.choose(condition, instead.bit(index), self.bit(index)))
            .collect::<Result<_, _>>()?;
        Ok(Number { bits, low, high })
    }

    fn multiply(&self, algebra: &mut A, other: &Self) -> Result<Self, Halt> {
        if other.bits.len() > self.bits.len() {
            return other.multiply(algebra, self);
        }
        let corners =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let low = corners.into_iter().min().unwrap_or(0);
        let high = corners.into_iter().max().unwrap_or(0);
        // Partial sums may lie outside of the interval of the result; the arithmetic is modulo its width.
        let wide = width(low, high);
        let mut total = vec![algebra.falsity(); wide];
        for (shift, factor) in other.bits.iter().enumerate().take(wide) {
            algebra.poll()?;
            // The sign bit of two's complement has negative weight.
            let negative = shift + 1 == other.bits.len();
            let mut carry = algebra.constant(negative);
            for (index, digit) in total[shift..].iter_mut().enumerate() {
                let partial = algebra.and(self.bit(index), factor)?;
                let partial = if negative { algebra.not(&partial)? } else { partial };
                (*digit, carry) = full_adder(algebra, digit, &partial, &carry)?;
            }
        }
        Ok(Number { bits: total, low, high })
    }

    /// Quotient and remainder, truncating towards zero; meaningless where `other` is 0.
    fn divide(&self, algebra: &mut A, other: &Self) -> Result<(Self, Self), Halt> {
        let (dividend, divisor) = (self.absolute(algebra)?, other.absolute(algebra)?);
        let most_left = divisor.high.max(1) - 1;
        let mut remainder = Number::constant(algebra, 0);
        let mut quotient = vec![algebra.falsity(); dividend.bits.len()];
        for index in (0..dividend.bits.len()).rev() {
            algebra.poll()?;
            let mut bits = vec![dividend.bits[index].clone()];
            bits.extend(remainder.bits.iter().cloned());
            let high = (2 * remainder.high + 1).min(dividend.high >> index);
            let shifted = Number { bits, low: 0, high: 2 * remainder.high + 1 }.within(0, high);
            let rest = shifted.subtract(algebra, &divisor)?;
            let fits = algebra.not(rest.sign())?;
            remainder = shifted.choose(algebra, &fits, &rest, 0, high.min(most_left))?;
            quotient[index] = fits;
        }
        quotient.push(algebra.falsity());
        let most = dividend.high;
        let quotient = Number { bits: quotient, low: 0, high: most }.within(0, most);
        let sign = algebra.differs(self.sign(), other.sign())?;
        let negated = quotient.negated(algebra)?;
        let signed = quotient.choose(algebra, &sign, &negated, -most, most)?;
        let most_left = most_left.min(most);
        let negated = remainder.negated(algebra)?;
        let low = if self.low < 0 { -most_left } else { 0 };
        let remainder = remainder.choose(algebra, self.sign(), &negated, low, most_left)?;
        Ok((signed, remainder))
    }

    /// The result and where it exists.
    ///
    /// # Errors
    /// When it may be beyond 64 bits, or the algebra stops.
    pub fn calculate(
        &self,
        algebra: &mut A,
        operator: Arithmetic,
        other: &Self,
    ) -> Result<(Self, A::Function), Halt> {
        let exists = match operator {
            Arithmetic::Divide | Arithmetic::Remainder => other.is_not_zero(algebra)?,
            _ => algebra.truth(),
        };
        let result = match operator {
            Arithmetic::Add => self.add(algebra, other)?,
            Arithmetic::Subtract => self.subtract(algebra, other)?,
            Arithmetic::Multiply => self.multiply(algebra, other)?,
            Arithmetic::Divide | Arithmetic::Remainder if self.low <= i128::from(i64::MIN) => {
                return Err(too_wide());
            }
            Arithmetic::Divide => self.divide(algebra, other)?.0,
            Arithmetic::Remainder => self.divide(algebra, other)?.1,
            Arithmetic::Min => {
                let less = other.compare(algebra, Comparison::Less, self)?;
                self.choose(algebra, &less, other, self.low.min(other.low), self.high.min(other.high))?
            }
            Arithmetic::Max => {
                let more = self.compare(algebra, Comparison::Less, other)?;
                self.choose(algebra, &more, other, self.low.max(other.low), self.high.max(other.high))?
            }
        };
        if result.low < i128::from(i64::MIN) || result.high > i128::from(i64::MAX) {
            return Err(too_wide());
        }
        Ok((result, exists))
    }

    /// Where it is not 0.
    pub fn is_not_zero(&self, algebra: &mut A) -> Result<A::Function, Halt> {
        if self.low > 0 || self.high < 0 {
            return Ok(algebra.truth());
        }
        algebra.any(&self.bits)
    }

    /// Where a comparison holds.
    pub fn compare(
        &self,
        algebra: &mut A,
        comparison: Comparison,
        other: &Self,
    ) -> Result<A::Function, Halt> {
        match comparison {
            Comparison::Equal if self.high < other.low || other.high < self.low => Ok(algebra.falsity()),
            Comparison::Equal => {
                let width = self.bits.len().max(other.bits.len());
                let bits = (0..width)
                    .map(|index| algebra.same(self.bit(index), other.bit(index)))
                    .collect::<Result<Vec<_>, _>>()?;
                algebra.all(&bits)
            }
            Comparison::Less if self.high < other.low => Ok(algebra.truth()),
            Comparison::Less if self.low >= other.high => Ok(algebra.falsity()),
            Comparison::Less => Ok(self.subtract(algebra, other)?.sign().clone()),
            Comparison::NotEqual => {
                let equal = self.compare(algebra, Comparison::Equal, other)?;
                algebra.not(&equal)
            }
            Comparison::LessEqual => {
                let more = other.compare(algebra, Comparison::Less, self)?;
                algebra.not(&more)
            }
        }
    }

    /// Its bits, the sign last.
    pub fn bits(&self) -> &[A::Function] {
        &self.bits
    }
}

/// The sum of three bits, and what is carried.
fn full_adder<A: Algebra>(
    algebra: &mut A,
    a: &A::Function,
    b: &A::Function,
    carry: &A::Function,
) -> Result<(A::Function, A::Function), Halt> {
    let half = algebra.differs(a, b)?;
    Ok((algebra.differs(&half, carry)?, algebra.choose(&half, carry, a)?))
}
