//! Finding all states.

use rustc_hash::FxHashSet;
use servanda_engine::{Budget, Deadlock, Halt, Limited, Stop};
use servanda_model::Model;
use servanda_space::Space;

use super::{GraphFailure, StateGraph, Transition};

/// While the steps of one state are made it is asked now and then whether to go on; after so many times the answer is no.
const MOST_ASKED: u64 = 5;

/// Within [`MOST_ASKED`] a state has at least so many steps.
const MOST_STEPS: usize = 1 << 13;

impl StateGraph {
    /// All reachable states of the model, breadth first.
    ///
    /// # Errors
    ///
    /// There are more than `most`, a transition cannot be made, or the budget says stop.
    pub fn new(model: &Model, most: usize, budget: &dyn Budget) -> Result<Self, GraphFailure> {
        let drawable = || Limited::new(budget).space(most as u64, u64::MAX);
        let too_large = || format!("the model has more than {most} states, too many to draw");
        let failure = |halt: Halt, too_much: String| match halt {
            Halt::Fault(fault) => GraphFailure::Unfit(format!(
                "{} gives a variable a value that it cannot have, in the state: {}",
                fault.transition, fault.state
            )),
            Halt::Stopped { stop, .. } if stop != Stop::Bound => GraphFailure::Stopped(stop),
            Halt::Stopped { .. } | Halt::Invalid(_) | Halt::TooLarge(_) | Halt::NotOffered => {
                GraphFailure::Unfit(too_much)
            }
        };
        let space = Space::new(model, Deadlock::Strict, &drawable());
        let mut space = space.map_err(|halt| failure(halt, too_large()))?;
        let mut transitions = Vec::new();
        let mut from = 0;
        while from < space.len() {
            let expanded = space.expand(from as u32, &drawable().reports(MOST_ASKED)).map(|_| ());
            expanded.map_err(|halt| {
                let many = format!("a state of the model has more than {MOST_STEPS} transitions");
                failure(halt, format!("{many}, too many to draw"))
            })?;
            if space.len() > most {
                return Err(GraphFailure::Unfit(too_large()));
            }
            let mut seen = FxHashSet::default();
            for step in space.steps(from as u32) {
                let (label, to) = (space.show_label(space.label(step.via)), step.target as usize);
                if seen.insert((label.clone(), to)) {
                    transitions.push(Transition { from, label, to });
                }
            }
            from += 1;
        }
        let numbers = 0..space.len() as u32;
        Ok(StateGraph {
            name: model.name.clone(),
            states: numbers.clone().map(|state| space.view(state)).collect(),
            packed: numbers.map(|state| space.state(state).to_vec()).collect(),
            initial: space.initial().map(|state| state as usize).collect(),
            transitions,
            commitments: model.view_named_commitments(),
        })
    }
}
