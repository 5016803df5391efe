//! Sets of states as states: what can be after a trace.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lts::{Action, Edge, Lts, State};

use crate::watch::Watch;

/// The sets met so far, each closed under internal steps. Their numbers are the states of a deterministic system.
pub(crate) struct Sets<'l> {
    lts: &'l Lts,
    pub(crate) sets: Vec<Box<[State]>>,
    numbers: FxHashMap<Box<[State]>, State>,
    seen: Vec<bool>,
}

impl<'l> Sets<'l> {
    pub(crate) fn new(lts: &'l Lts) -> Self {
        Sets { lts, sets: Vec::new(), numbers: FxHashMap::default(), seen: vec![false; lts.states()] }
    }

    /// The set of what internal steps can reach from these states.
    pub(crate) fn closed(
        &mut self,
        states: impl IntoIterator<Item = State>,
        watch: &mut Watch<'_>,
    ) -> Result<State, Halt> {
        let mut set: Vec<State> = Vec::new();
        for state in states {
            if !std::mem::replace(&mut self.seen[state.index()], true) {
                set.push(state);
            }
        }
        let mut next = 0;
        while let Some(&state) = set.get(next) {
            next += 1;
            for target in self.lts.successors(state, Action::INTERNAL) {
                if !std::mem::replace(&mut self.seen[target.index()], true) {
                    set.push(target);
                }
            }
        }
        for state in &set {
            self.seen[state.index()] = false;
        }
        watch.work(set.len())?;
        set.sort_unstable();
        let set = set.into_boxed_slice();
        if let Some(&known) = self.numbers.get(&set) {
            return Ok(known);
        }
        let id = State::from_index(self.sets.len());
        self.sets.push(set.clone());
        self.numbers.insert(set, id);
        Ok(id)
    }

    /// The visible steps of a set, sorted by label; each label leads to one set.
    pub(crate) fn steps(&mut self, set: State, watch: &mut Watch<'_>) -> Result<Vec<Edge>, Halt> {
        let members = self.sets[set.index()].iter();
        let edges =
            members.flat_map(|state| self.lts.edges(*state)).filter(|edge| !edge.action.is_internal());
        let mut edges: Vec<Edge> = edges.copied().collect();
        watch.work(edges.len())?;
        edges.sort_unstable();
        let mut steps = Vec::new();
        for by_label in edges.chunk_by(|one, other| one.action == other.action) {
            let target = self.closed(by_label.iter().map(|edge| edge.target), watch)?;
            steps.push(Edge { action: by_label[0].action, target });
        }
        Ok(steps)
    }
}
