//! A set of words, which are kept in the table itself.

use std::sync::atomic::{AtomicBool, Ordering};

use servanda_engine::Halt;
use servanda_model::StateStore;

use super::table::{Mark, OpenTables, Room, Tables};
use super::{Entered, May};

/// The words entered so far.
pub(super) struct Words {
    tables: Tables,
    /// The one word that the table has no mark for.
    all_ones: AtomicBool,
}

/// The words, while no table grows.
pub(super) struct OpenWords<'f> {
    tables: OpenTables<'f>,
    all_ones: &'f AtomicBool,
}

impl Words {
    pub(super) fn new(threads: usize) -> Self {
        Words { tables: Tables::new(threads), all_ones: AtomicBool::new(false) }
    }

    pub(super) fn make_room(&self, thread: usize, may: May<'_>) -> Result<(), Halt> {
        self.tables.make_room(thread, |mark| StateStore::hash(&[mark - 1]), may)
    }

    pub(super) fn open(&self) -> OpenWords<'_> {
        OpenWords { tables: self.tables.open(), all_ones: &self.all_ones }
    }
}

impl<'f> OpenWords<'f> {
    pub(super) fn tables(&self) -> &OpenTables<'f> {
        &self.tables
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.tables.len() + usize::from(self.all_ones.load(Ordering::Relaxed))
    }

    /// Enters a word.
    #[inline]
    pub(super) fn enter(&self, word: u64, hash: u64, room: &mut Room) -> Entered {
        if word == u64::MAX {
            return if self.all_ones.swap(true, Ordering::Relaxed) { Entered::Known } else { Entered::New };
        }
        match self.tables.enter(hash, room, |there| there == word + 1, || Some(word + 1)) {
            Mark::New(_) => Entered::New,
            Mark::Known(_) => Entered::Known,
            Mark::NoRoom => Entered::NoRoom,
        }
    }

    /// All of them, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let all_ones = self.all_ones.load(Ordering::Relaxed).then_some(u64::MAX);
        all_ones.into_iter().chain(self.tables.marks().map(|mark| mark - 1))
    }
}
