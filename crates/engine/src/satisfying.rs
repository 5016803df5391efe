//! The states where a formula holds.

use num_bigint::BigUint;
use servanda_model::StateView;

/// The reachable states of a model, divided by a state formula. Where there are fairness constraints these are the states on fair runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Satisfying {
    /// All of them.
    pub reachable: BigUint,
    /// Those where the formula holds, however they were reached.
    pub count: BigUint,
    /// Those where it depends on how they were reached: formulas that look back on a run can tell.
    pub depends: BigUint,
    /// The first of those where it holds, in the order of their packed values, which is that of the model's variables.
    pub first: Vec<StateView>,
}
