//! A set of packed states in one arena, numbered in the order of their discovery.

#[cfg(test)]
mod tests;

use crate::StateId;

/// Packed states without duplicates: one flat arena and one table of 32-bit numbers.
///
/// The table is searched from the place a state's hash says, place by place. It holds the numbers, so a state takes four bytes in it,
/// divided by how full it is; whether a place holds the state looked for is seen in the arena. A number needs as many bits as the table
/// has places; in the others there is a part of the hash, so that hardly any state is compared that is another one.
pub struct StateStore {
    words: usize,
    arena: Vec<u64>,
    /// Numbers plus one, and above them a part of the hash; 0 where nothing is. The length is a power of two.
    table: Vec<u32>,
    /// How many bits the number of a place has.
    bits: u32,
}

/// The table has at least so many places, and is never fuller than `FULLEST.0 / FULLEST.1`.
const FEWEST_PLACES: usize = 16;
const FULLEST: (usize, usize) = (3, 4);

/// So many states are looked up at a time where many come together.
const ROW: usize = 32;

/// States of up to so many words are sorted by moving them; of longer ones the numbers are.
const SORTED_AS_ROWS: usize = 4;

impl StateStore {
    /// An empty store for states of `words` words.
    pub fn new(words: usize) -> Self {
        StateStore {
            words: words.max(1),
            arena: Vec::new(),
            table: vec![0; FEWEST_PLACES],
            bits: FEWEST_PLACES.trailing_zeros(),
        }
    }

    /// An empty store for so many states of `words` words. Room for them is set aside, and taken only as they come.
    pub fn with_room(words: usize, states: usize) -> Self {
        let mut store = StateStore::new(words);
        // Where there is no such room, there may be some as long as there are fewer.
        let _ = store.arena.try_reserve_exact(states.saturating_mul(store.words));
        store
    }

