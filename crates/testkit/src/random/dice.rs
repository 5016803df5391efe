//! Small random choices from one seed.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A source of random choices, the same ones for the same seed.
pub struct Dice(TestRng);

impl Dice {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Self {
        Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &seed.to_le_bytes().repeat(4)))
    }

    /// A number below the limit, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// One of these, if there is any.
    pub fn among<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// So many of a hundred times.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
