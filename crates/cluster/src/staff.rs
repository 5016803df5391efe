//! Who works: how many workers there are, and where.

use crate::net::Mesh;

/// The workers.
#[derive(Clone, Copy, Debug)]
pub struct Staff {
    /// In each process.
    pub(crate) threads: usize,
    /// The way to those in other processes.
    pub(crate) mesh: Option<&'static Mesh>,
}

impl Staff {
    /// So many threads of this process.
    pub fn threads(threads: usize) -> Self {
        Staff { threads: threads.max(1), mesh: None }
    }

    /// The threads of all processes that have met. Every process must do the same with them.
    pub fn processes(mesh: &'static Mesh) -> Self {
        Staff { threads: mesh.workers(), mesh: Some(mesh) }
    }
}
