//! Saturation: a step for everything that can be done with internal steps before and after it.
//!
//! Two states are weakly bisimilar iff they are strongly bisimilar in the saturated system. Saturating can square the
//! number of transitions, so it is done on the branching quotient, which is often far smaller and never coarser.

use servanda_engine::Halt;
use servanda_lts::{Action, Edge, Lts, State};

use crate::internal::collapse;
use crate::quotient::{Reduced, branching};
use crate::watch::Watch;

/// The saturated branching quotient. Its internal transitions are reflexive and transitive: `s ⇒ t`.
pub(crate) fn saturated(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Halt> {
    let sorted = sorted(lts, watch)?;
    let lts = saturate(&sorted.lts, watch)?;
    Ok(Reduced { lts, ..sorted })
}

/// The branching quotient, where internal steps lead to smaller numbers.
pub(crate) fn sorted(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Halt> {
    let reduced = branching(lts, watch)?;
    // The quotient has no cycles of internal steps; collapsing it only sorts its states.
    let sorted = collapse(&reduced.lts);
    Ok(reduced.then(sorted))
}

/// Internal steps must lead to smaller numbers.
fn saturate(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Halt> {
    let mut closures: Vec<Vec<State>> = Vec::with_capacity(lts.states());
    let mut rows: Vec<Vec<Edge>> = Vec::with_capacity(lts.states());
    for state in lts.all_states() {
        let mut closure = Gathered::default();
        closure.add([state], watch)?;
        for target in lts.successors(state, Action::INTERNAL) {
            closure.add(closures[target.index()].iter().copied(), watch)?;
        }
        closures.push(closure.finish());
    }
    for state in lts.all_states() {
        let mut row = Gathered::default();
        for Edge { action, target } in lts.edges(state) {
            if action.is_internal() {
                // Its row is complete; what it can reach silently is in this state's closure anyway.
                let visible = rows[target.index()].iter().filter(|edge| !edge.action.is_internal());
                row.add(visible.copied(), watch)?;
            } else {
                let after = closures[target.index()].iter();
                row.add(after.map(|target| Edge { action: *action, target: *target }), watch)?;
            }
        }
        let silent = closures[state.index()].iter();
        row.add(silent.map(|target| Edge { action: Action::INTERNAL, target: *target }), watch)?;
        rows.push(row.finish());
    }
    watch.ask()?;
    Ok(Lts::from_rows(lts.initial(), rows, lts.labels().clone()))
}

/// Things without duplicates. What is gathered may have far more repetitions than differences, so these are dropped on the way: neither
/// memory nor the time between two questions to the budget gets out of hand.
pub(crate) struct Gathered<T> {
    things: Vec<T>,
    /// When there are so many, repetitions are dropped.
    full: usize,
}

impl<T> Default for Gathered<T> {
    fn default() -> Self {
        Gathered { things: Vec::new(), full: 1 << 12 }
    }
}

impl<T: Ord> Gathered<T> {
    pub(crate) fn add(
        &mut self,
        things: impl IntoIterator<Item = T>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        let before = self.things.len();
        self.things.extend(things);
        watch.work(self.things.len() - before)?;
        if self.things.len() > self.full {
            self.tidy();
            self.full = 2 * self.things.len().max(1 << 11);
        }
        Ok(())
    }

    fn tidy(&mut self) {
        self.things.sort_unstable();
        self.things.dedup();
    }

    pub(crate) fn finish(mut self) -> Vec<T> {
        self.tidy();
        self.things
    }
}
