//! Checkpoints: what all workers know at the beginning of a level is put into a directory, from which others can go on.

use std::io;
use std::path::{Path, PathBuf};

use servanda_disk::{Listed, Manifest, Run, Unusable, link_or_copy, sweep};
use servanda_engine::Halt;
use servanda_model::Model;
use servanda_syntax::{Code, Diagnostic, Span};

use crate::board::Trouble;
use crate::complaint::complaint;
use crate::fabric::Fabric;
use crate::fingerprint::fingerprint;
use crate::shard::{Shard, Tally, least};
use crate::spill::write_sorted;
use crate::storage::Storage;

/// What a worker remembers of its checkpoints.
pub(crate) struct Keeper {
    directory: PathBuf,
    fingerprint: u64,
    /// The number of the last checkpoint.
    number: u64,
    /// So many states in memory are in its runs.
    saved: u32,
    /// Its runs of this worker; those of states on disk with the files that they are.
    runs: Vec<(PathBuf, Saved)>,
    /// What was counted when this level was begun.
    pub(crate) begun: Tally,
}

/// A run of a checkpoint: the number in whose name it is, and which one it was then; states, bytes, checksum.
type Saved = [u64; 5];

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A checkpoint that cannot be used is a mistake of whoever named it.
pub(crate) fn unusable(directory: &Path, why: &str) -> Halt {
    let message = format!("the checkpoint in {} cannot be used: {why}", directory.display());
    Halt::Invalid(vec![Diagnostic::error(Code::UnusableCheckpoint, message, Span::default())])
}

/// The checkpoint with which to begin, if one is asked for. What was left in the directory of checkpoints by a program that was killed
/// before a checkpoint was whole is removed.
///
/// # Errors
///
/// When it cannot be used, or there is another one where checkpoints are to go.
pub(crate) fn find(storage: &Storage, model: &Model, words: usize) -> Result<Option<Manifest>, Halt> {
    let Storage { resume, checkpoint, .. } = storage;
    let there = checkpoint.as_ref().map(|directory| Manifest::read(directory));
    let found = match resume {
        // Who says both goes on where there is something to go on with: the command is the same each time.
        Some(_) if resume == checkpoint && there == Some(Err(Unusable::Missing)) => None,
        Some(directory) => Some(read(directory, model, words)?),
        None => None,
    };
    if let Some(directory) = checkpoint {
        if there != Some(Err(Unusable::Missing)) && resume != checkpoint {
            let why = "there is one already: go on with --resume, or remove the directory";
            return Err(unusable(directory, why));
        }
        sweep(directory, found.as_ref().filter(|_| resume == checkpoint).unwrap_or(&Manifest::default()));
    }
    Ok(found)
}

/// The checkpoint in a directory, if it is one of this model.
///
/// # Errors
///
/// When it is not, or there is none.
pub(crate) fn read(directory: &Path, model: &Model, words: usize) -> Result<Manifest, Halt> {
    let manifest = Manifest::read(directory).map_err(|why| unusable(directory, &why.to_string()))?;
    let differs = if manifest.program != VERSION {
        format!(
            "it was written by version {} of this program, and this is version {VERSION}",
            manifest.program
        )
    } else if manifest.model != model.name {
        format!("it is of the model `{}`, and this is `{}`", manifest.model, model.name)
    } else if manifest.fingerprint != fingerprint(model) || manifest.words != words {
        "the model was changed since it was written, or has other parameters".to_owned()
    } else {
        return Ok(manifest);
    };
    Err(unusable(directory, &differs))
}

