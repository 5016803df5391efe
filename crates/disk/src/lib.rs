//! Packed states on disk, for whoever has more of them than memory, or must not lose them.
//!
//! A [`Run`] is a file of states in ascending order, each with its distance from an initial state. It is written once and never changed;
//! what has to be said of many states is said by going through runs from beginning to end ([`Merge`], [`Lookup`]), as external-memory
//! model checkers do (Stern and Dill, "Using magnetic disk instead of main memory in the Murφ verifier", CAV 1998). A [`Manifest`] says
//! which runs are a checkpoint. This crate is the only one below the program that reads and writes files; where they are it is told.
//!
//! ```
//! use servanda_disk::{Merge, RunWriter};
//!
//! let directory = std::env::temp_dir().join(format!("servanda-disk-{}", std::process::id()));
//! std::fs::create_dir_all(&directory)?;
//! let run = |name: &str, states: &[u64]| {
//!     let mut writer = RunWriter::create(directory.join(name), 1, 0..=0)?;
//!     states.iter().try_for_each(|state| writer.push(&[*state], 0))?;
//!     writer.finish()
//! };
//! let mut merge = Merge::new(&[run("a", &[1, 5, 9])?, run("b", &[5, 6])?])?;
//! let mut states = Vec::new();
//! while let Some((state, _)) = merge.next()? {
//!     states.push(state[0]);
//! }
//! assert_eq!(states, [1, 5, 6, 9]);
//! std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod code;
mod manifest;
mod merge;
mod place;
mod reader;
mod run;
mod writer;

pub use manifest::{Listed, MANIFEST, Manifest, Unusable, link_or_copy, sweep};
pub use merge::{Lookup, Merge};
pub use place::Place;
pub use reader::RunReader;
pub use run::Run;
pub use writer::RunWriter;
