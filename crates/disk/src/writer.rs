//! Writes a run.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::code::{checksum, put_number, put_state};
use crate::run::{Blocks, FOOT, HEAD, Inner, MAGIC, Run, with_checksum};

/// A block is ended when it has so many bytes.
const BLOCK: usize = 1 << 16;

/// So many bytes are written at once.
const AT_ONCE: usize = 1 << 20;

/// Writes a run, state by state. What is not finished is removed.
pub struct RunWriter {
    path: PathBuf,
    /// `None` once it is finished.
    file: Option<File>,
    words: usize,
    levels: RangeInclusive<u64>,
    /// What is not written yet.
    pending: Vec<u8>,
    block: Vec<u8>,
    /// How many states the block has.
    count: u32,
    first: Vec<u64>,
    before: Vec<u64>,
    states: u64,
    bytes: u64,
    checksum: u64,
    blocks: Blocks,
}

impl RunWriter {
    /// Begins a run of states of so many words whose distances are among these. There must be no such file.
    ///
    /// # Errors
    ///
    /// The file cannot be made.
    pub fn create(path: impl Into<PathBuf>, words: usize, levels: RangeInclusive<u64>) -> io::Result<Self> {
        let path = path.into();
        let file = File::create_new(&path)?;
        let pending = with_checksum(&[MAGIC, words as u64, *levels.start(), *levels.end()]);
        Ok(RunWriter {
            path,
            file: Some(file),
            words,
            levels,
            pending,
            block: Vec::new(),
            count: 0,
            first: Vec::new(),
            before: Vec::new(),
            states: 0,
            bytes: HEAD as u64,
            checksum: MAGIC,
            blocks: Blocks::default(),
        })
    }

    /// How many states were written.
    pub fn len(&self) -> u64 {
        self.states
    }

    /// Was nothing written yet?
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Adds a state, which must be greater than the last one, with its distance.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the state does not belong here.
    #[inline]
    pub fn push(&mut self, state: &[u64], level: u64) -> io::Result<()> {
        let misplaced = || io::Error::new(io::ErrorKind::InvalidInput, "internal error: states out of order");
        if state.len() != self.words || !self.levels.contains(&level) {
            return Err(misplaced());
        }
        if self.count == 0 {
            if self.states > 0 && self.before.as_slice() >= state {
                return Err(misplaced());
            }
            self.first.clear();
            self.first.extend_from_slice(state);
            self.before.clear();
            self.before.extend_from_slice(state);
        } else {
            put_state(&mut self.block, &self.before, state).ok_or_else(misplaced)?;
            self.before.copy_from_slice(state);
        }
        if self.levels.start() != self.levels.end() {
            put_number(&mut self.block, level - self.levels.start());
        }
        self.count += 1;
        self.states += 1;
        if self.block.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        let head = self.pending.len();
        self.blocks.offsets.push(self.bytes);
        self.blocks.firsts.extend_from_slice(&self.first);
        self.pending.extend(self.count.to_le_bytes());
        self.pending.extend((self.block.len() as u32).to_le_bytes());
        self.pending.extend([0; 8]);
        self.first.iter().for_each(|word| self.pending.extend(word.to_le_bytes()));
        self.pending.append(&mut self.block);
        let sum = block_checksum(self.blocks.offsets.len() as u64 - 1, &self.pending[head..]);
        self.pending[head + 8..head + 16].copy_from_slice(&sum.to_le_bytes());
        self.checksum = checksum(self.checksum, &sum.to_le_bytes());
        self.bytes += (self.pending.len() - head) as u64;
        self.count = 0;
        if self.pending.len() >= AT_ONCE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(&self.pending)?;
        }
        self.pending.clear();
        Ok(())
    }

    /// Ends the run.
    ///
    /// # Errors
    ///
    /// The file cannot be written; then it is removed.
    pub fn finish(mut self) -> io::Result<Run> {
        if self.count > 0 {
            self.end_block()?;
        }
        let blocks = self.blocks.offsets.len() as u64;
        self.pending.extend(with_checksum(&[self.states, blocks, self.checksum]));
        self.write()?;
        // Nothing is removed any more.
        self.file = None;
        Ok(Run::new(Inner {
            path: std::mem::take(&mut self.path),
            words: self.words,
            levels: self.levels.clone(),
            states: self.states,
            bytes: self.bytes + FOOT as u64,
            checksum: self.checksum,
            blocks: std::mem::take(&mut self.blocks),
        }))
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // What cannot be removed is no run either: it has no end.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The checksum of a block with its head, in which the place of the checksum itself counts as empty, and of its number.
pub(crate) fn block_checksum(number: u64, block: &[u8]) -> u64 {
    checksum(checksum(number, &block[..8]), &block[16..])
}
