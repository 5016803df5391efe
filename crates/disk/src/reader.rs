//! Reads a run, block by block.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use crate::code::{checksum, damaged, get_number, get_state};
use crate::run::{FOOT, MAGIC, Run, block_head};
use crate::writer::block_checksum;

/// Reads a run from its beginning. Every block is compared with its checksum before anything in it counts.
pub struct RunReader {
    run: Run,
    file: File,
    /// The block that comes next, and where the file is read next.
    block: usize,
    offset: u64,
    bytes: Vec<u8>,
    at: usize,
    /// How many states of the block were not told yet.
    left: u32,
    state: Vec<u64>,
    level: u64,
    /// Is there a current state?
    is_some: bool,
    /// Is the next state the first of its block, which stands in front of it?
    is_first: bool,
    /// The checksum of the block.
    sum: u64,
}

impl RunReader {
    /// Before the first state of a run.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub fn new(run: &Run) -> io::Result<Self> {
        let file = File::open(run.path())?;
        Ok(RunReader {
            file,
            block: 0,
            offset: 0,
            bytes: Vec::new(),
            at: 0,
            left: 0,
            state: vec![0; run.words()],
            level: *run.levels().start(),
            is_some: false,
            is_first: false,
            sum: 0,
            run: run.clone(),
        })
    }

    /// The state it is at, with its distance; `None` before the first and behind the last.
    #[inline]
    pub fn current(&self) -> Option<(&[u64], u64)> {
        self.is_some.then_some((self.state.as_slice(), self.level))
    }

    /// Goes on to the next state.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    #[inline]
    pub fn advance(&mut self) -> io::Result<()> {
        if self.left == 0 && !self.load()? {
            self.is_some = false;
            return Ok(());
        }
        self.decode()
    }

    /// The next state of this block, of which there is one. The first one was put into its place when the block was read.
    #[inline]
    fn decode(&mut self) -> io::Result<()> {
        let no_sense = || damaged("a block makes no sense");
        if self.is_first {
            (self.is_first, self.is_some) = (false, true);
        } else {
            get_state(&self.bytes, &mut self.at, &mut self.state).ok_or_else(no_sense)?;
        }
        let levels = &self.run.inner().levels;
        if levels.start() != levels.end() {
            let more = get_number(&self.bytes, &mut self.at).ok_or_else(no_sense)?;
            self.level = levels
                .start()
                .checked_add(more)
                .filter(|level| level <= levels.end())
                .ok_or_else(no_sense)?;
        }
        self.left -= 1;
        if self.left == 0 && self.at != self.bytes.len() {
            return Err(no_sense());
        }
        Ok(())
    }

    /// Reads the next block; `false` where there is none.
    fn load(&mut self) -> io::Result<bool> {
        let inner = self.run.inner();
        let Some(begin) = inner.blocks.offsets.get(self.block).copied() else { return Ok(false) };
        let end = inner.blocks.offsets.get(self.block + 1).copied().unwrap_or(inner.bytes - FOOT as u64);
        if self.offset != begin {
            self.file.seek(SeekFrom::Start(begin))?;
        }
        let length = usize::try_from(end - begin).map_err(|_| damaged("a block is too long"))?;
        self.bytes.resize(length, 0);
        self.file.read_exact(&mut self.bytes)?;
        self.offset = end;
        let head = block_head(inner.words);
        let [count, sum] =
            [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| self.bytes[at + byte])));
        if sum != block_checksum(self.block as u64, &self.bytes) {
            return Err(damaged("a block is not as it was written"));
        }
        let (words, _) = self.bytes[16..head].as_chunks::<8>();
        self.state.iter_mut().zip(words).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        self.bytes.drain(..head);
        (self.left, self.at, self.is_first, self.sum) = (count as u32, 0, true, sum);
        self.block += 1;
        if self.left == 0 { Err(damaged("a block is empty")) } else { Ok(true) }
    }

    /// Goes on to the first state that is not less than this one, and says its distance if it is this one.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    #[inline]
    pub fn find(&mut self, state: &[u64]) -> io::Result<Option<u64>> {
        // Nothing was read yet, or the state is ahead: in a later block, perhaps.
        if self.block == 0 || (self.is_some && self.state.as_slice() < state) {
            self.skip(state)?;
            while self.is_some && self.state.as_slice() < state {
                self.advance()?;
            }
        }
        let is_it = self.is_some && self.state.as_slice().cmp(state) == Ordering::Equal;
        Ok(is_it.then_some(self.level))
    }

    /// Leaves out the blocks that end before a state.
    fn skip(&mut self, state: &[u64]) -> io::Result<()> {
        let (words, firsts) = (self.run.words(), &self.run.inner().blocks.firsts);
        let begins_before =
            |block: usize| firsts.get(block * words..(block + 1) * words).is_some_and(|first| first <= state);
        let mut last = self.block;
        while begins_before(last + 1) {
            last += 1;
        }
        if self.block == 0 || begins_before(last) {
            (self.block, self.left) = (last, 0);
            self.advance()?;
        }
        Ok(())
    }

    /// Reads a whole run and looks whether it is what was written; calls `visit` with every state and its distance.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged; or what `visit` says.
    pub fn read_whole(run: &Run, mut visit: impl FnMut(&[u64], u64) -> io::Result<()>) -> io::Result<()> {
        let mut reader = RunReader::new(run)?;
        let (mut states, mut blocks, mut sum) = (0_u64, 0, MAGIC);
        let mut last: Vec<u64> = Vec::new();
        loop {
            reader.advance()?;
            if reader.block > blocks {
                blocks = reader.block;
                sum = checksum(sum, &reader.sum.to_le_bytes());
                // Within a block the form itself says that states ascend.
                if states > 0 && last.as_slice() >= reader.state.as_slice() {
                    return Err(damaged("its states are out of order"));
                }
            }
            let Some((state, level)) = reader.current() else { break };
            last.clear();
            last.extend_from_slice(state);
            states += 1;
            visit(state, level)?;
        }
        if states != run.len() || sum != run.checksum() {
            return Err(damaged("something is missing"));
        }
        Ok(())
    }
}
