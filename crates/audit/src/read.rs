//! Lines of logs and the values in them.

mod csv;
mod escapes;
mod fields;
mod json;
mod number;
mod otlp;
mod records;
mod sse;
mod time;

pub use escapes::decode;
pub use fields::{LONGEST, Pointers, ValueKind, pointer};
pub(crate) use fields::{Pool, Slot, elements};
pub use json::{Bad, DEEPEST, Json, Shape};
pub(crate) use number::{add, compare, is_number};
pub(crate) use records::{Records, plain};
pub(crate) use time::moment;
pub use time::{Nanos, Unit, duration};
