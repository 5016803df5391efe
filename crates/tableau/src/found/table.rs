//! Tables whose places are written once, by any thread.
//!
//! Each place is one atomic word, so threads look up and enter marks without waiting for each other. Only when a table gets full do they
//! have to meet: a thread is given a share of the free places beforehand and enters no more than that, so no table fills up while it is
//! in use.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use servanda_engine::Halt;

use super::May;

/// A table has at least so many places, and is never fuller than `FULLEST.0 / FULLEST.1`.
const FEWEST_PLACES: usize = 1 << 8;
const FULLEST: (usize, usize) = (3, 4);

/// As many tables as there are threads. Which one a mark is in is seen from the lower half of its hash, its place there from the
/// upper half.
pub(super) struct Tables(Vec<RwLock<Table>>);

/// A part of the whole.
struct Table {
    /// 0 where nothing is. The length is a power of two.
    places: Vec<AtomicU64>,
    shift: u32,
    len: AtomicUsize,
}

/// The tables, while none grows.
pub(super) struct OpenTables<'f>(Vec<RwLockReadGuard<'f, Table>>);

/// What one thread may still enter before the threads meet.
pub(super) struct Room {
    /// Places of each table.
    places: Vec<usize>,
    /// Marks entered in each table.
    entered: Vec<usize>,
}

/// What became of a mark that was to be entered.
pub(super) enum Mark {
    New(u64),
    Known(u64),
    /// It was not entered, and can be when the threads have met.
    NoRoom,
}

impl Tables {
    pub(super) fn new(threads: usize) -> Self {
        Tables((0..threads).map(|_| RwLock::new(Table::new(FEWEST_PLACES))).collect())
    }

    pub(super) fn threads(&self) -> usize {
        self.0.len()
    }

    /// Makes room for more in the table of one thread. No thread may have the tables open. `hash` is that of a mark.
    pub(super) fn make_room(
        &self,
        thread: usize,
        hash: impl Fn(u64) -> u64,
        may: May<'_>,
    ) -> Result<(), Halt> {
        let mut table = self.0[thread].write().unwrap_or_else(PoisonError::into_inner);
        while table.free() < (table.places.len() / 16).max(8 * self.0.len()) {
            may(table.places.len() * 2 * size_of::<u64>())?;
            table.grow(&hash);
        }
        Ok(())
    }

    pub(super) fn open(&self) -> OpenTables<'_> {
        OpenTables(self.0.iter().map(|table| table.read().unwrap_or_else(PoisonError::into_inner)).collect())
    }
}

impl OpenTables<'_> {
    /// An equal share of what is free for each thread.
    pub(super) fn room(&self) -> Room {
        let threads = self.0.len();
        Room {
            places: self.0.iter().map(|table| table.free() / threads).collect(),
            entered: vec![0; threads],
        }
    }

    /// Counts what a thread has entered.
    pub(super) fn settle(&self, room: &Room) {
        for (table, entered) in self.0.iter().zip(&room.entered) {
            table.len.fetch_add(*entered, Ordering::Relaxed);
        }
    }

    /// How many marks there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|table| table.len.load(Ordering::Relaxed)).sum()
    }

    /// How many words the tables take.
    pub(super) fn words(&self) -> usize {
        self.0.iter().map(|table| table.places.capacity()).sum()
    }

    /// All marks, in no particular order.
    pub(super) fn marks(&self) -> impl Iterator<Item = u64> + '_ {
        let places = self.0.iter().flat_map(|table| &table.places);
        places.map(|place| place.load(Ordering::Acquire)).filter(|mark| *mark != 0)
    }

    #[inline]
    fn table_of(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.0.len() as u64) >> 32) as usize
    }

    /// A look at the place of a mark, so that it is near when it is needed.
    #[inline]
    pub(super) fn look(&self, hash: u64) -> u64 {
        let table = &self.0[self.table_of(hash)];
        table.places[(hash >> table.shift) as usize].load(Ordering::Relaxed)
    }

    /// Looks for a mark, and writes one that `make` gives where there is none.
    #[inline]
    pub(super) fn enter(
        &self,
        hash: u64,
        room: &mut Room,
        is_same: impl Fn(u64) -> bool,
        make: impl Fn() -> Option<u64>,
    ) -> Mark {
        let number = self.table_of(hash);
        let table = &*self.0[number];
        let last = table.places.len() - 1;
        let mut place = (hash >> table.shift) as usize;
        loop {
            let mut there = table.places[place].load(Ordering::Acquire);
            if there == 0 {
                let has_room = room.places[number] > 0;
                let Some(mark) = has_room.then(&make).flatten() else { return Mark::NoRoom };
                // What a mark stands for is written before the place says so.
                match table.places[place].compare_exchange(0, mark, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {
                        room.places[number] -= 1;
                        room.entered[number] += 1;
                        return Mark::New(mark);
                    }
                    // Another thread was faster.
                    Err(other) => there = other,
                }
            }
            if is_same(there) {
                return Mark::Known(there);
            }
            place = (place + 1) & last;
        }
    }
}

impl Room {
    /// How many marks were entered.
    pub(super) fn entered(&self) -> usize {
        self.entered.iter().sum()
    }

    /// How many can still be entered, in each table.
    #[cfg(test)]
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }
}

impl Table {
    fn new(places: usize) -> Self {
        Table {
            places: (0..places).map(|_| AtomicU64::new(0)).collect(),
            shift: 64 - places.trailing_zeros(),
            len: AtomicUsize::new(0),
        }
    }

    /// How many marks may still be entered.
    fn free(&self) -> usize {
        (self.places.len() / FULLEST.1 * FULLEST.0).saturating_sub(self.len.load(Ordering::Relaxed))
    }

    /// The upper bits of a hash say the place, so marks go from one table to one of twice the size in nearly the same order.
    fn grow(&mut self, hash: &impl Fn(u64) -> u64) {
        let places = self.places.len() * 2;
        let mut grown = Table::new(places);
        for place in &mut self.places {
            let mark = *place.get_mut();
            if mark != 0 {
                let mut place = (hash(mark) >> grown.shift) as usize;
                while *grown.places[place].get_mut() != 0 {
                    place = (place + 1) & (places - 1);
                }
                *grown.places[place].get_mut() = mark;
            }
        }
        grown.len = AtomicUsize::new(self.len.load(Ordering::Relaxed));
        *self = grown;
    }
}
