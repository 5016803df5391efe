//! The shortest ways to the states of a space.

use crate::{Space, Via};

/// A shortest way to each state. All engines choose the same: of the states at the same distance the smallest comes first, and what leads
/// to a state is the first step of the first state before it.
pub struct Ways {
    /// The states in the order of their distance, and of states at the same distance the smaller first.
    order: Vec<u32>,
    /// The place of each state in that order; `u32::MAX` where no known way leads there.
    places: Vec<u32>,
    parents: Vec<Option<(u32, Via)>>,
}

impl Ways {
    pub(crate) fn new(space: &Space<'_>) -> Self {
        let mut parents = vec![None; space.len()];
        let mut order: Vec<u32> = Vec::new();
        for_each_level(space, |level, found| {
            level.sort_unstable_by_key(|state| space.state(*state));
            order.extend_from_slice(level);
            for source in level {
                for step in space.steps(*source) {
                    if found(step.target) {
                        parents[step.target as usize] = Some((*source, step.via));
                    }
                }
            }
        });
        let mut places = vec![u32::MAX; space.len()];
        (0..).zip(&order).for_each(|(place, state)| places[*state as usize] = place);
        Ways { order, places, parents }
    }

    /// The states in the order of their distance.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a state in that order.
    pub fn place(&self, state: u32) -> u32 {
        self.places[state as usize]
    }

    /// Of some states the one nearest to an initial state, and of several the smallest.
    pub fn nearest(&self, states: impl Iterator<Item = u32>) -> Option<u32> {
        states.min_by_key(|state| self.place(*state))
    }

    /// The distance of a state from the nearest initial one.
    pub fn distance(&self, mut state: u32) -> u64 {
        let mut distance = 0;
        while let Some((parent, _)) = self.parents[state as usize] {
            distance += 1;
            state = parent;
        }
        distance
    }

    /// The labels of a shortest way to a state.
    pub fn path_to(&self, space: &Space<'_>, state: u32) -> Vec<String> {
        let mut labels = Vec::new();
        let mut here = state;
        while let Some((parent, via)) = self.parents[here as usize] {
            labels.push(space.show_label(space.label(via)));
            here = parent;
        }
        labels.reverse();
        labels
    }
}

/// Visits the states level by level, those of one distance at once. The visitor says what it meets and hears whether that is new.
pub(crate) fn for_each_level(
    space: &Space<'_>,
    mut visit: impl FnMut(&mut Vec<u32>, &mut dyn FnMut(u32) -> bool),
) {
    let mut met = vec![false; space.len()];
    let mut level: Vec<u32> = space.initial().collect();
    level.iter().for_each(|state| met[*state as usize] = true);
    while !level.is_empty() {
        let mut next = Vec::new();
        visit(&mut level, &mut |state| {
            let new = !std::mem::replace(&mut met[state as usize], true);
            if new {
                next.push(state);
            }
            new
        });
        level = next;
    }
}
