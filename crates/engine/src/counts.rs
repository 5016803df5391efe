//! What an engine knows in numbers.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// How decision diagrams fared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagrams {
    /// Bits of a state.
    pub bits: usize,
    /// Nodes of the diagram of the reachable states.
    pub reachable_nodes: usize,
    /// The most nodes held at once.
    pub peak_nodes: usize,
    /// Steps until no new state was found.
    pub iterations: u64,
    /// The order of the variables, top first.
    pub order: Vec<String>,
}

/// How a SAT solver fared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solving {
    /// Bits of a state, what is remembered for formulas included.
    pub bits: usize,
    /// Gates of all circuits.
    pub gates: usize,
    /// Questions put to solvers.
    pub calls: u64,
    /// For each property its name and what decided it.
    pub decided_by: Vec<(String, String)>,
}

/// What partial-order reduction saved: places of searches at which some steps were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Savings {
    /// Path formulas that were decided so.
    pub properties: u64,
    /// Places that were expanded.
    pub places: u64,
    /// Steps taken from them.
    pub taken: u64,
    /// Steps left out.
    pub left_out: u64,
}

impl Savings {
    /// Notes one more place, with the steps taken there and those left out.
    pub fn note(&mut self, taken: usize, left_out: usize) {
        self.places += 1;
        self.taken += taken as u64;
        self.left_out += left_out as u64;
    }

    /// Is so little left out that searching all steps is faster? After so many places as `worth` names, as many per cent of the steps must be
    /// left out.
    pub fn is_idle(&self, worth: &[(u64, u64)]) -> bool {
        let demanded = worth.iter().find(|(at, _)| *at == self.places).map(|(_, percent)| *percent);
        demanded.is_some_and(|percent| self.left_out * 100 < (self.taken + self.left_out) * percent)
    }
}

impl std::ops::AddAssign for Savings {
    fn add_assign(&mut self, more: Savings) {
        self.properties += more.properties;
        self.places += more.places;
        self.taken += more.taken;
        self.left_out += more.left_out;
    }
}

/// What symmetry reduction saved: states that stand for all that come from them when those who are alike change places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymmetrySavings {
    /// Properties that were decided so.
    pub properties: u64,
    /// States that were visited.
    pub visited: u64,
    /// States that they stand for, where several searches met one counted as often.
    pub stand_for: BigUint,
}

/// The size of a model whose reachable states are all known. What an engine does not count is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Reachable states.
    pub states: BigUint,
    /// Transitions between them.
    pub transitions: Option<BigUint>,
    /// Reachable states without successor.
    pub deadlocks: BigUint,
    /// Initial states.
    pub initial: Option<u64>,
    /// The length of the longest shortest way from an initial state.
    pub diameter: Option<u64>,
    /// Memory that the states and transitions take.
    pub bytes: Option<u64>,
}
