//! Between two programs that talk: every byte goes on unchanged and in order, is recorded, and judged as it passes.
//!
//! [`stdio::run`] stands between a client and a server that is started as a child process, [`proxy::Proxy`] between programs that talk
//! over HTTP. What passes becomes records, one JSON object per line ([`Tape`]); an [`Observer`] is shown each and may object. Unlike
//! the other libraries this one reads and writes streams and looks at the clock: that is its business.
//!
//! ```
//! use servanda_tap::{Side, Tape};
//!
//! let tape = Tape::new(Vec::new());
//! tape.message("s1", Side::Client, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, |_| {});
//! assert!(tape.into_inner().unwrap().ends_with(b"\"from\":\"client\",\"msg\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n"));
//! ```

mod lines;
pub mod proxy;
mod refusal;
mod sse;
pub mod stdio;
mod tape;

pub use refusal::Refusal;
pub use tape::{Recorded, Side, Tape};
use tokio::sync::oneshot;

/// The answer to the question whether something may pass: `Ok`, or why it may not. Who is asked and goes away has no objection.
pub type Answer = oneshot::Receiver<Result<(), Refusal>>;

/// Who is shown what passes, in the order of the records. Nothing else is recorded meanwhile, so it has to be quick.
pub trait Observer: Send + Sync + 'static {
    /// Something passes; the record of it, without its end of line, has been written already.
    fn passed(&self, record: &[u8]);

    /// An answer of ours was recorded, to a request that did not pass: of what has not happened nothing is judged.
    fn answered(&self, _record: &[u8]) {}

    /// May this message go on? Asked before it does, instead of [`Observer::passed`], where protocols are enforced.
    fn may_pass(&self, record: &[u8]) -> Answer;
}

/// Nobody looks, and everything may pass.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {
    fn passed(&self, _: &[u8]) {}

    fn may_pass(&self, _: &[u8]) -> Answer {
        oneshot::channel().1
    }
}
