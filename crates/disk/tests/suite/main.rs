//! Runs and checkpoints on disk: what comes back, and what is done about damage.

mod checkpoints;
mod runs;
