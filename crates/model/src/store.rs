//! A set of packed states in one arena, numbered in the order of their discovery.

use crate::StateId;

/// Packed states without duplicates: one flat arena and one table of 32-bit numbers.
///
/// The table is searched from the place a state's hash says, place by place. It holds the numbers alone, so a state takes four
/// bytes in it, divided by how full it is; whether a place holds the state looked for is seen in the arena.
pub struct StateStore {
    words: usize,
    arena: Vec<u64>,
    /// Numbers plus one; 0 where nothing is. The length is a power of two.
    table: Vec<u32>,
    /// How far a hash is shifted to make a place of the table.
    shift: u32,
}

/// The table has at least so many places, and is never fuller than `FULLEST.0 / FULLEST.1`.
const FEWEST_PLACES: usize = 16;
const FULLEST: (usize, usize) = (3, 4);

/// So many states are looked up at a time where many come together.
const ROW: usize = 32;

impl StateStore {
    /// An empty store for states of `words` words.
    pub fn new(words: usize) -> Self {
        StateStore {
            words: words.max(1),
            arena: Vec::new(),
            table: vec![0; FEWEST_PLACES],
            shift: 64 - FEWEST_PLACES.trailing_zeros(),
        }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.arena.len() / self.words
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    /// A state by its number.
    pub fn get(&self, id: StateId) -> &[u64] {
        &self.arena[id.index() * self.words..][..self.words]
    }

    /// All states, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> + Clone {
        self.arena.chunks_exact(self.words)
    }

    /// A number made of all bits of a state, most of it in its upper bits.
    #[inline]
    pub fn hash(state: &[u64]) -> u64 {
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, word: &u64| {
            let product = u128::from(hash ^ word) * u128::from(MULTIPLIER);
            (product as u64) ^ ((product >> 64) as u64)
        };
        state.iter().fold(MULTIPLIER, mix).wrapping_mul(MULTIPLIER)
    }

    /// Adds a state unless it is there; says its number and whether it is new.
    #[inline]
    pub fn insert(&mut self, state: &[u64]) -> (StateId, bool) {
        self.make_room();
        self.insert_hashed(state, StateStore::hash(state))
    }

    /// Adds the states that are not there, one after the other, and tells of each whether it is new.
    ///
    /// Where memory has to be waited for, it is waited for once for many states: nothing that is looked at ahead depends on
    /// anything else of the same row.
    pub fn insert_all(&mut self, states: &[u64], mut each: impl FnMut(&[u64], bool)) {
        let (mut hashes, mut found) = ([0; ROW], [0_u32; ROW]);
        for row in states.chunks(ROW * self.words) {
            let states = row.chunks_exact(self.words);
            while (self.len() + states.len()) * FULLEST.1 > self.table.len() * FULLEST.0 {
                self.grow();
            }
            for ((state, hash), found) in states.clone().zip(&mut hashes).zip(&mut found) {
                *hash = StateStore::hash(state);
                *found = self.table[(*hash >> self.shift) as usize];
            }
            let there = found[..states.len()].iter().filter(|found| **found > 0);
            let seen = there.fold(0, |seen, found| seen ^ self.arena[(*found as usize - 1) * self.words]);
            std::hint::black_box(seen);
            for (state, hash) in states.zip(hashes) {
                let (_, is_new) = self.insert_hashed(state, hash);
                each(state, is_new);
            }
        }
    }

