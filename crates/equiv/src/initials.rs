//! What each state can do at once.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lts::{Action, Lts, State};

use crate::refine::Inert;
use crate::watch::Watch;

/// The labels of the next steps of each state. Many states have the same, so each set is kept once.
pub(crate) struct Initials {
    of: Vec<u32>,
    sets: Vec<Box<[Action]>>,
}

impl Initials {
    /// With inert steps these are the visible labels after any number of internal steps, which must lead to smaller numbers.
    pub(crate) fn new(lts: &Lts, inert: Inert, watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let mut initials = Initials { of: Vec::with_capacity(lts.states()), sets: Vec::new() };
        let mut numbers: FxHashMap<Box<[Action]>, u32> = FxHashMap::default();
        for state in lts.all_states() {
            let mut labels: Vec<Action> = Vec::new();
            for edge in lts.edges(state) {
                if inert == Inert::Internal && edge.action.is_internal() {
                    labels.extend(initials.of(edge.target));
                } else {
                    labels.push(edge.action);
                }
            }
            watch.work(labels.len())?;
            labels.sort_unstable();
            labels.dedup();
            let labels = labels.into_boxed_slice();
            let fresh = initials.sets.len() as u32;
            let number = *numbers.entry(labels).or_insert_with_key(|labels| {
                initials.sets.push(labels.clone());
                fresh
            });
            initials.of.push(number);
        }
        Ok(initials)
    }

    /// The labels of a state, sorted.
    pub(crate) fn of(&self, state: State) -> &[Action] {
        &self.sets[self.of[state.index()] as usize]
    }

    /// Can a state do it?
    pub(crate) fn has(&self, state: State, action: Action) -> bool {
        self.of(state).binary_search(&action).is_ok()
    }
}
