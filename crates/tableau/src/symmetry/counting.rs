//! The size of a model by its states in order: each counts as often as places can be changed in it.

use num_bigint::BigUint;
use servanda_engine::{Budget, Counts, Halt, Progress, SymmetrySavings, UnreachableLocation};
use servanda_lower::Lowering;
use servanda_model::{Cause, LabelId, Machine, Mover, StateView};
use servanda_space::Space;

use super::blocks::Order;
use super::{Symmetries, Symmetry, taken};
use crate::search::REPORT_EVERY;

/// What is known of a model of which all states in order were visited.
pub(crate) struct Counted {
    pub(crate) counts: Counts,
    pub(crate) deadlock: Option<StateView>,
    pub(crate) unreachable: Vec<UnreachableLocation>,
}

impl<'m> Symmetries<'m> {
    /// Visits all states in order; `None` where nobody is alike, or time passes in the model.
    pub(crate) fn count(
        &mut self,
        lowering: &Lowering<'m>,
        budget: &dyn Budget,
    ) -> Result<Option<Counted>, Halt> {
        if lowering.model.tick.is_some() {
            return Ok(None);
        }
        let Some(symmetry) = self.symmetry(lowering, budget)? else { return Ok(None) };
        let group = symmetry.whole();
        let mut space = taken(&mut self.pool, &symmetry, &group, lowering, budget)?;
        let counted = space.explore(budget).and_then(|()| {
            let counts = counts(&space, &symmetry.order(&group), budget)?;
            let unreachable = unreachable(&symmetry, &space);
            Ok(Counted { counts, deadlock: space.nearest_deadlock(), unreachable })
        });
        self.pool.entry(group).or_default().push(space);
        counted.map(Some)
    }

    /// What symmetries have saved; `None` also where there is no time to sum it up.
    pub(crate) fn savings(&self, budget: &dyn Budget) -> Option<SymmetrySavings> {
        let symmetry = self.found.as_ref()?.as_ref()?;
        let mut savings = SymmetrySavings { properties: self.decided, visited: 0, stand_for: BigUint::ZERO };
        for (group, spaces) in &self.pool {
            let order = symmetry.order(group);
            for space in spaces {
                savings.visited += space.len() as u64;
                savings.stand_for += sum(space, &order, budget, |_| 1u32.into()).ok()?;
            }
        }
        (savings.visited > 0).then_some(savings)
    }
}

/// The sum over all states of a number that is the same wherever places are changed.
fn sum(
    space: &Space<'_>,
    order: &Order,
    budget: &dyn Budget,
    number: impl Fn(u32) -> BigUint,
) -> Result<BigUint, Halt> {
    let of_state = |state: u32| {
        Progress::nodes(state as usize, REPORT_EVERY, budget)?;
        Ok(order.orbit(space.state(state)) * number(state))
    };
    (0..space.len() as u32).map(of_state).sum()
}

fn counts(space: &Space<'_>, order: &Order, budget: &dyn Budget) -> Result<Counts, Halt> {
    let one = || BigUint::from(1u32);
    let inside = space.counts();
    let initial = space.initial();
    let mut deadlocks = vec![false; space.len()];
    space.deadlocks().for_each(|state| deadlocks[state as usize] = true);
    // Two steps may lead to states that come from each other, and yet are two.
    let mover = std::cell::RefCell::new(Mover::new(space.model));
    let steps = |state: u32| {
        let mut found: Vec<(LabelId, Vec<u64>)> = Vec::new();
        let add = |cause: Cause<'_>, next: &[u64]| {
            found.extend(cause.command().map(|id| (space.model.command(id).label, next.to_vec())));
        };
        // All steps could be made before.
        let _ = mover.borrow_mut().for_each(space.state(state), add);
        found.sort_unstable();
        found.dedup();
        found.len().into()
    };
    let begins = |state: u32| if initial.contains(&state) { one() } else { BigUint::ZERO };
    let stops = |state: u32| if deadlocks[state as usize] { one() } else { BigUint::ZERO };
    let number_of_initial = sum(space, order, budget, begins)?;
    Ok(Counts {
        states: sum(space, order, budget, |_| one())?,
        transitions: Some(sum(space, order, budget, steps)?),
        deadlocks: sum(space, order, budget, stops)?,
        initial: u64::try_from(number_of_initial).ok(),
        ..inside
    })
}

/// The control states that no run reaches. Whatever a member has somewhere another has after these two have changed places.
fn unreachable(symmetry: &Symmetry, space: &Space<'_>) -> Vec<UnreachableLocation> {
    // One control state is reached by whoever is there.
    let of_one = |machine: &Machine| space.model.variable(machine.variable).domain.size() == 1;
    if space.model.machines.iter().all(of_one) {
        return UnreachableLocation::outside(space.model, &space.layout, |see| {
            space.reachable().for_each(see);
        });
    }
    UnreachableLocation::outside(space.model, &space.layout, |see| {
        for state in space.reachable() {
            see(state);
            for family in &symmetry.families {
                for b in 1..family.rows.members {
                    for a in 0..b {
                        let mut exchanged = state.to_vec();
                        family.rows.exchange(&mut exchanged, a, b);
                        see(&exchanged);
                    }
                }
            }
        }
    })
}
