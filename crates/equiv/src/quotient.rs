//! Systems with one state per block.

use servanda_engine::Halt;
use servanda_lts::{Edge, Lts, State};

use crate::internal::collapse;
use crate::partition::Partition;
use crate::refine::{Inert, refine};
use crate::watch::Watch;

/// A smaller system, and which of its states each old state has become.
pub(crate) struct Reduced {
    pub(crate) lts: Lts,
    pub(crate) image: Vec<State>,
}

impl Reduced {
    /// Makes all states one that have the same image. Internal steps inside such a state are dropped if they are inert.
    pub(crate) fn new(lts: &Lts, image: Vec<State>, inert: Inert) -> Self {
        let count = image.iter().map(|state| state.index() + 1).max().unwrap_or(0);
        let mut transitions = Vec::with_capacity(lts.transitions());
        for state in lts.all_states() {
            let source = image[state.index()];
            for Edge { action, target } in lts.edges(state) {
                let target = image[target.index()];
                if !(inert == Inert::Internal && action.is_internal() && source == target) {
                    transitions.push((source, *action, target));
                }
            }
        }
        let initial = image[lts.initial().index()];
        Reduced { lts: Lts::new(count, initial, transitions, lts.labels().clone()), image }
    }

    /// Made still smaller.
    pub(crate) fn then(self, next: Reduced) -> Self {
        let image = self.image.iter().map(|state| next.image(*state)).collect();
        Reduced { lts: next.lts, image }
    }

    /// What a state has become.
    pub(crate) fn image(&self, state: State) -> State {
        self.image[state.index()]
    }
}

/// One state for each class of strong bisimilarity.
pub(crate) fn strong(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Halt> {
    let partition = refine(lts, Inert::None, watch)?;
    Ok(quotient(lts, &partition, Inert::None))
}

/// One state for each class of branching bisimilarity, without inert steps.
pub(crate) fn branching(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Halt> {
    let collapsed = collapse(lts);
    let partition = refine(&collapsed.lts, Inert::Internal, watch)?;
    let quotient = quotient(&collapsed.lts, &partition, Inert::Internal);
    Ok(collapsed.then(quotient))
}

/// The system of the blocks. Internal steps inside a block are dropped if they are inert.
pub(crate) fn quotient(lts: &Lts, partition: &Partition, inert: Inert) -> Reduced {
    Reduced::new(lts, lts.all_states().map(|state| State(partition.block(state).0)).collect(), inert)
}
