//! Asking a monitor once in a while.

use crate::{Halt, Monitor, Progress};

/// So many times something may go on before the monitor is asked.
const UNASKED: u32 = 1 << 12;

/// For work in very small steps: a monitor that was asked before each would cost more than the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience {
    unasked: u32,
}

impl Patience {
    /// May the work go on? `progress` is how far it has come.
    ///
    /// # Errors
    ///
    /// When the monitor was asked and says stop.
    #[inline]
    pub fn go_on(&mut self, monitor: &dyn Monitor, progress: Progress) -> Result<(), Halt> {
        self.unasked += 1;
        if self.unasked < UNASKED {
            return Ok(());
        }
        self.unasked = 0;
        progress.tell(monitor)
    }
}
