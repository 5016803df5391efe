//! Chance that can be repeated: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).

/// A source of numbers; the same seed gives the same numbers on all machines and in all versions.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Self {
        Chance { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`, each as likely as the others but for one in 2^64; `None` if there is none.
    pub fn below(&mut self, count: usize) -> Option<usize> {
        let product = u128::from(self.next()) * (count as u128);
        (count > 0).then_some((product >> 64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut chance = Chance::new(0);
        assert_eq!(chance.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(chance.next(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn all_numbers_below_a_bound_come_up() {
        let mut chance = Chance::new(7);
        let mut seen = [0; 5];
        (0..500).for_each(|_| seen[chance.below(5).expect("there are some")] += 1);
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        assert_eq!(chance.below(0), None);
    }
}
