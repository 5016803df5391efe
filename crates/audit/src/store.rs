//! What is kept under keys that nobody bounds: the least recently used can be dropped.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// No entry.
const NONE: u32 = u32::MAX;

/// A key; most are short, and lie where they are looked for.
enum Key {
    Inside(u8, [u8; INSIDE]),
    Outside(Box<[u8]>),
}

/// How many bytes are short.
const INSIDE: usize = 38;

impl Key {
    fn new(key: &[u8]) -> Self {
        let mut bytes = [0; INSIDE];
        match bytes.get_mut(..key.len()) {
            Some(inside) => {
                inside.copy_from_slice(key);
                Key::Inside(key.len() as u8, bytes)
            }
            None => Key::Outside(key.into()),
        }
    }

    #[inline]
    fn get(&self) -> &[u8] {
        match self {
            Key::Inside(length, bytes) => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Key::Outside(bytes) => bytes,
        }
    }
}

struct Entry<T> {
    key: Key,
    older: u32,
    newer: u32,
    /// When it was used last: a time or a number of lines.
    used: i64,
    /// `None` where the place is free.
    value: Option<T>,
}

/// Values under keys. A value keeps its position as long as it is there.
pub(crate) struct Store<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
    positions: HashTable<Place>,
    oldest: u32,
    newest: u32,
}

/// The hash of a key: who looks for one in several places makes it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hash(u32);

impl Hash {
    /// Of no key.
    pub(crate) const NONE: Hash = Hash(0);

    #[inline]
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write(key);
        Hash(hasher.finish() as u32)
    }

    /// What the hash table takes: it looks at both ends.
    #[inline]
    fn spread(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }
}

/// Where an entry is. Its hash is beside it, so that a table can grow without looking at keys.
#[derive(Clone, Copy)]
struct Place {
    hash: Hash,
    position: u32,
}

impl<T> Store<T> {
    pub(crate) fn new() -> Self {
        Store {
            entries: Vec::new(),
            free: Vec::new(),
            positions: HashTable::new(),
            oldest: NONE,
            newest: NONE,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    pub(crate) fn find(&self, hash: Hash, key: &[u8]) -> Option<u32> {
        let entries = &self.entries;
        let is_it = |place: &Place| place.hash == hash && entries[place.position as usize].key.get() == key;
        self.positions.find(hash.spread(), is_it).map(|place| place.position)
    }

    #[inline]
    pub(crate) fn get(&self, position: u32) -> Option<&T> {
        self.entries[position as usize].value.as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, position: u32) -> Option<&mut T> {
        self.entries[position as usize].value.as_mut()
    }

    pub(crate) fn key(&self, position: u32) -> &[u8] {
        self.entries[position as usize].key.get()
    }

    /// Adds what is not there yet, as the most recently used.
    pub(crate) fn insert(&mut self, (hash, key): (Hash, &[u8]), value: T, now: i64) -> u32 {
        let entry = Entry { key: Key::new(key), older: NONE, newer: NONE, used: now, value: Some(value) };
        let position = match self.free.pop() {
            Some(position) => {
                self.entries[position as usize] = entry;
                position
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        self.positions.insert_unique(hash.spread(), Place { hash, position }, |other| other.hash.spread());
        self.append(position);
        position
    }

    /// Makes it the most recently used.
    #[inline]
    pub(crate) fn touch(&mut self, position: u32, now: i64) {
        self.entries[position as usize].used = now;
        if self.newest != position {
            self.unlink(position);
            self.append(position);
        }
    }

    /// Takes it out.
    pub(crate) fn remove(&mut self, position: u32) -> Option<T> {
        let value = self.entries[position as usize].value.take()?;
        let hash = Hash::new(self.entries[position as usize].key.get());
        if let Ok(entry) = self.positions.find_entry(hash.spread(), |other| other.position == position) {
            entry.remove();
        }
        self.unlink(position);
        self.free.push(position);
        self.entries[position as usize].key = Key::Inside(0, [0; INSIDE]);
        Some(value)
    }

    /// The least recently used, and when that was.
    pub(crate) fn oldest(&self) -> Option<(u32, i64)> {
        (self.oldest != NONE).then(|| (self.oldest, self.entries[self.oldest as usize].used))
    }

    /// All positions, in the order in which they were made free or taken first.
    pub(crate) fn positions(&self) -> impl Iterator<Item = u32> {
        let taken = self.entries.iter().enumerate().filter(|(_, entry)| entry.value.is_some());
        taken.map(|(position, _)| position as u32)
    }

    fn append(&mut self, position: u32) {
        let entry = &mut self.entries[position as usize];
        (entry.older, entry.newer) = (self.newest, NONE);
        match self.newest {
            NONE => self.oldest = position,
            newest => self.entries[newest as usize].newer = position,
        }
        self.newest = position;
    }

    fn unlink(&mut self, position: u32) {
        let (older, newer) = {
            let entry = &self.entries[position as usize];
            (entry.older, entry.newer)
        };
        match older {
            NONE => self.oldest = newer,
            older => self.entries[older as usize].newer = newer,
        }
        match newer {
            NONE => self.newest = older,
            newer => self.entries[newer as usize].older = older,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(key: &[u8]) -> (Hash, &[u8]) {
        (Hash::new(key), key)
    }

    fn find(store: &Store<u8>, key: u8) -> Option<u32> {
        store.find(Hash::new(&[key]), &[key])
    }

    #[test]
    fn the_least_recently_used_is_the_oldest() {
        let mut store = Store::new();
        let [a, b, c] = [1, 2, 3].map(|n: u8| store.insert(hashed(&[n]), n, i64::from(n)));
        store.touch(a, 4);
        assert_eq!(store.oldest(), Some((b, 2)));
        assert_eq!(store.remove(b), Some(2));
        assert_eq!(find(&store, 2), None);
        assert_eq!(store.oldest(), Some((c, 3)));
        assert_eq!(store.insert(hashed(&[4]), 4, 5), b, "places are used again");
        assert_eq!(find(&store, 4), Some(b));
        assert_eq!([c, a, b].map(|it| store.remove(it)), [Some(3), Some(1), Some(4)]);
        assert_eq!((store.oldest(), store.len(), store.remove(a)), (None, 0, None));
    }
    #[test]
    fn keys_of_every_length_are_found() {
        let mut store = Store::new();
        let keys: Vec<Vec<u8>> = (0..100u8).map(|n| vec![n; usize::from(n)]).collect();
        let positions: Vec<u32> = keys.iter().map(|key| store.insert(hashed(key), key.len(), 0)).collect();
        for (key, position) in keys.iter().zip(&positions) {
            assert_eq!(store.find(Hash::new(key), key), Some(*position));
            assert_eq!((store.key(*position), store.get(*position)), (&key[..], Some(&key.len())));
        }
        assert_eq!(std::mem::size_of::<Key>(), 40);
    }
}