    /// The place of a state in the table: where it is, or where it would be.
    #[inline]
    fn place(&self, state: &[u64], hash: u64) -> usize {
        let last = self.table.len() - 1;
        let mut place = (hash >> self.shift) as usize;
        // A state of one word is by far the most frequent; comparing it should cost no call.
        if let (1, [word]) = (self.words, state) {
            loop {
                let found = self.table[place];
                if found == 0 || self.arena[found as usize - 1] == *word {
                    return place;
                }
                place = (place + 1) & last;
            }
        }
        loop {
            let found = self.table[place];
            if found == 0 || self.row(found as usize - 1) == state {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    #[inline]
    fn row(&self, index: usize) -> &[u64] {
        &self.arena[index * self.words..][..self.words]
    }

    #[inline]
    fn insert_hashed(&mut self, state: &[u64], hash: u64) -> (StateId, bool) {
        let place = self.place(state, hash);
        match self.table[place] {
            0 => {
                let id = StateId::from_index(self.len());
                self.arena.extend_from_slice(state);
                self.table[place] = id.0 + 1;
                (id, true)
            }
            found => (StateId(found - 1), false),
        }
    }

    /// Makes sure that the table does not get too full with one more state.
    #[inline]
    fn make_room(&mut self) {
        if (self.len() + 1) * FULLEST.1 > self.table.len() * FULLEST.0 {
            self.grow();
        }
    }

    /// So many bytes more are held for a moment when the tables grow, if they will before so many more states are in them.
    #[inline]
    pub fn growth(&self, states: usize) -> usize {
        let more = self.arena.len() + states * self.words > self.arena.capacity();
        let arena = if more { 2 * self.arena.capacity() * size_of::<u64>() } else { 0 };
        let full = (self.len() + states) * FULLEST.1 > self.table.len() * FULLEST.0;
        // The old table is given back before the new one is made.
        arena + if full { self.table.len() * size_of::<u32>() } else { 0 }
    }

    /// Makes room for so many more states and not for many more, and says how many bytes are held for that for a moment; nothing is done
    /// if `may` does not allow them.
    ///
    /// # Errors
    ///
    /// What `may` says, also where the system has no room.
    pub fn make_little_room<E>(
        &mut self,
        states: usize,
        may: impl Fn(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let words = self.arena.len() / 16 + states * self.words;
        let is_short = self.arena.len() + states * self.words > self.arena.capacity();
        let held = if is_short { (self.arena.len() + words) * size_of::<u64>() } else { 0 };
        let full = (self.len() + states) * FULLEST.1 > self.table.len() * FULLEST.0;
        may(held + if full { self.table.len() * size_of::<u32>() } else { 0 })?;
        if is_short { self.arena.try_reserve_exact(words).or_else(|_| may(usize::MAX)) } else { Ok(()) }
    }

    fn grow(&mut self) {
        let places = self.table.len() * 2;
        self.table = Vec::new();
        self.table = vec![0; places];
        self.shift = 64 - places.trailing_zeros();
        for index in 0..self.len() {
            let mut place = (StateStore::hash(self.row(index)) >> self.shift) as usize;
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = index as u32 + 1;
        }
    }

    /// The number of a state that is there.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        self.table[self.place(state, StateStore::hash(state))].checked_sub(1).map(StateId)
    }

    /// Bytes held, for reports.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<u64>() + self.table.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_numbered_in_the_order_of_their_discovery() {
        for words in 1..4 {
            let mut store = StateStore::new(words);
            let state = |k: u64| (0..words as u64).map(|w| k.wrapping_mul(w + 1) << 20).collect::<Vec<u64>>();
            for k in 0..5000 {
                assert_eq!(store.insert(&state(k)), (StateId(k as u32), true));
                assert_eq!(store.insert(&state(k / 2)), (StateId(k as u32 / 2), false));
            }
            assert_eq!(store.len(), 5000);
            assert_eq!(store.find(&state(4999)), Some(StateId(4999)));
            assert_eq!(store.find(&state(5000)), None);
            assert_eq!(store.get(StateId(77)), state(77));
            let mut many = StateStore::new(words);
            let twice: Vec<u64> = (0..5000).flat_map(|k| [state(k), state(k / 2)].concat()).collect();
            let mut number = 0;
            many.insert_all(&twice, |told, is_new| {
                assert_eq!(told, if number % 2 == 0 { state(number / 2) } else { state(number / 4) });
                assert_eq!(is_new, number % 2 == 0);
                number += 1;
            });
            assert_eq!(many.iter().collect::<Vec<_>>(), store.iter().collect::<Vec<_>>());
        }
    }
}
