//! What only programs do: read files, the clock and what the system tells. The library itself does none of it; the command line and the
//! Python package share it here.

pub mod files;
pub mod memory;
mod stopwatch;

pub use stopwatch::Stopwatch;
