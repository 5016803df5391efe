//! The states found, in one table for all threads.
//!
//! A state of one word is kept in the table itself. Of a longer one the table has half of its hash and the number of the row in which
//! a thread wrote it. Each place is one atomic word that is written once, so threads look up and enter states without
//! waiting for each other. Only when a table gets full do they have to meet: a thread is given a share of the free places
//! beforehand and enters no more than that, so no table fills up while it is in use.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use servanda_engine::{Budget, Halt};
use servanda_model::StateStore;

/// A table has at least so many places, and is never fuller than `FULLEST.0 / FULLEST.1`.
const FEWEST_PLACES: usize = 1 << 8;
const FULLEST: (usize, usize) = (3, 4);

/// Rows come in blocks of so many.
const BLOCK: usize = 1 << 10;

/// A thread can always write so many new rows before it has to meet the others, and where it has written many, more.
const ROOM: std::ops::Range<usize> = 1 << 10..1 << 18;

/// Nobody is asked for fewer bytes.
const LARGE: usize = 1 << 20;

/// The states found, and room for more.
pub(crate) struct Found {
    words: usize,
    /// Which table a state is in is seen from the lower half of its hash, its place there from the upper half.
    tables: Vec<RwLock<Table>>,
    /// The rows each thread has written; none where states have one word.
    rows: Vec<RwLock<Rows>>,
    /// The one word that the table has no mark for.
    all_ones: AtomicBool,
}

/// A part of the table.
struct Table {
    /// 0 where nothing is. The length is a power of two.
    places: Vec<AtomicU64>,
    shift: u32,
    len: AtomicUsize,
}

/// The longer states that one thread has found.
#[derive(Default)]
struct Rows {
    blocks: Vec<Box<[AtomicU64]>>,
    len: usize,
}

/// What became of a state that was to be entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entered {
    New,
    Known,
    /// It was not entered, and can be when the threads have met.
    NoRoom,
}

/// The states found, while no table grows.
pub(crate) struct Open<'f> {
    found: &'f Found,
    tables: Vec<RwLockReadGuard<'f, Table>>,
    rows: Vec<RwLockReadGuard<'f, Rows>>,
}

/// What one thread may still enter before the threads meet.
pub(crate) struct Share {
    thread: usize,
    /// Places of each table.
    places: Vec<usize>,
    /// States entered in each table.
    entered: Vec<usize>,
    told: usize,
    /// The next row to be written.
    row: usize,
}

impl Found {
    /// Nothing is found yet.
    pub(crate) fn new(words: usize, threads: usize) -> Self {
        let rows = if words == 1 { 0 } else { threads };
        Found {
            words,
            tables: (0..threads).map(|_| RwLock::new(Table::new(FEWEST_PLACES))).collect(),
            rows: (0..rows).map(|_| RwLock::default()).collect(),
            all_ones: AtomicBool::new(false),
        }
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.tables.len()
    }

    /// Makes room for more, as far as it is the business of one thread. No thread may have the states open.
    pub(crate) fn make_room(&self, thread: usize, budget: &dyn Budget) -> Result<(), Halt> {
        let states = self.len() as u64;
        let may = |bytes: usize| {
            let asked = if bytes < LARGE { Ok(()) } else { budget.room(bytes) };
            asked.map_err(|stop| Halt::Stopped { stop, states, transitions: 0 })
        };
        let threads = self.tables.len();
        let mut table = self.tables[thread].write().unwrap_or_else(PoisonError::into_inner);
        while table.free() < (table.places.len() / 16).max(8 * threads) {
            let places = table.places.len() * 2;
            may(places * size_of::<u64>())?;
            table.grow(places, self.words);
        }
        let Some(rows) = self.rows.get(thread) else { return Ok(()) };
        let mut rows = rows.write().unwrap_or_else(PoisonError::into_inner);
        let wanted = rows.len + (rows.len / 8).clamp(ROOM.start, ROOM.end);
        if number_of_row(wanted, thread, threads).is_none() {
            return Err(Halt::TooLarge("there are more states than can be numbered".to_owned()));
        }
        may(wanted.saturating_sub(rows.blocks.len() * BLOCK) * self.words * size_of::<u64>())?;
        while rows.blocks.len() * BLOCK < wanted {
            let block = (0..BLOCK * self.words).map(|_| AtomicU64::new(0)).collect();
            rows.blocks.push(block);
        }
        Ok(())
    }

