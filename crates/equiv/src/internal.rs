//! Cycles of internal steps.
//!
//! States on such a cycle are branching and weakly bisimilar, so they are made one. Afterwards internal steps lead to
//! states with smaller numbers only, which is the order in which signatures can be made.

use servanda_lts::{Edge, Lts, State};

/// A system without cycles of internal steps, and which of its states each old state has become.
pub(crate) struct Collapsed {
    pub(crate) lts: Lts,
    pub(crate) image: Vec<State>,
}

/// Makes each strongly connected component of internal steps one state, and drops the loops this gives. Internal steps
/// of the result lead to smaller numbers.
pub(crate) fn collapse(lts: &Lts) -> Collapsed {
    // Rows are sorted, and the internal label is the smallest.
    let internal = |state: usize, at: usize| {
        let edge = lts.edges(State::from_index(state)).get(at).filter(|edge| edge.action.is_internal())?;
        Some(edge.target.index())
    };
    let components = servanda_graph::components(lts.states(), internal).of;
    let image: Vec<State> = components.into_iter().map(State::from_index).collect();
    let count = image.iter().map(|state| state.index() + 1).max().unwrap_or(0);
    let mut transitions = Vec::with_capacity(lts.transitions());
    for state in lts.all_states() {
        let source = image[state.index()];
        for Edge { action, target } in lts.edges(state) {
            let target = image[target.index()];
            if !(action.is_internal() && source == target) {
                transitions.push((source, *action, target));
            }
        }
    }
    let lts = Lts::new(count, image[lts.initial().index()], transitions, lts.labels().clone());
    Collapsed { lts, image }
}