    /// For how many states of `words` words there is room in so many bytes, also when they are sorted.
    pub fn states_in(words: usize, bytes: usize) -> usize {
        let state =
            words.max(1) * size_of::<u64>() + if words > SORTED_AS_ROWS { size_of::<StateId>() } else { 0 };
        let tables = (FEWEST_PLACES.trailing_zeros()..33).map(|bits| 1_usize << bits);
        let fitting = tables.map(|places| {
            let rest = bytes.saturating_sub(places * size_of::<u32>());
            (rest / state).min(places / FULLEST.1 * FULLEST.0 - 1)
        });
        fitting.max().unwrap_or(0)
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
                *found = self.table[self.first_place(*hash)];
            }
            let there = found[..states.len()].iter().zip(&hashes).filter_map(|(entry, hash)| {
                self.number(*entry).filter(|_| (*entry ^ self.tag(*hash)) & !self.number_bits() == 0)
            });
            let seen = there.fold(0, |seen, number| seen ^ self.arena[number as usize * self.words]);
            std::hint::black_box(seen);
            for (state, hash) in states.zip(hashes) {
                let (_, is_new) = self.insert_hashed(state, hash);
                each(state, is_new);
            }
        }
    }

    /// The bits of an entry that the number takes.
    #[inline]
    fn number_bits(&self) -> u32 {
        u32::MAX >> 32_u32.saturating_sub(self.bits)
    }

    /// The part of a hash that stands in an entry: what is next to the bits that say where the entry is.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        ((hash << self.bits) >> 32) as u32 & !self.number_bits()
    }

    /// The number in an entry, if there is one.
    #[inline]
    fn number(&self, entry: u32) -> Option<u32> {
        (entry & self.number_bits()).checked_sub(1)
    }

    /// Where a state with this hash is looked for first.
    #[inline]
    fn first_place(&self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    /// The place of a state in the table: where it is, or where it would be.
    #[inline]
    fn place(&self, state: &[u64], hash: u64) -> usize {
        let last = self.table.len() - 1;
        let (number_bits, tag) = (self.number_bits(), self.tag(hash));
        let mut place = self.first_place(hash);
        // A state of one word is by far the most frequent; comparing it should cost no call.
        if let (1, [word]) = (self.words, state) {
            loop {
                let entry = self.table[place];
                let is_like = entry & !number_bits == tag;
                if entry == 0 || (is_like && self.arena[(entry & number_bits) as usize - 1] == *word) {
                    return place;
                }
                place = (place + 1) & last;
            }
        }
        loop {
            let entry = self.table[place];
            let is_like = entry & !number_bits == tag;
            if entry == 0 || (is_like && self.row((entry & number_bits) as usize - 1) == state) {
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
        match self.number(self.table[place]) {
            None => {
                let id = StateId::from_index(self.len());
                self.arena.extend_from_slice(state);
                self.table[place] = self.tag(hash) | (id.0 + 1);
                (id, true)
            }
            Some(number) => (StateId(number), false),
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
        self.bits = places.trailing_zeros();
        let (mut entered, mut hashes) = (0_u32, [0; ROW]);
        for rows in self.arena.chunks(ROW * self.words) {
            let (mut count, mut seen) = (0, 0);
            // Here too memory is waited for once for many.
            for (row, hash) in rows.chunks_exact(self.words).zip(&mut hashes) {
                *hash = StateStore::hash(row);
                seen ^= self.table[self.first_place(*hash)];
                count += 1;
            }
            std::hint::black_box(seen);
            for hash in &hashes[..count] {
                let mut place = self.first_place(*hash);
                while self.table[place] != 0 {
                    place = (place + 1) & (places - 1);
                }
                entered += 1;
                self.table[place] = self.tag(*hash) | entered;
            }
        }
    }

    /// The number of a state that is there.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        self.number(self.table[self.place(state, StateStore::hash(state))]).map(StateId)
    }

    /// The numbers of the states from one to before another, in the order of the states.
    pub fn sorted(&self, from: StateId, to: StateId) -> Vec<StateId> {
        let mut numbers: Vec<StateId> = (from.0..to.0).map(StateId).collect();
        numbers.sort_unstable_by_key(|id| self.get(*id));
        numbers
    }

    /// Gives all states in ascending order, and has none then, whatever comes of it.
    ///
    /// # Errors
    ///
    /// What `each` says.
    pub fn drain_sorted<E>(&mut self, mut each: impl FnMut(&[u64]) -> Result<(), E>) -> Result<(), E> {
        // Rows that are moved are next to those that they are compared with; that is worth more than moving them costs.
        match self.words {
            1 => self.arena.sort_unstable(),
            2 => self.arena.as_chunks_mut::<2>().0.sort_unstable(),
            3 => self.arena.as_chunks_mut::<3>().0.sort_unstable(),
            SORTED_AS_ROWS => self.arena.as_chunks_mut::<SORTED_AS_ROWS>().0.sort_unstable(),
            _ => {
                let numbers = self.sorted(StateId(0), StateId::from_index(self.len()));
                let given = numbers.into_iter().try_for_each(|id| each(self.get(id)));
                self.clear();
                return given;
            }
        }
        let given = self.iter().try_for_each(each);
        self.clear();
        given
    }

    /// Forgets all states; room for as many is kept.
    fn clear(&mut self) {
        let places = (self.len() * 2).next_power_of_two().max(FEWEST_PLACES);
        self.arena.clear();
        if places < self.table.len() / 4 {
            // To wipe a table takes as long as it is large.
            self.table = vec![0; places];
            self.bits = places.trailing_zeros();
        } else {
            self.table.fill(0);
        }
    }

    /// Bytes that are in use, whatever else is set aside.
    pub fn used_bytes(&self) -> usize {
        self.arena.len() * size_of::<u64>() + self.table.len() * size_of::<u32>()
    }

    /// Bytes held, for reports.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<u64>() + self.table.capacity() * size_of::<u32>()
    }
}