    /// The states, to look up and to enter.
    pub(crate) fn open(&self) -> Open<'_> {
        let tables = self.tables.iter().map(|table| table.read().unwrap_or_else(PoisonError::into_inner));
        let rows = self.rows.iter().map(|rows| rows.read().unwrap_or_else(PoisonError::into_inner));
        Open { found: self, tables: tables.collect(), rows: rows.collect() }
    }

    /// Counts what a thread has entered. It may not have the states open.
    pub(crate) fn settle(&self, share: &Share) {
        let open = self.open();
        for (table, entered) in open.tables.iter().zip(&share.entered) {
            table.len.fetch_add(*entered, Ordering::Relaxed);
        }
        drop(open);
        if let Some(rows) = self.rows.get(share.thread) {
            rows.write().unwrap_or_else(PoisonError::into_inner).len = share.row;
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        let entered: usize = self.open().tables.iter().map(|table| table.len.load(Ordering::Relaxed)).sum();
        entered + usize::from(self.all_ones.load(Ordering::Relaxed))
    }

    /// Bytes held, for reports.
    pub(crate) fn bytes(&self) -> usize {
        let open = self.open();
        let words = open.tables.iter().map(|table| table.places.capacity()).sum::<usize>()
            + open.rows.iter().map(|rows| rows.blocks.len() * BLOCK * self.words).sum::<usize>();
        words * size_of::<u64>()
    }

    /// Visits every state, in no particular order.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&[u64])) {
        let _: ControlFlow<()> = self.try_for_each(|state| {
            visit(state);
            ControlFlow::Continue(())
        });
    }

    /// The same until the visitor has seen enough.
    pub(crate) fn try_for_each<B>(&self, mut visit: impl FnMut(&[u64]) -> ControlFlow<B>) -> ControlFlow<B> {
        let open = self.open();
        let mut state = vec![0; self.words];
        if self.all_ones.load(Ordering::Relaxed) {
            visit(&[u64::MAX])?;
        }
        for place in open.tables.iter().flat_map(|table| &table.places) {
            match (place.load(Ordering::Acquire), self.words) {
                (0, _) => {}
                (mark, 1) => visit(&[mark - 1])?,
                (mark, _) => {
                    state.iter_mut().zip(open.row(mark)).for_each(|(word, there)| *word = there);
                    visit(&state)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Open<'_> {
    /// An equal share of what is free for each thread.
    pub(crate) fn share(&self, thread: usize) -> Share {
        let threads = self.tables.len();
        Share {
            thread,
            places: self.tables.iter().map(|table| table.free() / threads).collect(),
            entered: vec![0; threads],
            told: 0,
            row: self.rows.get(thread).map_or(0, |rows| rows.len),
        }
    }

    /// A look at the place of a state, so that it is near when it is needed.
    #[inline]
    pub(crate) fn look(&self, hash: u64) -> u64 {
        let table = &self.tables[self.table_of(hash)];
        table.places[(hash >> table.shift) as usize].load(Ordering::Relaxed)
    }

    /// Enters a state.
    #[inline]
    pub(crate) fn enter(&self, state: &[u64], hash: u64, share: &mut Share) -> Entered {
        match *state {
            [u64::MAX] => match self.found.all_ones.swap(true, Ordering::Relaxed) {
                true => Entered::Known,
                false => Entered::New,
            },
            [word] => self.enter_mark(hash, share, |there| there == word + 1, |_| Some(word + 1)),
            _ => {
                let half = hash >> 32;
                let is_same = |there| there >> 32 == half && self.row(there).eq(state.iter().copied());
                self.enter_mark(hash, share, is_same, |share| self.write_row(state, half, share))
            }
        }
    }

    #[inline]
    fn table_of(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.tables.len() as u64) >> 32) as usize
    }

    /// Looks for the mark of a state, and writes one that `make` gives where there is none.
    #[inline]
    fn enter_mark(
        &self,
        hash: u64,
        share: &mut Share,
        is_same: impl Fn(u64) -> bool,
        make: impl Fn(&Share) -> Option<u64>,
    ) -> Entered {
        let number = self.table_of(hash);
        let table = &*self.tables[number];
        let last = table.places.len() - 1;
        let mut place = (hash >> table.shift) as usize;
        loop {
            let mut there = table.places[place].load(Ordering::Acquire);
            if there == 0 {
                let room = share.places[number] > 0;
                let Some(mark) = room.then(|| make(share)).flatten() else { return Entered::NoRoom };
                // A row is written before the place says so.
                match table.places[place].compare_exchange(0, mark, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {
                        share.places[number] -= 1;
                        share.entered[number] += 1;
                        share.row += 1;
                        return Entered::New;
                    }
                    // Another thread was faster; a row will be written again.
                    Err(other) => there = other,
                }
            }
            if is_same(there) {
                return Entered::Known;
            }
            place = (place + 1) & last;
        }
    }

    /// Writes a state to the next row of the thread; the mark that says so.
    fn write_row(&self, state: &[u64], half: u64, share: &Share) -> Option<u64> {
        let rows = &self.rows[share.thread];
        let number = number_of_row(share.row, share.thread, self.rows.len())?;
        let block = rows.blocks.get(share.row / BLOCK)?;
        let words = &block[share.row % BLOCK * state.len()..][..state.len()];
        words.iter().zip(state).for_each(|(there, word)| there.store(*word, Ordering::Relaxed));
        Some(half << 32 | u64::from(number))
    }

    /// The row of a mark.
    fn row(&self, mark: u64) -> impl Iterator<Item = u64> + '_ {
        let (row, thread) = row_of_number(mark as u32, self.rows.len());
        let words = self.found.words;
        let block = &self.rows[thread].blocks[row / BLOCK][row % BLOCK * words..][..words];
        block.iter().map(|word| word.load(Ordering::Relaxed))
    }
}

