//! How states are spread over workers.

use serde::{Deserialize, Serialize};

/// What one worker has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// States.
    pub states: u64,
    /// The memory that they take.
    pub bytes: u64,
}

/// How the states found so far are spread over workers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// States found.
    pub states: u64,
    /// Transitions found.
    pub transitions: u64,
    /// The distance from the initial states at which the workers are.
    pub level: u64,
    /// What each worker has.
    pub workers: Vec<Share>,
}

impl Spread {
    /// The most states that a worker has against the mean: 1 where all have as many.
    ///
    /// ```
    /// use servanda_engine::{Share, Spread};
    ///
    /// let workers = [6, 4, 2].map(|states| Share { states, bytes: 0 }).to_vec();
    /// assert_eq!(Spread { workers, ..Spread::default() }.balance(), 1.5);
    /// ```
    pub fn balance(&self) -> f64 {
        let sum: u64 = self.workers.iter().map(|worker| worker.states).sum();
        let most = self.workers.iter().map(|worker| worker.states).max().unwrap_or(0);
        if sum == 0 { 1.0 } else { most as f64 * self.workers.len() as f64 / sum as f64 }
    }
}
