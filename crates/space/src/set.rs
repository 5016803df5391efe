//! Sets of states, one bit a state.

/// A set of the states of a space, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSet {
    /// The bits beyond the last state are 0.
    words: Vec<u64>,
    states: usize,
}

const BITS: usize = u64::BITS as usize;

impl StateSet {
    /// None of so many states.
    pub fn none(states: usize) -> Self {
        StateSet { words: vec![0; states.div_ceil(BITS)], states }
    }

    /// All of so many states.
    pub fn all(states: usize) -> Self {
        let mut set = StateSet::none(states);
        set.complement();
        set
    }

    /// How many bytes a set of so many states takes.
    pub fn bytes(states: usize) -> usize {
        states.div_ceil(BITS) * size_of::<u64>()
    }

    /// Of how many states it is a set, in it or not.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Is a state in it?
    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        self.words[state as usize / BITS] >> (state as usize % BITS) & 1 == 1
    }

    /// Puts a state in.
    #[inline]
    pub fn insert(&mut self, state: u32) {
        self.words[state as usize / BITS] |= 1 << (state as usize % BITS);
    }

    /// Takes a state out.
    #[inline]
    pub fn remove(&mut self, state: u32) {
        self.words[state as usize / BITS] &= !(1 << (state as usize % BITS));
    }

    /// The states that were not in it.
    pub fn complement(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        let beyond = self.words.len() * BITS - self.states;
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> beyond;
        }
    }

    /// The states that are in another one of as many states, too.
    pub fn intersect(&mut self, other: &StateSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// And the states that are in another one of as many states.
    pub fn unite(&mut self, other: &StateSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// How many states are in it.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Is no state in it?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(set: &StateSet) -> Vec<u32> {
        (0..set.states() as u32).filter(|state| set.contains(*state)).collect()
    }

    #[test]
    fn complements_end_with_the_last_state() {
        for states in [0, 1, 63, 64, 65, 130] {
            let all = StateSet::all(states);
            assert_eq!(all.len(), states);
            let mut none = all.clone();
            none.complement();
            assert_eq!(none, StateSet::none(states));
            assert!(none.is_empty());
        }
    }

    #[test]
    fn what_is_put_in_can_be_taken_out() {
        let mut set = StateSet::none(100);
        [0, 63, 64, 99].into_iter().for_each(|state| set.insert(state));
        set.remove(63);
        assert_eq!(members(&set), [0, 64, 99]);
        let mut other = StateSet::none(100);
        [64, 65].into_iter().for_each(|state| other.insert(state));
        let mut both = set.clone();
        both.intersect(&other);
        assert_eq!(members(&both), [64]);
        set.unite(&other);
        assert_eq!(members(&set), [0, 64, 65, 99]);
    }
}
