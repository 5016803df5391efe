//! Integers as rows of edges: two's complement, least significant bit first, the last bit being the sign.
//!
//! Every number carries an interval that its values do not leave, and has just the bits that the interval needs.

use servanda_model::{Arithmetic, Comparison};

use crate::{Edge, Graph};

/// A result may be beyond 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

impl std::fmt::Display for TooWide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an arithmetic result may be beyond 64 bits")
    }
}

/// An integer that depends on inputs.
#[derive(Clone, Debug)]
pub struct Number {
    bits: Vec<Edge>,
    low: i128,
    high: i128,
}

/// The bits that all values of an interval need, the sign included.
fn width(low: i128, high: i128) -> usize {
    let magnitude = |value: i128| 128 - if value < 0 { !value } else { value }.leading_zeros() as usize;
    magnitude(low).max(magnitude(high)) + 1
}

impl Number {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        let value = i128::from(value);
        let bits = (0..width(value, value)).map(|bit| Edge::constant(value >> bit & 1 == 1)).collect();
        Number { bits, low: value, high: value }
    }

    /// 0 or 1.
    pub fn of_truth(truth: Edge) -> Self {
        match truth {
            Edge::FALSE => Number::constant(0),
            Edge::TRUE => Number::constant(1),
            _ => Number { bits: vec![truth, Edge::FALSE], low: 0, high: 1 },
        }
    }

    /// A row of bits that spells a code from 0 on, where code 0 means `low` and no value is above `high`.
    pub fn of_code(graph: &mut Graph, code: &[Edge], low: i64, high: i64) -> Self {
        let (low, high) = (i128::from(low), i128::from(high));
        let mut bits = code.to_vec();
        bits.push(Edge::FALSE);
        let code = Number { bits, low: 0, high: high - low };
        if low == 0 {
            return code.within(low, high);
        }
        let offset = (0..width(low, low)).map(|bit| Edge::constant(low >> bit & 1 == 1)).collect();
        let offset = Number { bits: offset, low, high: low };
        code.sum(graph, &offset, Edge::FALSE, low, high)
    }

    fn bit(&self, index: usize) -> Edge {
        self.bits[index.min(self.bits.len() - 1)]
    }

    fn sign(&self) -> Edge {
        self.bit(usize::MAX)
    }

    /// The bit of the two's complement at a position, the sign repeated.
    pub fn bit_at(&self, index: usize) -> Edge {
        self.bit(index)
    }

    /// The same number, known to lie in an interval.
    fn within(&self, low: i128, high: i128) -> Number {
        let bits = (0..width(low, high)).map(|index| self.bit(index)).collect();
        Number { bits, low, high }
    }

    /// `a + b + carry`, known to lie in an interval. Bits beyond its width cannot matter.
    fn sum(&self, graph: &mut Graph, other: &Number, carry: Edge, low: i128, high: i128) -> Number {
        let mut carry = carry;
        let mut bits = Vec::new();
        for index in 0..width(low, high) {
            let (a, b) = (self.bit(index), other.bit(index));
            let half = graph.differs(a, b);
            bits.push(graph.differs(half, carry));
            carry = graph.choose(half, carry, a);
        }
        Number { bits, low, high }
    }

    fn inverted(&self) -> Number {
        Number { bits: self.bits.iter().map(|bit| !*bit).collect(), low: !self.high, high: !self.low }
    }

    fn add(&self, graph: &mut Graph, other: &Number) -> Number {
        self.sum(graph, other, Edge::FALSE, self.low + other.low, self.high + other.high)
    }

    fn subtract(&self, graph: &mut Graph, other: &Number) -> Number {
        self.sum(graph, &other.inverted(), Edge::TRUE, self.low - other.high, self.high - other.low)
    }

    /// The difference; it may need more than 64 bits, since it is used for codes only.
    pub(crate) fn minus(&self, graph: &mut Graph, other: &Number) -> Number {
        self.subtract(graph, other)
    }

    fn negated(&self, graph: &mut Graph) -> Number {
        Number::constant(0).subtract(graph, self)
    }

    fn absolute(&self, graph: &mut Graph) -> Number {
        if self.low >= 0 {
            return self.clone();
        }
        let negated = self.negated(graph);
        let high = self.high.max(-self.low);
        self.choose(graph, self.sign(), &negated, 0, high)
    }

    /// `instead` where the condition holds, otherwise this number; known to lie in an interval.
    fn choose(&self, graph: &mut Graph, condition: Edge, instead: &Number, low: i128, high: i128) -> Number {
        let bits = (0..width(low, high))
            .map(|index| graph.choose(condition, instead.bit(index), self.bit(index)))
            .collect();
        Number { bits, low, high }
    }

    fn multiply(&self, graph: &mut Graph, other: &Number) -> Number {
        if other.bits.len() > self.bits.len() {
            return other.multiply(graph, self);
        }
        let corners =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let low = corners.into_iter().min().unwrap_or(0);
        let high = corners.into_iter().max().unwrap_or(0);
        // Partial sums may lie outside of the interval of the result; the arithmetic is modulo its width.
        let wide = width(low, high);
        let mut total = vec![Edge::FALSE; wide];
        for (shift, factor) in other.bits.iter().enumerate().take(wide) {
            // The sign bit of two's complement has negative weight.
            let negative = shift + 1 == other.bits.len();
            let mut carry = Edge::constant(negative);
            for (index, digit) in total[shift..].iter_mut().enumerate() {
                let partial = graph.and(self.bit(index), *factor);
                let partial = if negative { !partial } else { partial };
                let half = graph.differs(*digit, partial);
                let sum = graph.differs(half, carry);
                carry = graph.choose(half, carry, *digit);
                *digit = sum;
            }
        }
        Number { bits: total, low, high }
    }

    /// Quotient and remainder, truncating towards zero; meaningless where `other` is 0.
    fn divide(&self, graph: &mut Graph, other: &Number) -> (Number, Number) {
        let (dividend, divisor) = (self.absolute(graph), other.absolute(graph));
        let most_left = divisor.high.max(1) - 1;
        let mut remainder = Number::constant(0);
        let mut quotient = vec![Edge::FALSE; dividend.bits.len()];
        for index in (0..dividend.bits.len()).rev() {
            let mut bits = vec![dividend.bits[index]];
            bits.extend(remainder.bits.iter().copied());
            let high = (2 * remainder.high + 1).min(dividend.high >> index);
            let shifted = Number { bits, low: 0, high: 2 * remainder.high + 1 }.within(0, high);
            let rest = shifted.subtract(graph, &divisor);
            let fits = !rest.sign();
            remainder = shifted.choose(graph, fits, &rest, 0, high.min(most_left));
            quotient[index] = fits;
        }
        quotient.push(Edge::FALSE);
        let quotient = Number { bits: quotient, low: 0, high: dividend.high }.within(0, dividend.high);
        let sign = graph.differs(self.sign(), other.sign());
        let negated = quotient.negated(graph);
        let signed = quotient.choose(graph, sign, &negated, -dividend.high, dividend.high);
        let most_left = most_left.min(dividend.high);
        let negated = remainder.negated(graph);
        let low = if self.low < 0 { -most_left } else { 0 };
        let remainder = remainder.choose(graph, self.sign(), &negated, low, most_left);
        (signed, remainder)
    }

    /// The result and where it exists.
    pub fn calculate(
        &self,
        graph: &mut Graph,
        operator: Arithmetic,
        other: &Number,
    ) -> Result<(Number, Edge), TooWide> {
        let exists = match operator {
            Arithmetic::Divide | Arithmetic::Remainder => other.is_not_zero(graph),
            _ => Edge::TRUE,
        };
        let result = match operator {
            Arithmetic::Add => self.add(graph, other),
            Arithmetic::Subtract => self.subtract(graph, other),
            Arithmetic::Multiply => self.multiply(graph, other),
            Arithmetic::Divide | Arithmetic::Remainder => {
                if self.low <= i128::from(i64::MIN) {
                    return Err(TooWide);
                }
                let (quotient, remainder) = self.divide(graph, other);
                if operator == Arithmetic::Divide { quotient } else { remainder }
            }
        };
        if result.low < i128::from(i64::MIN) || result.high > i128::from(i64::MAX) {
            return Err(TooWide);
        }
        Ok((result, exists))
    }

    /// Where it is not 0.
    pub fn is_not_zero(&self, graph: &mut Graph) -> Edge {
        if self.low > 0 || self.high < 0 {
            return Edge::TRUE;
        }
        graph.any(&self.bits)
    }

    /// Where a comparison holds.
    pub fn compare(&self, graph: &mut Graph, comparison: Comparison, other: &Number) -> Edge {
        match comparison {
            Comparison::Equal => {
                if self.high < other.low || other.high < self.low {
                    return Edge::FALSE;
                }
                let width = self.bits.len().max(other.bits.len());
                let bits: Vec<Edge> =
                    (0..width).map(|index| graph.same(self.bit(index), other.bit(index))).collect();
                graph.all(&bits)
            }
            Comparison::NotEqual => !self.compare(graph, Comparison::Equal, other),
            Comparison::Less if self.high < other.low => Edge::TRUE,
            Comparison::Less if self.low >= other.high => Edge::FALSE,
            Comparison::Less => self.subtract(graph, other).sign(),
            Comparison::LessEqual => !other.compare(graph, Comparison::Less, self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(graph: &Graph, number: &Number, inputs: &rustc_hash::FxHashMap<usize, bool>) -> i64 {
        let bits = graph.values(&number.bits, inputs);
        let sign = bits.len() - 1;
        let weigh =
            |(at, set): (usize, &bool)| i64::from(*set) * if at == sign { -(1 << at) } else { 1 << at };
        bits.iter().enumerate().map(weigh).sum()
    }

    #[test]
    fn arithmetic_is_that_of_the_model() {
        let operators = [
            Arithmetic::Add,
            Arithmetic::Subtract,
            Arithmetic::Multiply,
            Arithmetic::Divide,
            Arithmetic::Remainder,
        ];
        let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];
        for (low, high) in [(-7_i64, 8_i64), (0, 15), (3, 9), (-9, -2)] {
            for (low_2, high_2) in [(-3_i64, 4_i64), (0, 6), (1, 1), (-5, -1)] {
                let mut graph = Graph::new();
                let a: Vec<Edge> = (0..4).map(|_| graph.input()).collect();
                let b: Vec<Edge> = (0..3).map(|_| graph.input()).collect();
                let x = Number::of_code(&mut graph, &a, low, high);
                let y = Number::of_code(&mut graph, &b, low_2, high_2);
                let results: Vec<(Number, Edge)> =
                    operators.iter().map(|op| x.calculate(&mut graph, *op, &y).expect("small")).collect();
                let holds: Vec<Edge> = comparisons.iter().map(|c| x.compare(&mut graph, *c, &y)).collect();
                for left in low..=high {
                    for right in low_2..=high_2 {
                        let code = |row: &[Edge], code: i64| -> Vec<(usize, bool)> {
                            let bits = row.iter().enumerate();
                            bits.map(|(at, bit)| (bit.node(), code >> at & 1 == 1)).collect()
                        };
                        let inputs =
                            code(&a, left - low).into_iter().chain(code(&b, right - low_2)).collect();
                        for (operator, (result, exists)) in operators.iter().zip(&results) {
                            let exists = graph.values(&[*exists], &inputs)[0];
                            let expected = operator.calculate(left, right);
                            assert_eq!(exists, expected.is_some(), "{left} {operator:?} {right}");
                            if let Some(expected) = expected {
                                let found = value(&graph, result, &inputs);
                                assert_eq!(found, expected, "{left} {operator:?} {right}");
                            }
                        }
                        for (comparison, held) in comparisons.iter().zip(&holds) {
                            let held = graph.values(&[*held], &inputs)[0];
                            assert_eq!(held, comparison.holds(left, right), "{left} {comparison:?} {right}");
                        }
                    }
                }
            }
        }
    }
}
