//! Many runs as one.

use std::io;

use crate::reader::RunReader;
use crate::run::Run;

/// The states of several runs in ascending order, each once.
pub struct Merge {
    readers: Vec<RunReader>,
    /// Those that are at the state that was told last.
    told: Vec<usize>,
}

impl Merge {
    /// Before the first state. There should be few runs: all of them are looked at for each state.
    ///
    /// # Errors
    ///
    /// A run cannot be read.
    pub fn new(runs: &[Run]) -> io::Result<Self> {
        let readers = runs.iter().map(RunReader::new).collect::<io::Result<Vec<_>>>()?;
        let told = (0..readers.len()).collect();
        Ok(Merge { readers, told })
    }

    /// The next state, with its distance in one of the runs that have it.
    ///
    /// # Errors
    ///
    /// A run cannot be read, or is damaged.
    #[expect(clippy::should_implement_trait, reason = "what it lends is gone with the next state")]
    pub fn next(&mut self) -> io::Result<Option<(&[u64], u64)>> {
        for reader in self.told.drain(..) {
            self.readers[reader].advance()?;
        }
        let mut least: Option<(&[u64], u64)> = None;
        for (index, reader) in self.readers.iter().enumerate() {
            let Some((state, level)) = reader.current() else { continue };
            match least.map(|(least, _)| state.cmp(least)) {
                Some(std::cmp::Ordering::Greater) => continue,
                Some(std::cmp::Ordering::Equal) => {}
                Some(std::cmp::Ordering::Less) | None => {
                    self.told.clear();
                    least = Some((state, level));
                }
            }
            self.told.push(index);
        }
        Ok(least)
    }
}

/// Looks states up in several runs, in ascending order.
pub struct Lookup {
    readers: Vec<RunReader>,
}

impl Lookup {
    /// Before the first state of these runs.
    ///
    /// # Errors
    ///
    /// A run cannot be read.
    pub fn new(runs: &[Run]) -> io::Result<Self> {
        Ok(Lookup { readers: runs.iter().map(RunReader::new).collect::<io::Result<_>>()? })
    }

    /// The distance of a state, if one of the runs has it. No later state may be less.
    ///
    /// # Errors
    ///
    /// A run cannot be read, or is damaged.
    pub fn find(&mut self, state: &[u64]) -> io::Result<Option<u64>> {
        for reader in &mut self.readers {
            if let Some(level) = reader.find(state)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
}
