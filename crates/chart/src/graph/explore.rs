//! Finding all states.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_model::{Cause, InitialStates, Layout, Model, MoveError, Mover, StateView, StepFault};

use super::{GraphFailure, StateGraph, Transition};

/// Twice for each joint action of a state it is asked whether to go on; after so many times the answer is no.
const MOST_ASKED: usize = 1 << 14;

impl StateGraph {
    /// All reachable states of the model, breadth first.
    ///
    /// # Errors
    ///
    /// There are more than `most`, or a transition cannot be made.
    pub fn new(model: &Model, most: usize) -> Result<Self, GraphFailure> {
        let mut mover = Mover::new(model);
        let initial = mover.initial_states();
        let layout = mover.layout().clone();
        explore(model, &layout, initial, most, |state, found| {
            let mut asked = 0;
            let go_on = || {
                asked += 1;
                match asked > MOST_ASKED {
                    true => Err(GraphFailure::TooManyTransitions(MOST_ASKED / 2)),
                    false => Ok(()),
                }
            };
            let visit = |cause: Cause<'_>, next: &[u64]| found.push((model.show_cause(cause), next.to_vec()));
            mover.try_for_each(state, go_on, visit, |_| ()).map_err(|error| match error {
                MoveError::Stopped(failure) => failure,
                MoveError::Fault(
                    StepFault::OutOfRange { command, .. } | StepFault::NoValue { command, .. },
                ) => {
                    let label = model.show_label(model.command(command).label);
                    let state = StateView::new(model, &layout, state);
                    GraphFailure::Fault(format!(
                        "{label} gives a variable a value that it cannot have, in the state: {state}"
                    ))
                }
            })
        })
    }
}

type Found = Vec<(String, Vec<u64>)>;

fn explore(
    model: &Model,
    layout: &Layout,
    initial: InitialStates<'_>,
    most: usize,
    mut successors: impl FnMut(&[u64], &mut Found) -> Result<(), GraphFailure>,
) -> Result<StateGraph, GraphFailure> {
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut packed: Vec<Vec<u64>> = Vec::new();
    let mut add = |state: Vec<u64>, packed: &mut Vec<Vec<u64>>| {
        if let Some(number) = numbers.get(&state) {
            return Ok(*number);
        }
        if packed.len() >= most {
            return Err(GraphFailure::TooLarge(most));
        }
        numbers.insert(state.clone(), packed.len());
        packed.push(state);
        Ok(packed.len() - 1)
    };
    let mut first = Vec::new();
    for state in initial {
        let number = add(state.to_vec(), &mut packed)?;
        if !first.contains(&number) {
            first.push(number);
        }
    }
    let mut transitions = Vec::new();
    let mut from = 0;
    while from < packed.len() {
        let mut found = Vec::new();
        successors(&packed[from].clone(), &mut found)?;
        let mut seen = FxHashSet::default();
        for (label, next) in found {
            let to = add(next, &mut packed)?;
            if seen.insert((label.clone(), to)) {
                transitions.push(Transition { from, label, to });
            }
        }
        from += 1;
    }
    let states = packed.iter().map(|state| StateView::new(model, layout, state)).collect();
    Ok(StateGraph { name: model.name.clone(), states, packed, initial: first, transitions })
}
