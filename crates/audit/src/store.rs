//! What is kept under keys that nobody bounds: the least recently used can be dropped.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// No entry.
const NONE: u32 = u32::MAX;

struct Entry<T> {
    key: Box<[u8]>,
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
    positions: HashTable<u32>,
    oldest: u32,
    newest: u32,
}

#[inline]
fn hash(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
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
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        let entries = &self.entries;
        self.positions.find(hash(key), |position| *entries[*position as usize].key == *key).copied()
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
        &self.entries[position as usize].key
    }

    /// Adds what is not there yet, as the most recently used.
    pub(crate) fn insert(&mut self, key: &[u8], value: T, now: i64) -> u32 {
        let entry = Entry { key: key.into(), older: NONE, newer: NONE, used: now, value: Some(value) };
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
        let entries = &self.entries;
        self.positions.insert_unique(hash(key), position, |other| hash(&entries[*other as usize].key));
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
    pub(crate) fn remove(&mut self, position: u32) -> Option<(Box<[u8]>, T)> {
        let value = self.entries[position as usize].value.take()?;
        let hash = hash(&self.entries[position as usize].key);
        if let Ok(entry) = self.positions.find_entry(hash, |other| *other == position) {
            entry.remove();
        }
        self.unlink(position);
        self.free.push(position);
        Some((std::mem::take(&mut self.entries[position as usize].key), value))
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

    #[test]
    fn the_least_recently_used_is_the_oldest() {
        let mut store = Store::new();
        let [a, b, c] = [1, 2, 3].map(|n: u8| store.insert(&[n], n, i64::from(n)));
        store.touch(a, 4);
        assert_eq!(store.oldest(), Some((b, 2)));
        assert_eq!(store.remove(b).map(|it| it.1), Some(2));
        assert_eq!(store.find(&[2]), None);
        assert_eq!(store.oldest(), Some((c, 3)));
        assert_eq!(store.insert(&[4], 4, 5), b, "places are used again");
        assert_eq!(store.find(&[4]), Some(b));
        assert_eq!([c, a, b].map(|it| store.remove(it).map(|it| it.1)), [Some(3), Some(1), Some(4)]);
        assert_eq!((store.oldest(), store.len(), store.remove(a)), (None, 0, None));
    }
}
