//! Who works: how many workers there are, and where.

use crate::net::Mesh;
use crate::shard::MOST_STATES;

/// The workers.
#[derive(Clone, Copy, Debug)]
pub struct Staff {
    /// In each process.
    pub(crate) threads: usize,
    /// The way to those in other processes.
    pub(crate) mesh: Option<&'static Mesh>,
    /// The most states that a worker may number.
    pub(crate) most: usize,
}

impl Staff {
    /// So many threads of this process.
    pub fn threads(threads: usize) -> Self {
        Staff { threads: threads.max(1), mesh: None, most: MOST_STATES }
    }

    /// The threads of all processes that have met. Every process must do the same with them.
    pub fn processes(mesh: &'static Mesh) -> Self {
        Staff { threads: mesh.workers(), mesh: Some(mesh), most: MOST_STATES }
    }

    /// The same, where a worker may number so many states at most: for who wants to see what becomes of one that has more.
    #[must_use]
    pub fn numbering(self, most: usize) -> Self {
        Staff { most: most.min(MOST_STATES), ..self }
    }
}
