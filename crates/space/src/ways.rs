//! The shortest ways to the states of a space.

use crate::{Space, Via};

/// How each state is first met when the nearest are visited first.
pub struct Ways {
    /// The states in the order of their distance.
    order: Vec<u32>,
    /// The place of each state in that order; `u32::MAX` where no known way leads there.
    places: Vec<u32>,
    parents: Vec<Option<(u32, Via)>>,
    diameter: u64,
}

impl Ways {
    pub(crate) fn new(space: &Space<'_>) -> Self {
        let mut order: Vec<u32> = space.initial().collect();
        let mut parents = vec![None; space.len()];
        let mut places = vec![u32::MAX; space.len()];
        (0..).zip(&order).for_each(|(place, state)| places[*state as usize] = place);
        let (mut next, mut end_of_level, mut diameter) = (0, order.len(), 0);
        while let Some(&source) = order.get(next) {
            if next == end_of_level {
                diameter += 1;
                end_of_level = order.len();
            }
            for step in space.steps(source) {
                let target = step.target as usize;
                if places[target] == u32::MAX {
                    places[target] = order.len() as u32;
                    parents[target] = Some((source, step.via));
                    order.push(step.target);
                }
            }
            next += 1;
        }
        Ways { order, places, parents, diameter }
    }

    /// The states in the order of their distance.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a state in that order.
    pub fn place(&self, state: u32) -> u32 {
        self.places[state as usize]
    }

    /// The longest of the shortest distances from an initial state.
    pub fn diameter(&self) -> u64 {
        self.diameter
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
