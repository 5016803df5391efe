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
    let image = components(lts);
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

/// The component of each state; Tarjan's algorithm (1972) finishes a component after all that it can reach, so these
/// have smaller numbers. Without recursion: chains of internal steps may be long.
fn components(lts: &Lts) -> Vec<State> {
    const UNSEEN: u32 = u32::MAX;
    let states = lts.states();
    let mut component = vec![State(UNSEEN); states];
    let mut order = vec![UNSEEN; states];
    let mut lowest = vec![UNSEEN; states];
    let mut open: Vec<State> = Vec::new();
    let mut path: Vec<(State, usize)> = Vec::new();
    let (mut seen, mut finished) = (0, 0);
    for root in lts.all_states() {
        if order[root.index()] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((state, next)) = path.pop() {
            let here = state.index();
            if next == 0 {
                (order[here], lowest[here]) = (seen, seen);
                seen += 1;
                open.push(state);
            }
            // Rows are sorted, and the internal label is the smallest.
            match lts.edges(state).get(next).filter(|edge| edge.action.is_internal()) {
                Some(Edge { target, .. }) => {
                    path.push((state, next + 1));
                    if order[target.index()] == UNSEEN {
                        path.push((*target, 0));
                    } else if component[target.index()].0 == UNSEEN {
                        lowest[here] = lowest[here].min(order[target.index()]);
                    }
                }
                None => {
                    if lowest[here] == order[here] {
                        while let Some(member) = open.pop() {
                            component[member.index()] = State(finished);
                            if member == state {
                                break;
                            }
                        }
                        finished += 1;
                    }
                    if let Some((parent, _)) = path.last() {
                        lowest[parent.index()] = lowest[parent.index()].min(lowest[here]);
                    }
                }
            }
        }
    }
    component
}
