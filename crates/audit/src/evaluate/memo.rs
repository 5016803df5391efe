//! What is known of a line so far.

use super::Key;
use crate::finding::Line as Origin;
use crate::mapping::{NodeId, Program};
use crate::read::{Pool, Slot};

/// What is kept from line to line so that nothing is allocated for each.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// For each part when it was evaluated last, and to what.
    pub(super) values: Vec<(u32, Slot)>,
    pub(super) epoch: u32,
    pub(super) scratch: String,
    /// For each key when it was put together last, and where.
    pub(super) keys: Vec<(u32, Key)>,
    pub(super) key_bytes: Vec<u8>,
    /// Room for a key that is being put together.
    pub(super) key: Vec<u8>,
    /// The recalls that found something on this line, and which line had stored it, where that is noted.
    pub(crate) recalled: Vec<(NodeId, Origin)>,
    /// When it was said last that something cannot be decided.
    unclear: u32,
}

impl Memo {
    pub(crate) fn new(program: &Program) -> Self {
        Memo {
            values: vec![(0, Slot::MISSING); program.nodes.len()],
            keys: vec![(0, Key::NONE); program.keys.len()],
            ..Memo::default()
        }
    }

    /// Begins a line.
    pub(crate) fn next(&mut self) {
        self.scratch.clear();
        self.key_bytes.clear();
        self.recalled.clear();
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.values.fill((0, Slot::MISSING));
            self.keys.fill((0, Key::NONE));
            self.unclear = 0;
            1
        });
    }

    /// Is this the first thing of the line that cannot be decided?
    pub(crate) fn first_unclear(&mut self) -> bool {
        std::mem::replace(&mut self.unclear, self.epoch) != self.epoch
    }

    /// The text that a value is in.
    #[inline]
    pub(super) fn pool<'a>(&'a self, program: &'a Program, line: &'a str, slot: Slot) -> &'a str {
        match slot.pool {
            Pool::Line => line,
            Pool::Scratch => &self.scratch,
            Pool::Constant => &program.constants,
        }
    }

    /// The text of a value.
    #[inline]
    pub(crate) fn str<'a>(&'a self, program: &'a Program, line: &'a str, slot: Slot) -> &'a str {
        self.pool(program, line, slot).get(slot.start as usize..slot.end as usize).unwrap_or("")
    }

    /// What a key is.
    #[inline]
    pub(crate) fn key_bytes(&self, key: Key) -> &[u8] {
        self.key_bytes.get(key.start as usize..key.end as usize).unwrap_or_default()
    }
}
