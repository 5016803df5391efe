//! Workers in several processes: how these find each other, make sure that they do the same, and miss those who are gone.
//!
//! Between every two processes there is a line ([`mesh`]) on which they say who they are, what they work on, and that the work should
//! end ([`note`]); the system keeps it alive, and notices where nobody is at its other end. Each model has connections of its own
//! ([`session`]), on which timely carries the parcels ([`wire`]). Where models are spread and not their states, the first process hands out parts of the work
//! ([`parts`]).

mod card;
mod connect;
mod mesh;
mod note;
mod parts;
mod session;
mod wire;

pub use connect::{Place, Unmet};
pub use mesh::Mesh;
pub use parts::Dismissed;
pub(crate) use session::{Session, different};
