//! Workers that share the states of a model, one line for each.

use std::fmt::Write as _;
use std::time::Duration;

use servanda::Rate;
use servanda_engine::{Share, Spread};

/// So many workers have a line of their own.
const MOST_LINES: usize = 16;

/// How states are spread, and how fast each worker is.
#[derive(Default)]
pub(super) struct Workers {
    pub(super) spread: Spread,
    rates: Vec<Rate>,
    per_second: Vec<Option<f64>>,
}

impl Workers {
    /// Hears how states are spread now.
    pub(super) fn hear(&mut self, spread: &Spread, elapsed: Duration) {
        self.spread.clone_from(spread);
        self.rates.resize_with(spread.workers.len(), Rate::default);
        let rates = self.rates.iter_mut().zip(&spread.workers);
        self.per_second = rates.map(|(rate, worker)| rate.after(worker.states, elapsed)).collect();
    }

    /// What follows the line about the whole: empty where there are no workers.
    pub(super) fn lines(&self) -> String {
        let Spread { workers, level, .. } = &self.spread;
        if workers.is_empty() {
            return String::new();
        }
        let mut lines = format!("\n  distance {level}, balance {:.2}", self.spread.balance());
        for (number, (share, rate)) in workers.iter().zip(&self.per_second).take(MOST_LINES).enumerate() {
            let rate = rate.map_or(String::new(), |rate| format!(", {rate:.0} states/s"));
            let Share { states, bytes } = share;
            let _ = write!(lines, "\n  worker {}: {states} states{rate}, {} MB", number + 1, bytes >> 20);
        }
        let others = workers.iter().skip(MOST_LINES).map(|share| share.states);
        if let (Some(least), Some(most)) = (others.clone().min(), others.clone().max()) {
            let _ = write!(lines, "\n  {} others: {least} to {most} states each", others.count());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(states: &[u64]) -> Spread {
        let workers = states.iter().map(|states| Share { states: *states, bytes: 3 << 20 }).collect();
        Spread { states: states.iter().sum(), transitions: 9, level: 4, workers }
    }

    #[test]
    fn each_worker_has_a_line() {
        let mut workers = Workers::default();
        assert_eq!(workers.lines(), "");
        workers.hear(&spread(&[100, 300]), Duration::ZERO);
        workers.hear(&spread(&[1100, 3300]), Duration::from_secs(2));
        assert_eq!(
            workers.lines(),
            "\n  distance 4, balance 1.50\n  worker 1: 1100 states, 550 states/s, 3 MB\n  \
             worker 2: 3300 states, 1650 states/s, 3 MB"
        );
    }

    #[test]
    fn very_many_are_summed_up() {
        let mut workers = Workers::default();
        workers.hear(&spread(&(0..20).collect::<Vec<u64>>()), Duration::ZERO);
        let lines = workers.lines();
        assert!(lines.ends_with("worker 16: 15 states, 3 MB\n  4 others: 16 to 19 states each"), "{lines}");
    }
}
