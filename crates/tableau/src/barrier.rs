//! Where threads wait for each other.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How often a thread looks before it lets others run.
const LOOKS: u32 = 1 << 12;

/// All threads of a group come here before any goes on. The waits are short and many, so a thread that waits looks again and
/// again instead of going to sleep: to be woken takes longer than most waits.
pub(crate) struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    /// How often all have met.
    met: AtomicUsize,
}

impl SpinBarrier {
    pub(crate) fn new(threads: usize) -> Self {
        SpinBarrier { threads, arrived: AtomicUsize::new(0), met: AtomicUsize::new(0) }
    }

    /// Waits for all others. What they did before is seen after.
    pub(crate) fn wait(&self) {
        if self.threads == 1 {
            return;
        }
        let met = self.met.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.met.store(met.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut looks = 0;
        while self.met.load(Ordering::Acquire) == met {
            looks += 1;
            if looks < LOOKS {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}
