//! A file of states in ascending order.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::code::{checksum, damaged};

/// The first bytes of every run, with the version of the form.
pub(crate) const MAGIC: u64 = u64::from_be_bytes(*b"SVNDRUN1");

/// The bytes of the head of a run: magic, words, first and last level, and the checksum of these.
pub(crate) const HEAD: usize = 40;

/// The bytes of the end of a run: states, blocks, the checksum of all blocks, and the checksum of these.
pub(crate) const FOOT: usize = 32;

/// A file of states in ascending order. It is written once, and is not changed any more.
#[derive(Clone, Debug)]
pub struct Run {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) path: PathBuf,
    pub(crate) words: usize,
    pub(crate) levels: RangeInclusive<u64>,
    pub(crate) states: u64,
    pub(crate) bytes: u64,
    /// The checksum of all blocks.
    pub(crate) checksum: u64,
    pub(crate) blocks: Blocks,
}

/// Where blocks begin, and with which states: whoever looks for a few states need not read all blocks.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) offsets: Vec<u64>,
    pub(crate) firsts: Vec<u64>,
}

impl Run {
    pub(crate) fn new(inner: Inner) -> Self {
        Run { inner: Arc::new(inner) }
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Opens a run that somebody has written, and looks whether its head and its end are whole. What is in its blocks is looked at when they
    /// are read.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not what was written.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let mut file = File::open(&path)?;
        let bytes = file.metadata()?.len();
        if bytes < (HEAD + FOOT) as u64 {
            return Err(damaged("it is too short"));
        }
        let [magic, words, first, last] = numbers(&mut file, 0)?;
        if magic != MAGIC {
            return Err(damaged("it does not begin as it should"));
        }
        let words = usize::try_from(words).ok().filter(|words| *words > 0 && *words < 1 << 24);
        let words = words.ok_or_else(|| damaged("its states have no size"))?;
        let [states, count, sum] = numbers(&mut file, bytes - FOOT as u64)?;
        let (mut blocks, mut offset) = (Blocks::default(), HEAD as u64);
        let mut head = vec![0; block_head(words)];
        while offset < bytes - FOOT as u64 {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut head)?;
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            blocks.offsets.push(offset);
            let (firsts, _) = head[16..].as_chunks::<8>();
            blocks.firsts.extend(firsts.iter().map(|word| u64::from_le_bytes(*word)));
            offset += head.len() as u64 + u64::from(length);
        }
        if offset != bytes - FOOT as u64 || count != blocks.offsets.len() as u64 {
            return Err(damaged("its blocks do not fit together"));
        }
        Ok(Run::new(Inner { path, words, levels: first..=last, states, bytes, checksum: sum, blocks }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// The distances from initial states that its states have.
    pub fn levels(&self) -> RangeInclusive<u64> {
        self.inner.levels.clone()
    }

    /// How many states are in it.
    pub fn len(&self) -> u64 {
        self.inner.states
    }

    /// Is nothing in it?
    pub fn is_empty(&self) -> bool {
        self.inner.states == 0
    }

    /// How many words a state has.
    pub fn words(&self) -> usize {
        self.inner.words
    }

    /// What it takes on disk.
    pub fn bytes(&self) -> u64 {
        self.inner.bytes
    }

    /// A number made of all that is in it.
    pub fn checksum(&self) -> u64 {
        self.inner.checksum
    }

    /// Removes the file. Whoever reads it at this moment can go on, where the system allows that.
    ///
    /// # Errors
    ///
    /// It cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.inner.path)
    }
}

/// The bytes in front of a block: states, length, checksum, the first state.
pub(crate) fn block_head(words: usize) -> usize {
    16 + 8 * words
}

/// Numbers with their checksum behind them.
fn numbers<const N: usize>(file: &mut File, offset: u64) -> io::Result<[u64; N]> {
    let mut bytes = vec![0; 8 * (N + 1)];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    let (words, _) = bytes.as_chunks::<8>();
    if u64::from_le_bytes(words[N]) != checksum(MAGIC, &bytes[..8 * N]) {
        return Err(damaged("its beginning or its end is not as it was written"));
    }
    Ok(std::array::from_fn(|index| u64::from_le_bytes(words[index])))
}

/// Such numbers as bytes.
pub(crate) fn with_checksum(numbers: &[u64]) -> Vec<u8> {
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let sum = checksum(MAGIC, &bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}
