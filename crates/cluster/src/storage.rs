//! What workers may put on disk, and where.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Says whether it is time for a checkpoint: the clock is the program's.
type Due = Arc<dyn Fn() -> bool + Send + Sync>;

/// Whoever would end the program when the work does not stop soon. It hears from when until when files are put in order after the work was
/// told to stop, and should wait so long: a checkpoint is being written, or files are being removed.
pub trait Patience: Send + Sync {
    /// Files are put in order from now on.
    fn begin(&self);

    /// They are in order.
    fn end(&self);
}

/// As long as it is there somebody is patient.
pub(crate) struct Waiting(Arc<dyn Patience>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// What workers may put on disk, and where.
#[derive(Clone, Default)]
pub struct Storage {
    /// Where states go that do not fit into memory; without it they stay in memory.
    pub spill: Option<PathBuf>,
    /// How many bytes the states of one worker may take in memory, where they can go to disk.
    pub memory: usize,
    /// Where checkpoints go.
    pub checkpoint: Option<PathBuf>,
    /// Where the checkpoint is with which to begin.
    pub resume: Option<PathBuf>,
    /// Says whether it is time for a checkpoint; without it there is one when the work is stopped.
    pub due: Option<Due>,
    /// Who should wait while files are put in order.
    pub patience: Option<Arc<dyn Patience>>,
}

impl Storage {
    /// Asks for patience until files are in order, if there are any.
    pub(crate) fn waiting(&self) -> Option<Waiting> {
        let has_files = self.spill.is_some() || self.checkpoint.is_some();
        let patience = self.patience.clone().filter(|_| has_files)?;
        patience.begin();
        Some(Waiting(patience))
    }

    /// Is there a checkpoint in a directory, whatever its state?
    pub fn has_checkpoint(directory: &Path) -> bool {
        directory.join(servanda_disk::MANIFEST).exists()
    }

    /// Is there a checkpoint in a directory from which a run has further to go?
    pub fn has_more_to_do(directory: &Path) -> bool {
        servanda_disk::Manifest::read(directory).is_ok_and(|manifest| !manifest.is_done)
    }
}

impl std::fmt::Debug for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Storage { spill, memory, checkpoint, resume, due: _, patience: _ } = self;
        f.debug_struct("Storage")
            .field("spill", spill)
            .field("memory", memory)
            .field("checkpoint", checkpoint)
            .field("resume", resume)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Storage {
    fn eq(&self, other: &Self) -> bool {
        let parts = |storage: &Self| {
            (storage.spill.clone(), storage.memory, storage.checkpoint.clone(), storage.resume.clone())
        };
        parts(self) == parts(other)
    }
}

impl Eq for Storage {}
