//! Sets of states as states: what can be after a trace.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lts::{Action, Edge, Lts, State};

use crate::refine::Inert;
use crate::watch::Watch;

/// The sets met so far, each closed under inert steps. Their numbers are the states of a deterministic system.
pub(crate) struct Sets<'l> {
    lts: &'l Lts,
    /// Are internal steps looked through, or labels like all others?
    inert: Inert,
    pub(crate) sets: Vec<Box<[State]>>,
    numbers: FxHashMap<Box<[State]>, State>,
    seen: Vec<bool>,
}

impl<'l> Sets<'l> {
    pub(crate) fn new(lts: &'l Lts, inert: Inert) -> Self {
        Sets { lts, inert, sets: Vec::new(), numbers: FxHashMap::default(), seen: vec![false; lts.states()] }
    }

    /// The states of a set, sorted.
    pub(crate) fn members(&self, set: State) -> &[State] {
        &self.sets[set.index()]
    }

    /// The set of what inert steps can reach from these states.
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
        while let Some(&state) = set.get(next).filter(|_| self.inert == Inert::Internal) {
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

    /// Where a label leads from a set; `None` if it leads nowhere.
    pub(crate) fn step(
        &mut self,
        set: State,
        action: Action,
        watch: &mut Watch<'_>,
    ) -> Result<Option<State>, Halt> {
        let lts = self.lts;
        let targets: Vec<State> =
            self.members(set).iter().flat_map(|state| lts.successors(*state, action)).collect();
        watch.work(self.members(set).len() + targets.len())?;
        if targets.is_empty() { Ok(None) } else { self.closed(targets, watch).map(Some) }
    }

    /// The steps of a set that are not inert, sorted by label; each label leads to one set.
    pub(crate) fn steps(&mut self, set: State, watch: &mut Watch<'_>) -> Result<Vec<Edge>, Halt> {
        let members = self.sets[set.index()].iter();
        let inert = |edge: &Edge| self.inert == Inert::Internal && edge.action.is_internal();
        let edges = members.flat_map(|state| self.lts.edges(*state)).filter(|edge| !inert(edge));
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
