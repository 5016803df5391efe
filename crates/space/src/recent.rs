//! States that were dealt with a moment ago.

use servanda_model::StateStore;

/// Successors come again soon, and what is known to be known need not be looked up, nor sent to another thread. Small
/// enough to stay near the processor.
pub struct Recent {
    /// States of one word, each at the place its hash says; longer states are not remembered.
    states: Vec<u64>,
}

/// How many states are remembered.
const PLACES: usize = 1 << 15;

impl Recent {
    /// Nothing was dealt with yet, and states will have so many words.
    pub fn new(words: usize) -> Self {
        if words != 1 {
            return Recent { states: Vec::new() };
        }
        // A place with a state that belongs elsewhere is an empty one.
        let zero = place(StateStore::hash(&[0]));
        let elsewhere = (1..u64::MAX).find(|word| place(StateStore::hash(&[*word])) != zero);
        let mut states = vec![0; PLACES];
        states[zero] = elsewhere.unwrap_or_default();
        Recent { states }
    }

    /// Was the state dealt with a moment ago? From now on it was.
    #[inline]
    pub fn again(&mut self, state: &[u64], hash: u64) -> bool {
        match (state, self.states.get_mut(place(hash))) {
            ([word], Some(place)) => std::mem::replace(place, *word) == *word,
            _ => false,
        }
    }
}

fn place(hash: u64) -> usize {
    (hash >> 32) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_state_was_dealt_with_before_it_was_seen() {
        let mut recent = Recent::new(1);
        for word in (0..200_000).chain(u64::MAX - 200_000..=u64::MAX) {
            let hash = StateStore::hash(&[word]);
            assert!(!recent.again(&[word], hash), "{word} was never seen");
            assert!(recent.again(&[word], hash), "{word} was seen");
        }
    }

    #[test]
    fn long_states_are_not_remembered() {
        let mut recent = Recent::new(2);
        let hash = StateStore::hash(&[1, 2]);
        assert!(!recent.again(&[1, 2], hash) && !recent.again(&[1, 2], hash));
    }
}