impl Shard<'_> {
    /// Checkpoints go into a directory from now on; the last one in it, if any, has this number.
    pub(crate) fn keep_in(&mut self, directory: PathBuf, number: u64) {
        let (fingerprint, begun) = (fingerprint(self.model), self.tally.clone());
        self.depot.keeper =
            Some(Keeper { directory, fingerprint, number, saved: 0, runs: Vec::new(), begun });
    }

    /// Makes a checkpoint of what was known when this level was begun, if there is a place for one. All workers do.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or a worker is gone.
    pub(crate) fn save(&mut self, fabric: &mut Fabric) -> Result<(), Trouble> {
        let (level, is_done, words) = (self.level(), self.is_done, self.layout.words());
        let is_faulty = self.faulty.is_some() || self.depot.broken.is_some();
        let [faulty] = fabric.sum([u64::from(is_faulty)])?;
        let Some(mut keeper) = self.depot.keeper.take() else { return Ok(()) };
        if faulty > 0 {
            // There is nothing behind this level, or states are missing.
            self.depot.keeper = Some(keeper);
            return Ok(());
        }
        let number = keeper.number + 1;
        let written = self.write_runs(&mut keeper, number, fabric.index());
        let begun = if is_done { self.tally.clone() } else { keeper.begun.clone() };
        let Tally { transitions, deadlocks, deadlock, .. } = begun;
        let [transitions, deadlocks] = fabric.sum([transitions, deadlocks])?;
        let deadlock = deadlock.map(|(level, state)| [vec![level], state].concat());
        let deadlock = least(fabric, deadlock)?.map(|row| (row[0], row[1..].to_vec()));
        let failed = written.err().map(|error| error.to_string());
        let failed = complaint(fabric, failed.as_deref())?;
        let own: Vec<u64> = keeper.runs.iter().flat_map(|(_, saved)| *saved).collect();
        let all = fabric.gather(&own)?;
        let mut failed = failed;
        if failed.is_none() && fabric.index() == 0 {
            let runs = all.iter().enumerate().flat_map(|(worker, words)| {
                words.as_chunks::<5>().0.iter().map(move |saved| listed(worker, saved))
            });
            let manifest = Manifest {
                number,
                program: VERSION.to_owned(),
                model: self.model.name.clone(),
                fingerprint: keeper.fingerprint,
                words,
                level,
                is_done,
                workers: fabric.peers(),
                transitions,
                deadlocks,
                deadlock,
                runs: runs.collect(),
            };
            match manifest.write(&keeper.directory) {
                Ok(()) => sweep(&keeper.directory, &manifest),
                Err(error) => failed = Some(error.to_string()),
            }
        }
        let failed = complaint(fabric, failed.as_deref())?;
        let directory = keeper.directory.clone();
        keeper.number = number;
        self.depot.keeper = Some(keeper);
        match failed {
            None => Ok(()),
            Some(why) => {
                let reason = format!("the checkpoint in {} cannot be written: {why}", directory.display());
                self.depot.broken = Some(reason.clone());
                Err(Trouble::Halt(Halt::TooLarge(reason)))
            }
        }
    }

    /// Writes the states of this worker that are not in the runs of the last checkpoint.
    fn write_runs(&self, keeper: &mut Keeper, number: u64, worker: usize) -> io::Result<()> {
        let Keeper { directory, saved, runs, .. } = keeper;
        let (mut index, words) = (0, self.layout.words());
        let mut name = || {
            index += 1;
            (index - 1, directory.join(Listed::file_name(number, worker, index - 1)))
        };
        let Some(spill) = &self.depot.spill else {
            let last = *self.levels.last().unwrap_or(&0);
            let written = write_sorted(words, &self.store, &self.levels, *saved..last, || name().1)?;
            for (index, run) in written.iter().enumerate() {
                std::fs::OpenOptions::new().write(true).open(run.path())?.sync_all()?;
                runs.push((run.path().to_owned(), saved_as(run, number, index)));
            }
            *saved = last;
            return Ok(());
        };
        let mut kept = Vec::new();
        for run in &spill.runs {
            match runs.iter().find(|(path, _)| path == run.path()) {
                Some(known) => kept.push(known.clone()),
                None => {
                    let (index, path) = name();
                    link_or_copy(run, &path)?;
                    kept.push((run.path().to_owned(), saved_as(run, number, index)));
                }
            }
        }
        *runs = kept;
        Ok(())
    }
}

fn saved_as(run: &Run, number: u64, index: usize) -> Saved {
    [number, index as u64, run.len(), run.bytes(), run.checksum()]
}

fn listed(worker: usize, [number, index, states, bytes, checksum]: &Saved) -> Listed {
    let name = Listed::file_name(*number, worker, *index as usize);
    Listed { name, worker, states: *states, bytes: *bytes, checksum: *checksum }
}
