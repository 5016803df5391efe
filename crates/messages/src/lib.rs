//! What the page and a job say to each other: the Rust side of `web/src/protocol.ts`, type for type and field for field. What a field
//! means is said there. The server for coding assistants reads what jobs tell as the page does.

#![allow(missing_docs)]

mod audit;
mod event;
mod graph;
mod request;
mod run;

pub use audit::*;
pub use event::*;
pub use graph::*;
pub use request::*;
pub use run::*;
