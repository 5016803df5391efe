//! Comparisons of sums as layers: one for each variable in the order of their bits, with a place for each value that what is above can add
//! up to.
//!
//! Rows of adders are small as circuits, but as diagrams each of their bits is a function of all the variables. Whether a sum is below a
//! limit needs none of them: in a layer only the sums that can still end on either side are told apart.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_model::{Arithmetic, Comparison, Expr, Model, VariableId};

use crate::{AlgebraOf, Encoding};

/// A variable with more bits has too many values to look at one by one.
const MOST_BITS: usize = 6;

/// More places than these in all layers are left to adders.
const MOST_PLACES: usize = 1 << 16;

/// Sums are looked at if they stay so small that no order of adding them up leaves 64 bits.
const LARGEST: i128 = 1 << 62;

/// A constant and variables with factors.
#[derive(Default)]
struct Linear {
    constant: i128,
    factors: BTreeMap<VariableId, i128>,
    /// No part of the sum is larger.
    most: i128,
}

impl Linear {
    /// Adds an expression, multiplied by a factor other than 0; `None` if it is no such sum.
    fn add(&mut self, model: &Model, expr: &Expr, factor: i128) -> Option<()> {
        match expr {
            Expr::Constant(value) => {
                self.constant += factor * i128::from(*value);
                self.most += factor.abs() * i128::from(*value).abs();
            }
            Expr::Variable(id) => {
                let domain = &model.variable(*id).domain;
                *self.factors.entry(*id).or_default() += factor;
                let most = i128::from(domain.low()).abs().max(i128::from(domain.high()).abs());
                self.most += factor.abs() * most;
            }
            Expr::Arithmetic(Arithmetic::Add, left, right) => {
                self.add(model, left, factor)?;
                self.add(model, right, factor)?;
            }
            Expr::Arithmetic(Arithmetic::Subtract, left, right) => {
                self.add(model, left, factor)?;
                self.add(model, right, -factor)?;
            }
            Expr::Arithmetic(Arithmetic::Multiply, left, right) => match (&**left, &**right) {
                (Expr::Constant(value), other) | (other, Expr::Constant(value)) if *value != 0 => {
                    self.add(model, other, factor.checked_mul(i128::from(*value))?)?;
                }
                _ => return None,
            },
            _ => return None,
        }
        (self.most < LARGEST).then_some(())
    }
}

/// A variable in a sum: its bits, least significant first, and what its values add.
struct Layer<F> {
    row: Vec<F>,
    /// By code.
    adds: Vec<i128>,
    /// The least and the most that this layer and those below add.
    low: i128,
    high: i128,
}

/// The layers of a comparison with 0.
struct Layers<F> {
    comparison: Comparison,
    layers: Vec<Layer<F>>,
    known: FxHashMap<(usize, i128), F>,
}

impl<F: Clone + Eq> Encoding<'_, F> {
    /// Where a comparison of sums of variables holds; `None` if it is none, or has too many layers to be made this way.
    pub(crate) fn layered<A: AlgebraOf<F>>(
        &self,
        algebra: &mut A,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<F>, Halt> {
        let mut sum = Linear::default();
        let linear = sum.add(self.model, left, 1).and_then(|()| sum.add(self.model, right, -1));
        sum.factors.retain(|_, factor| *factor != 0);
        let too_wide = |id: &VariableId| self.variable_bits(*id).len() > MOST_BITS;
        // Two rows are compared bit by bit as well.
        let two = matches!(comparison, Comparison::Equal | Comparison::NotEqual) && sum.factors.len() < 3;
        if !A::LAYERED || linear.is_none() || two || sum.factors.keys().any(too_wide) {
            return Ok(None);
        }
        let mut factors: Vec<(VariableId, i128)> = sum.factors.into_iter().collect();
        // Positions grow downwards, and the most significant bit is on top.
        factors.sort_unstable_by_key(|(id, _)| self.variable_bits(*id).last().copied());
        let (mut low, mut high) = (0, 0);
        let mut layers = Vec::with_capacity(factors.len());
        for (id, factor) in factors.into_iter().rev() {
            let (row, least) = (self.row(id), i128::from(self.model.variable(id).domain.low()));
            let adds: Vec<i128> = (0..1 << row.len()).map(|code: i128| factor * (least + code)).collect();
            low += adds.iter().min().copied().unwrap_or(0);
            high += adds.iter().max().copied().unwrap_or(0);
            layers.push(Layer { row, adds, low, high });
        }
        layers.reverse();
        let mut layers = Layers { comparison, layers, known: FxHashMap::default() };
        layers.place(algebra, 0, sum.constant)
    }
}

impl<F: Clone + Eq> Layers<F> {
    /// Does the comparison hold for all sums of an interval, or for none?
    fn decided(&self, low: i128, high: i128) -> Option<bool> {
        let (all, none) = match self.comparison {
            Comparison::Less => (high < 0, low >= 0),
            Comparison::LessEqual => (high <= 0, low > 0),
            Comparison::Equal => (low == 0 && high == 0, low > 0 || high < 0),
            Comparison::NotEqual => (low > 0 || high < 0, low == 0 && high == 0),
        };
        if all { Some(true) } else { none.then_some(false) }
    }

    /// Where the comparison holds if what is above a layer adds up to a sum; `None` if there are too many places.
    fn place(&mut self, algebra: &mut impl AlgebraOf<F>, layer: usize, sum: i128) -> Result<Option<F>, Halt> {
        let (low, high) = self.layers.get(layer).map_or((0, 0), |layer| (layer.low, layer.high));
        if let Some(value) = self.decided(sum + low, sum + high) {
            return Ok(Some(algebra.constant(value)));
        }
        if let Some(known) = self.known.get(&(layer, sum)) {
            return Ok(Some(known.clone()));
        }
        if self.known.len() >= MOST_PLACES {
            return Ok(None);
        }
        if self.known.len().is_multiple_of(64) {
            algebra.poll()?;
        }
        let mut values = Vec::with_capacity(self.layers[layer].adds.len());
        for code in 0..self.layers[layer].adds.len() {
            let Some(value) = self.place(algebra, layer + 1, sum + self.layers[layer].adds[code])? else {
                return Ok(None);
            };
            values.push(value);
        }
        for bit in &self.layers[layer].row {
            let joined = values.chunks(2).map(|pair| match pair {
                [no, yes] if no != yes => algebra.choose(bit, yes, no),
                pair => Ok(pair[0].clone()),
            });
            values = joined.collect::<Result<_, Halt>>()?;
        }
        let place = values.swap_remove(0);
        self.known.insert((layer, sum), place.clone());
        Ok(Some(place))
    }
}
