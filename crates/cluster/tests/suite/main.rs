//! The cluster engine against the reference engine.

mod checkpoints;
mod differential;
mod exploring;
mod limits;
mod meshes;
mod recurring;
mod spilling;
mod wide;

use servanda_cluster::{Cluster, Staff};
use servanda_engine::{Halt, NoLimits, Options};
use servanda_model::Model;

/// How many workers are tried, one number after the other.
pub(crate) const WORKERS: [usize; 4] = [1, 2, 3, 5];

/// The engine with so many threads.
pub(crate) fn cluster(model: &Model, options: Options, workers: usize) -> Result<Cluster<'_>, Halt> {
    Cluster::new(model, options, Staff::threads(workers), &NoLimits)
}
