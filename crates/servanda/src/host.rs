//! What only programs do: read and write files, the clock and what the system tells. The library itself does none of it; the command line and the
//! Python package share it here.

pub mod files;
pub mod memory;
mod stopwatch;
pub mod store;

pub use stopwatch::Stopwatch;
