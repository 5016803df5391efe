//! A set of packed states in one arena, numbered in the order of their discovery.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::StateId;

/// Packed states without duplicates: one flat arena and one table of 32-bit indices.
pub struct StateStore {
    words: usize,
    arena: Vec<u64>,
    table: HashTable<u32>,
    hasher: BuildHasherDefault<FxHasher>,
}

impl StateStore {
    /// An empty store for states of `words` words.
    pub fn new(words: usize) -> Self {
        StateStore {
            words: words.max(1),
            arena: Vec::new(),
            table: HashTable::new(),
            hasher: Default::default(),
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
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.arena.chunks_exact(self.words)
    }

    /// Adds a state unless it is there; says its number and whether it is new.
    pub fn insert(&mut self, state: &[u64]) -> (StateId, bool) {
        let (words, arena, hasher) = (self.words, &self.arena, &self.hasher);
        let row = |id: u32| &arena[id as usize * words..][..words];
        let hash = hasher.hash_one(state);
        if let Some(&found) = self.table.find(hash, |&id| row(id) == state) {
            return (StateId(found), false);
        }
        let id = StateId::from_index(arena.len() / words);
        self.table.insert_unique(hash, id.0, |&other| hasher.hash_one(row(other)));
        self.arena.extend_from_slice(state);
        (id, true)
    }

    /// The number of a state that is there.
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = self.hasher.hash_one(state);
        self.table.find(hash, |&id| self.get(StateId(id)) == state).map(|&id| StateId(id))
    }

    /// Bytes held, for reports.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<u64>() + self.table.capacity() * (size_of::<u32>() + 1)
    }
}
