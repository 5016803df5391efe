//! Two systems side by side.

use crate::{Action, Edge, Lts, State};

/// Two systems as one, with the labels of both; what each was is where each begins.
#[derive(Clone, Debug)]
pub struct Union {
    /// The states of the first system and then those of the second; it begins where the first begins.
    pub lts: Lts,
    /// Where the first system begins.
    pub left: State,
    /// Where the second system begins.
    pub right: State,
}

impl Union {
    /// The states of `left` keep their numbers.
    pub fn new(left: &Lts, right: &Lts) -> Self {
        let mut labels = left.labels().clone();
        let names = right.labels().all().map(|action| right.labels().name(action));
        let actions: Vec<Action> = names.map(|name| labels.number(name)).collect();
        let offset = State::from_index(left.states()).0;
        let moved = |edge: &Edge| Edge {
            action: actions[edge.action.0 as usize],
            target: State(edge.target.0 + offset),
        };
        let left_rows = left.all_states().map(|state| left.edges(state).to_vec());
        let right_rows =
            right.all_states().map(|state| right.edges(state).iter().map(moved).collect::<Vec<_>>());
        Union {
            lts: Lts::from_rows(left.initial(), left_rows.chain(right_rows), labels),
            left: left.initial(),
            right: State(right.initial().0 + offset),
        }
    }
}
