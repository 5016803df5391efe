//! The states and transitions of a model, found without an engine, and the lassos among its paths.

use std::collections::HashMap;

use servanda_model::{Label, Model, StateView, Stepper};

use crate::lasso::{Lasso, Position};

/// An explicit graph.
pub struct Walks<'m> {
    model: &'m Model,
    states: Vec<StateView>,
    /// For each state the labels and targets of its transitions, each once; a deadlock has its implicit loop.
    steps: Vec<Vec<(Option<usize>, usize)>>,
    initial: Vec<usize>,
}

impl<'m> Walks<'m> {
    /// Explores a model; `None` where it has more than `most` states.
    ///
    /// # Panics
    /// When a transition cannot be made although its guard holds.
    pub fn new(model: &'m Model, most: usize) -> Option<Self> {
        let mut stepper = Stepper::new(model);
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut packed: Vec<Vec<u64>> = Vec::new();
        let mut number = |state: Vec<u64>, packed: &mut Vec<Vec<u64>>| {
            *numbers.entry(state.clone()).or_insert_with(|| {
                packed.push(state);
                packed.len() - 1
            })
        };
        let mut initial: Vec<usize> =
            stepper.initial_states().map(|state| number(state, &mut packed)).collect();
        initial.dedup();
        let mut steps: Vec<Vec<(Option<usize>, usize)>> = Vec::new();
        while steps.len() < packed.len() {
            if packed.len() > most {
                return None;
            }
            let here = steps.len();
            let mut successors = Vec::new();
            let found = stepper.for_each_successor(&packed[here], |command, next| {
                successors.push((model.command(command).label.index(), next.to_vec()));
            });
            found.expect("assignments stay within their ranges");
            let mut own: Vec<(Option<usize>, usize)> = successors
                .into_iter()
                .map(|(label, next)| (Some(label), number(next, &mut packed)))
                .collect();
            own.sort_unstable();
            own.dedup();
            if own.is_empty() {
                own.push((None, here));
            }
            steps.push(own);
        }
        let view = |state: &Vec<u64>| StateView::new(model, stepper.layout(), state);
        let states = packed.iter().map(view).collect();
        Some(Walks { model, states, steps, initial })
    }

    /// The numbers of the initial states.
    pub fn initial(&self) -> &[usize] {
        &self.initial
    }

    /// All lassos from a state with at most `edges` transitions in stem and loop, but no more than `most` of them.
    pub fn lassos(&self, start: usize, edges: usize, most: usize) -> Vec<Lasso<'_>> {
        let mut found = Vec::new();
        // Shorter walks first, so that what is cut off are long ones. A walk is what it went through, and where it is.
        let mut walks: Vec<(Vec<(usize, Option<usize>)>, usize)> = vec![(Vec::new(), start)];
        for _ in 0..edges {
            let mut longer = Vec::new();
            for (walk, here) in &walks {
                for (label, target) in &self.steps[*here] {
                    let mut walk = walk.clone();
                    walk.push((*here, *label));
                    for back in 0..walk.len() {
                        if walk[back].0 == *target {
                            found.push(self.lasso(&walk, back));
                        }
                    }
                    longer.push((walk, *target));
                }
            }
            longer.truncate(most);
            walks = longer;
        }
        found.truncate(most);
        found
    }

    fn label(&self, label: Option<usize>) -> Option<&Label> {
        label.map(|label| &self.model.labels[label])
    }

    fn lasso(&self, walk: &[(usize, Option<usize>)], back: usize) -> Lasso<'_> {
        let position = |(state, label): &(usize, Option<usize>)| Position {
            state: &self.states[*state],
            label: self.label(*label),
        };
        Lasso { positions: walk.iter().map(position).collect(), back }
    }
}
