//! How fast a search is.

use std::time::Duration;

/// How long steps are counted to tell a rate.
const RATE_INTERVAL: Duration = Duration::from_secs(1);

/// Steps per second, lately.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    counted_at: Duration,
    counted: u64,
    per_second: Option<f64>,
}

impl Rate {
    /// The rate after so many steps in all.
    pub fn after(&mut self, steps: u64, elapsed: Duration) -> Option<f64> {
        // Another search begins with few steps again.
        if steps < self.counted {
            *self = Rate { counted_at: elapsed, counted: steps, per_second: None };
        }
        let passed = elapsed.saturating_sub(self.counted_at);
        if passed >= RATE_INTERVAL {
            let per_second = (steps - self.counted) as f64 / passed.as_secs_f64();
            *self = Rate { counted_at: elapsed, counted: steps, per_second: Some(per_second) };
        }
        self.per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_second_and_begins_again_with_another_search() {
        let mut rate = Rate::default();
        assert_eq!(rate.after(100, Duration::from_millis(500)), None);
        assert_eq!(rate.after(1000, Duration::from_secs(1)), Some(1000.0));
        assert_eq!(rate.after(4000, Duration::from_secs(2)), Some(3000.0));
        assert_eq!(rate.after(10, Duration::from_secs(3)), None);
    }
}
