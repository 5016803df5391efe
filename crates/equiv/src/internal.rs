//! Cycles of internal steps.
//!
//! States on such a cycle are branching and weakly bisimilar, so they are made one. Afterwards internal steps lead to
//! states with smaller numbers only, which is the order in which signatures can be made.

use servanda_lts::{Lts, State};

use crate::quotient::Reduced;
use crate::refine::Inert;

/// Makes each strongly connected component of internal steps one state, and drops the loops this gives. Internal steps
/// of the result lead to smaller numbers.
pub(crate) fn collapse(lts: &Lts) -> Reduced {
    // Rows are sorted, and the internal label is the smallest.
    let internal = |state: usize, at: usize| {
        let edge = lts.edges(State::from_index(state)).get(at).filter(|edge| edge.action.is_internal())?;
        Some(edge.target.index())
    };
    let components = servanda_graph::components(lts.states(), internal).of;
    Reduced::new(lts, components.into_iter().map(State::from_index).collect(), Inert::Internal)
}
