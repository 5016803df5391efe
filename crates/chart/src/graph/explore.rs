//! Finding all states.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_model::{InitialStates, Layout, Model, RoundStepper, StateView, StepFault, Stepper};

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
        if model.rounds.is_some() {
            let mut stepper = RoundStepper::new(model);
            let (layout, initial) = (stepper.layout().clone(), stepper.initial_states());
            explore(model, &layout, initial, most, |state, found| {
                let mut asked = 0;
                let go_on = || {
                    asked += 1;
                    if asked > MOST_ASKED {
                        Err(GraphFailure::TooManyTransitions(MOST_ASKED / 2))
                    } else {
                        Ok(())
                    }
                };
                let visit = |joint: &[usize], next: &[u64]| {
                    found.push((model.show_joint_action(joint), next.to_vec()))
                };
                stepper.try_for_each_successor(state, go_on, visit, |_| {})
            })
        } else {
            let mut stepper = Stepper::new(model);
            let (layout, initial) = (stepper.layout().clone(), stepper.initial_states());
            explore(model, &layout, initial, most, |state, found| {
                let visit = |id, next: &[u64]| {
                    found.push((model.show_label(model.command(id).label), next.to_vec()));
                };
                stepper.for_each_successor(state, visit).map_err(|fault| {
                    let (StepFault::OutOfRange { command, .. } | StepFault::NoValue { command, .. }) = fault;
                    let label = model.show_label(model.command(command).label);
                    let state = StateView::new(model, stepper.layout(), state);
                    GraphFailure::Fault(format!(
                        "{label} gives a variable a value that it cannot have, in the state: {state}"
                    ))
                })
            })
        }
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
