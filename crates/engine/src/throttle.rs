//! Asking a budget once in a while and not at every step.

use crate::{Budget, Halt, Progress};

/// So many times something may go on before the budget is asked.
const UNASKED: u32 = 1 << 12;

/// For work in very small steps: a budget that was asked before each would cost more than the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throttle {
    unasked: u32,
}

impl Throttle {
    /// May the work go on? `progress` is how far it has come.
    ///
    /// # Errors
    ///
    /// When the budget was asked and says stop.
    #[inline]
    pub fn go_on(&mut self, budget: &dyn Budget, progress: Progress) -> Result<(), Halt> {
        self.unasked += 1;
        if self.unasked < UNASKED {
            return Ok(());
        }
        self.unasked = 0;
        progress.tell(budget)
    }
}
