//! A set of rows of words, each with a number.
//!
//! The table has half of a row's hash and the row's number; the row itself is where the thread that found it wrote it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use servanda_engine::Halt;

use super::May;
use super::table::{Mark, OpenTables, Room, Tables};

/// Rows come in blocks of so many.
const BLOCK: usize = 1 << 10;

/// A thread can always write so many new rows before it has to meet the others, and where it has written many, more.
const ROOM: std::ops::Range<usize> = 1 << 10..1 << 18;

/// The rows entered so far.
pub(super) struct Rows {
    words: usize,
    tables: Tables,
    /// What each thread has written.
    written: Vec<RwLock<Written>>,
}

#[derive(Default)]
struct Written {
    blocks: Vec<Box<[AtomicU64]>>,
    len: usize,
}

/// The rows, while no table grows.
pub(super) struct OpenRows<'f> {
    words: usize,
    tables: OpenTables<'f>,
    written: Vec<RwLockReadGuard<'f, Written>>,
}

/// What one thread may still write before the threads meet.
pub(super) struct RowRoom {
    pub(super) room: Room,
    thread: usize,
    /// The next row to be written.
    next: usize,
}

impl Rows {
    pub(super) fn new(words: usize, threads: usize) -> Self {
        let written = (0..threads).map(|_| RwLock::default()).collect();
        Rows { words, tables: Tables::new(threads), written }
    }

    pub(super) fn make_room(&self, thread: usize, may: May<'_>) -> Result<(), Halt> {
        self.tables.make_room(thread, |mark| mark, may)?;
        let mut written = self.written[thread].write().unwrap_or_else(PoisonError::into_inner);
        let wanted = written.len + (written.len / 8).clamp(ROOM.start, ROOM.end);
        if number_of_row(wanted, thread, self.tables.threads()).is_none() {
            return Err(Halt::TooLarge("there are more states than can be numbered".to_owned()));
        }
        may(wanted.saturating_sub(written.blocks.len() * BLOCK) * self.words * size_of::<u64>())?;
        while written.blocks.len() * BLOCK < wanted {
            let block = (0..BLOCK * self.words).map(|_| AtomicU64::new(0)).collect();
            written.blocks.push(block);
        }
        Ok(())
    }

    pub(super) fn open(&self) -> OpenRows<'_> {
        let written =
            self.written.iter().map(|written| written.read().unwrap_or_else(PoisonError::into_inner));
        OpenRows { words: self.words, tables: self.tables.open(), written: written.collect() }
    }

    /// Counts what a thread has entered. It may not have the rows open.
    pub(super) fn settle(&self, room: &RowRoom) {
        self.tables.open().settle(&room.room);
        self.written[room.thread].write().unwrap_or_else(PoisonError::into_inner).len = room.next;
    }
}

impl<'f> OpenRows<'f> {
    pub(super) fn tables(&self) -> &OpenTables<'f> {
        &self.tables
    }

    pub(super) fn room(&self, thread: usize) -> RowRoom {
        RowRoom { room: self.tables.room(), thread, next: self.written[thread].len }
    }

    /// How many words all takes.
    pub(super) fn words(&self) -> usize {
        let blocks: usize = self.written.iter().map(|written| written.blocks.len()).sum();
        self.tables.words() + blocks * BLOCK * self.words
    }

    /// Enters a row; what became of it, and its number.
    #[inline]
    pub(super) fn enter(&self, row: &[u64], hash: u64, own: &mut RowRoom) -> Mark {
        let half = hash >> 32;
        let RowRoom { room, thread, next } = own;
        let is_same = |there| there >> 32 == half && self.row(there as u32).eq(row.iter().copied());
        let entered = self.tables.enter(hash, room, is_same, || self.write(row, half, (*thread, *next)));
        if let Mark::New(_) = entered {
            *next += 1;
        }
        entered
    }

    /// Writes a row to the next place of the thread, where it will be written again if another thread was faster; the mark that says
    /// so.
    fn write(&self, row: &[u64], half: u64, (thread, next): (usize, usize)) -> Option<u64> {
        let number = number_of_row(next, thread, self.written.len())?;
        let block = self.written[thread].blocks.get(next / BLOCK)?;
        let words = &block[next % BLOCK * row.len()..][..row.len()];
        words.iter().zip(row).for_each(|(there, word)| there.store(*word, Ordering::Relaxed));
        Some(half << 32 | u64::from(number))
    }

    /// The row of a number.
    #[inline]
    pub(super) fn row(&self, number: u32) -> impl Iterator<Item = u64> + '_ {
        let (row, thread) = row_of_number(number, self.written.len());
        let block = &self.written[thread].blocks[row / BLOCK][row % BLOCK * self.words..][..self.words];
        block.iter().map(|word| word.load(Ordering::Relaxed))
    }
}

/// Rows of all threads in one count from 1, so that no mark is 0; `None` where there is no such number.
fn number_of_row(row: usize, thread: usize, threads: usize) -> Option<u32> {
    u32::try_from(row * threads + thread + 1).ok()
}

fn row_of_number(number: u32, threads: usize) -> (usize, usize) {
    let number = number as usize - 1;
    (number / threads, number % threads)
}