impl Share {
    /// How many states were entered since this was last asked.
    pub(crate) fn not_yet_told(&mut self) -> u64 {
        let entered: usize = self.entered.iter().sum();
        let told = std::mem::replace(&mut self.told, entered);
        (entered - told) as u64
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

impl Table {
    fn new(places: usize) -> Self {
        Table {
            places: (0..places).map(|_| AtomicU64::new(0)).collect(),
            shift: 64 - places.trailing_zeros(),
            len: AtomicUsize::new(0),
        }
    }

    /// How many states may still be entered.
    fn free(&self) -> usize {
        (self.places.len() / FULLEST.1 * FULLEST.0).saturating_sub(self.len.load(Ordering::Relaxed))
    }

    /// The upper bits of a hash say the place, so states go from one table to the larger one in nearly the same order.
    fn grow(&mut self, places: usize, words: usize) {
        let mut grown = Table::new(places);
        for place in &mut self.places {
            let mark = *place.get_mut();
            if mark != 0 {
                let hash = if words == 1 { StateStore::hash(&[mark - 1]) } else { mark };
                let mut place = (hash >> grown.shift) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every thread enters all states of a sequence with repetitions; gives how many each found to be new.
    fn enter_from_all(found: &Found, states: &[Vec<u64>]) -> usize {
        let mut left: Vec<Vec<&Vec<u64>>> = vec![states.iter().collect(); found.threads()];
        let mut new = 0;
        while left.iter().any(|left| !left.is_empty()) {
            (0..found.threads())
                .try_for_each(|thread| found.make_room(thread, &servanda_engine::NoLimits))
                .expect("few states");
            let enter = |(thread, left): (usize, &mut Vec<&Vec<u64>>)| {
                let open = found.open();
                let mut share = open.share(thread);
                let mut new = 0;
                while let Some(state) = left.last() {
                    match open.enter(state, StateStore::hash(state), &mut share) {
                        Entered::New => new += 1,
                        Entered::Known => {}
                        Entered::NoRoom => break,
                    }
                    left.pop();
                }
                drop(open);
                found.settle(&share);
                new
            };
            new += std::thread::scope(|scope| {
                let threads = left.iter_mut().enumerate();
                let threads: Vec<_> = threads.map(|own| scope.spawn(move || enter(own))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<usize>()
            });
        }
        new
    }

    fn sorted(found: &Found) -> Vec<Vec<u64>> {
        let mut states = Vec::new();
        found.for_each(|state| states.push(state.to_vec()));
        states.sort_unstable();
        states
    }

    #[test]
    fn each_state_is_new_once_however_many_threads_enter_it() {
        for words in 1..=3 {
            for threads in 1..=3 {
                let found = Found::new(words, threads);
                let state =
                    |k: u64| (0..words as u64).map(|w| (k % 5000).wrapping_mul(w * w + 1) << 9).collect();
                let states: Vec<Vec<u64>> = (0..20_000).map(state).collect();
                assert_eq!(enter_from_all(&found, &states), 5000, "{words} words, {threads} threads");
                assert_eq!(found.len(), 5000);
                let mut expected = states[..5000].to_vec();
                expected.sort_unstable();
                assert_eq!(sorted(&found), expected);
            }
        }
    }

    #[test]
    fn words_at_both_ends_are_states_like_others() {
        let found = Found::new(1, 2);
        let states: Vec<Vec<u64>> = [0, 1, u64::MAX - 1, u64::MAX, 0, u64::MAX].map(|word| vec![word]).into();
        assert_eq!(enter_from_all(&found, &states), 4);
        assert_eq!(found.len(), 4);
        assert_eq!(sorted(&found), [[0], [1], [u64::MAX - 1], [u64::MAX]]);
    }

    #[test]
    fn a_share_is_never_exceeded() {
        let found = Found::new(1, 1);
        let open = found.open();
        let mut share = open.share(0);
        let room = share.places[0];
        let mut enter = |word: u64| open.enter(&[word], StateStore::hash(&[word]), &mut share);
        assert!((0..room as u64).all(|word| enter(word) == Entered::New));
        assert!(enter(room as u64) == Entered::NoRoom);
        assert!(enter(0) == Entered::Known, "what is there is found without room");
    }
}
