//! Integers as rows of diagrams: two's complement, least significant bit first, the last bit being the sign.

use servanda_engine::{Halt, Monitor};
use servanda_model::{Arithmetic, Comparison};

use crate::diagrams::{Bdd, Diagrams, Operations};

/// An integer that depends on the state. Never empty: the last bit is the sign.
#[derive(Clone)]
pub(crate) struct Number(pub(crate) Vec<Bdd>);

impl Number {
    pub(crate) fn constant(diagrams: &Diagrams, value: i64) -> Self {
        let width = 65 - if value < 0 { !value } else { value }.leading_zeros() as usize;
        Number((0..width).map(|bit| diagrams.constant(value >> bit.min(63) & 1 == 1)).collect())
    }

    /// 0 or 1.
    pub(crate) fn of_truth(diagrams: &Diagrams, truth: Bdd) -> Self {
        Number(vec![truth, diagrams.falsity()])
    }

    fn bit(&self, index: usize) -> &Bdd {
        &self.0[index.min(self.0.len() - 1)]
    }

    fn sign(&self) -> &Bdd {
        self.bit(usize::MAX)
    }

    /// `a + b + carry` with room for the result.
    fn sum(&self, other: &Number, carry: Bdd) -> Result<Number, Halt> {
        let width = self.0.len().max(other.0.len()) + 1;
        let mut carry = carry;
        let mut bits = Vec::with_capacity(width);
        for index in 0..width {
            let (a, b) = (self.bit(index), other.bit(index));
            let half = a.differs(b)?;
            bits.push(half.differs(&carry)?);
            carry = half.choose(&carry, a)?;
        }
        Ok(Number(bits).trimmed())
    }

    /// Drops copies of the sign.
    fn trimmed(mut self) -> Number {
        while let [.., before, last] = self.0.as_slice()
            && before == last
        {
            self.0.pop();
        }
        self
    }

    fn inverted(&self) -> Result<Number, Halt> {
        Ok(Number(self.0.iter().map(Operations::complement).collect::<Result<_, _>>()?))
    }

    pub(crate) fn add(&self, diagrams: &Diagrams, other: &Number) -> Result<Number, Halt> {
        self.sum(other, diagrams.falsity())
    }

    fn subtract(&self, diagrams: &Diagrams, other: &Number) -> Result<Number, Halt> {
        self.sum(&other.inverted()?, diagrams.truth())
    }

    fn negated(&self, diagrams: &Diagrams) -> Result<Number, Halt> {
        Number::constant(diagrams, 0).subtract(diagrams, self)
    }

    fn absolute(&self, diagrams: &Diagrams) -> Result<Number, Halt> {
        self.choose_by(self.sign(), &self.negated(diagrams)?)
    }

    /// `instead` where the condition holds, otherwise this number.
    fn choose_by(&self, condition: &Bdd, instead: &Number) -> Result<Number, Halt> {
        let width = self.0.len().max(instead.0.len());
        let bits = (0..width).map(|index| condition.choose(instead.bit(index), self.bit(index)));
        Ok(Number(bits.collect::<Result<_, _>>()?).trimmed())
    }

    fn multiply(&self, diagrams: &Diagrams, other: &Number, monitor: &dyn Monitor) -> Result<Number, Halt> {
        let mut result = Number::constant(diagrams, 0);
        for (shift, bit) in other.0.iter().enumerate() {
            diagrams.report(monitor)?;
            let mut shifted: Vec<Bdd> = vec![diagrams.falsity(); shift];
            for own in &self.0 {
                shifted.push(own.both(bit)?);
            }
            let shifted = Number(shifted);
            // The sign bit of two's complement has negative weight.
            result = if shift + 1 == other.0.len() {
                result.subtract(diagrams, &shifted)?
            } else {
                result.add(diagrams, &shifted)?
            };
        }
        Ok(result)
    }

    /// Quotient and remainder, truncating towards zero; meaningless where `other` is 0.
    fn divide(
        &self,
        diagrams: &Diagrams,
        other: &Number,
        monitor: &dyn Monitor,
    ) -> Result<(Number, Number), Halt> {
        let (dividend, divisor) = (self.absolute(diagrams)?, other.absolute(diagrams)?);
        let mut remainder = Number::constant(diagrams, 0);
        let mut quotient = vec![diagrams.falsity(); dividend.0.len()];
        for index in (0..dividend.0.len()).rev() {
            diagrams.report(monitor)?;
            let mut shifted = vec![dividend.0[index].clone()];
            shifted.extend(remainder.0.iter().cloned());
            let shifted = Number(shifted).trimmed_positive(diagrams);
            let rest = shifted.subtract(diagrams, &divisor)?;
            let fits = rest.sign().complement()?;
            remainder = shifted.choose_by(&fits, &rest)?;
            quotient[index] = fits;
        }
        let quotient = Number(quotient).trimmed_positive(diagrams);
        let sign = self.sign().differs(other.sign())?;
        let quotient = quotient.choose_by(&sign, &quotient.negated(diagrams)?)?;
        let remainder = remainder.choose_by(self.sign(), &remainder.negated(diagrams)?)?;
        Ok((quotient, remainder))
    }

    /// A row of bits read as a number that is not negative.
    fn trimmed_positive(mut self, diagrams: &Diagrams) -> Number {
        self.0.push(diagrams.falsity());
        self.trimmed()
    }

    /// The result and where it exists.
    pub(crate) fn calculate(
        &self,
        diagrams: &Diagrams,
        operator: Arithmetic,
        other: &Number,
        monitor: &dyn Monitor,
    ) -> Result<(Number, Bdd), Halt> {
        let everywhere = diagrams.truth();
        let result = match operator {
            Arithmetic::Add => (self.add(diagrams, other)?, everywhere),
            Arithmetic::Subtract => (self.subtract(diagrams, other)?, everywhere),
            Arithmetic::Multiply => (self.multiply(diagrams, other, monitor)?, everywhere),
            Arithmetic::Divide => (self.divide(diagrams, other, monitor)?.0, other.is_not_zero(diagrams)?),
            Arithmetic::Remainder => (self.divide(diagrams, other, monitor)?.1, other.is_not_zero(diagrams)?),
        };
        if result.0.0.len() > 64 {
            return Err(Halt::TooLarge("an arithmetic result may be beyond 64 bits".to_owned()));
        }
        Ok(result)
    }

    pub(crate) fn is_not_zero(&self, diagrams: &Diagrams) -> Result<Bdd, Halt> {
        self.0.iter().try_fold(diagrams.falsity(), |any, bit| any.either(bit))
    }

    pub(crate) fn compare(
        &self,
        diagrams: &Diagrams,
        comparison: Comparison,
        other: &Number,
    ) -> Result<Bdd, Halt> {
        match comparison {
            Comparison::Equal => {
                let width = self.0.len().max(other.0.len());
                let mut equal = diagrams.truth();
                for index in (0..width).rev() {
                    equal = equal.both(&self.bit(index).same(other.bit(index))?)?;
                }
                Ok(equal)
            }
            Comparison::NotEqual => self.compare(diagrams, Comparison::Equal, other)?.complement(),
            Comparison::Less => Ok(self.subtract(diagrams, other)?.sign().clone()),
            Comparison::LessEqual => other.compare(diagrams, Comparison::Less, self)?.complement(),
        }
    }
}
