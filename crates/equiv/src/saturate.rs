//! Saturation: a step for everything that can be done with internal steps before and after it.
//!
//! Two states are weakly bisimilar iff they are strongly bisimilar in the saturated system. Saturating can square the
//! number of transitions, so it is done on the branching quotient, which is often far smaller and never coarser.

use servanda_engine::Halt;
use servanda_lts::{Action, Edge, Lts, State};

use crate::internal::{Collapsed, collapse};
use crate::quotient::{Reduced, branching};
use crate::watch::Watch;

/// The saturated branching quotient. Its internal transitions are reflexive and transitive: `s ⇒ t`.
pub(crate) fn saturated(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Halt> {
    let reduced = branching(lts, watch)?;
    // The quotient has no cycles of internal steps; collapsing it only sorts its states.
    let Collapsed { lts: sorted, image } = collapse(&reduced.lts);
    let lts = saturate(&sorted, watch)?;
    Ok(Reduced { lts, image: reduced.image.iter().map(|state| image[state.index()]).collect() })
}

/// Internal steps must lead to smaller numbers.
fn saturate(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Halt> {
    let mut closures: Vec<Vec<State>> = Vec::with_capacity(lts.states());
    let mut rows: Vec<Vec<Edge>> = Vec::with_capacity(lts.states());
    for state in lts.all_states() {
        let mut closure = vec![state];
        for target in lts.successors(state, Action::INTERNAL) {
            closure.extend_from_slice(&closures[target.index()]);
        }
        closure.sort_unstable();
        closure.dedup();
        watch.work(closure.len())?;
        closures.push(closure);
    }
    for state in lts.all_states() {
        let mut row: Vec<Edge> = Vec::new();
        for Edge { action, target } in lts.edges(state) {
            if action.is_internal() {
                // Its row is complete; what it can reach silently is in this state's closure anyway.
                row.extend(rows[target.index()].iter().filter(|edge| !edge.action.is_internal()));
            } else {
                let after = closures[target.index()].iter();
                row.extend(after.map(|target| Edge { action: *action, target: *target }));
            }
        }
        let silent = closures[state.index()].iter();
        row.extend(silent.map(|target| Edge { action: Action::INTERNAL, target: *target }));
        row.sort_unstable();
        row.dedup();
        watch.work(row.len())?;
        rows.push(row);
    }
    Ok(Lts::from_rows(lts.initial(), rows, lts.labels().clone()))
}
