//! Who works: how many workers there are, and where.

/// The workers.
#[derive(Clone, Debug)]
pub struct Staff {
    pub(crate) threads: usize,
}

impl Staff {
    /// So many threads of this process.
    pub fn threads(threads: usize) -> Self {
        Staff { threads: threads.max(1) }
    }
}
