//! Comparisons of sums as layers: one for each variable in the order of their bits, with a place for each value that what is above can add
//! up to.
//!
//! Rows of adders are small as circuits, but as diagrams each of their bits is a function of all the variables. Whether a sum is below a
//! limit needs none of them: in a layer only the sums that can still end on either side are told apart.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_model::{Comparison, Expr, Sum, VariableId};

use crate::{AlgebraOf, Encoding};

/// A variable with more bits has too many values to look at one by one.
const MOST_BITS: usize = 6;

/// More places than these in all layers are left to adders.
const MOST_PLACES: usize = 1 << 16;

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
        let Some((constant, mut factors)) = A::LAYERED.then(|| self.linear(left, right)).flatten() else {
            return Ok(None);
        };
        let too_wide = |(id, _): &(VariableId, i128)| self.variable_bits(*id).len() > MOST_BITS;
        // Two rows are compared bit by bit as well.
        let two = matches!(comparison, Comparison::Equal | Comparison::NotEqual) && factors.len() < 3;
        if two || factors.iter().any(too_wide) {
            return Ok(None);
        }
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
        layers.place(algebra, 0, constant)
    }

    /// How much the left side is larger: a constant and variables with factors, each once; `None` if it is no such sum.
    fn linear(&self, left: &Expr, right: &Expr) -> Option<(i128, Vec<(VariableId, i128)>)> {
        let most = |term: &Expr| {
            let Expr::Variable(id) = term else { return None };
            let domain = &self.model.variable(*id).domain;
            Some(domain.low().unsigned_abs().max(domain.high().unsigned_abs()))
        };
        let sum = Sum::of_difference(left, right, &most)?;
        let mut factors: BTreeMap<VariableId, i128> = BTreeMap::new();
        for (term, coefficient) in sum.terms {
            let Expr::Variable(id) = term else { return None };
            *factors.entry(*id).or_default() += i128::from(coefficient);
        }
        factors.retain(|_, factor| *factor != 0);
        Some((sum.constant, factors.into_iter().collect()))
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
