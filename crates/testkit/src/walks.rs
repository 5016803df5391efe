//! The states and transitions of a model, found without an engine, and the lassos among its paths.

use std::collections::HashMap;
use std::convert::Infallible;

use servanda_model::{Cause, CommandId, Expr, LabelId, Model, Mover, StateView, States};

use crate::lasso::{Lasso, Position};

/// An explicit graph.
pub struct Walks<'m> {
    model: &'m Model,
    packed: Vec<Vec<u64>>,
    states: Vec<StateView>,
    steps: Vec<Vec<(CommandId, usize)>>,
    initial: Vec<usize>,
    reachable: usize,
}

/// What a walk went through: states with the labels of the transitions that leave them.
type Walk = Vec<(usize, Option<LabelId>)>;

impl<'m> Walks<'m> {
    /// Explores the reachable states of a model; `None` where there are more than `most`.
    ///
    /// # Panics
    /// When a transition cannot be made although its guard holds.
    pub fn new(model: &'m Model, most: usize) -> Option<Self> {
        let mover = Mover::new(model);
        let roots = mover.initial_states().collect();
        let mut walks = Walks {
            model,
            packed: roots,
            states: Vec::new(),
            steps: Vec::new(),
            initial: Vec::new(),
            reachable: 0,
        };
        walks.initial = (0..walks.packed.len()).collect();
        walks.explore(mover, most)?;
        walks.reachable = walks.packed.len();
        Some(walks)
    }

    /// As [`Walks::new`], but with all type-correct states; the reachable ones come first.
    ///
    /// # Panics
    /// When a transition between reachable states cannot be made although its guard holds.
    pub fn of_all_states(model: &'m Model, most: usize) -> Option<Self> {
        if model.typed_states().is_none_or(|states| states > most as u64) {
            return None;
        }
        let mut walks = Walks::new(model, most)?;
        let mover = Mover::new(model);
        let others = States::all(model, mover.layout()).filter(|state| !walks.packed.contains(state));
        let others: Vec<Vec<u64>> = others.collect();
        walks.packed.extend(others);
        walks.explore(mover, most)?;
        Some(walks)
    }

    fn explore(&mut self, mut mover: Mover<'m>, most: usize) -> Option<()> {
        let mut numbers: HashMap<Vec<u64>, usize> =
            self.packed.iter().enumerate().map(|(number, state)| (state.clone(), number)).collect();
        while self.steps.len() < self.packed.len() {
            if self.packed.len() > most {
                return None;
            }
            let state = self.packed[self.steps.len()].clone();
            let mut found: Vec<(CommandId, Vec<u64>)> = Vec::new();
            let visit = |cause: Cause<'_>, next: &[u64]| {
                found.push((cause.command().expect("one transition at a time"), next.to_vec()));
            };
            if self.reachable > 0 {
                let Ok(()) = mover.try_for_each_possible(&state, || Ok::<(), Infallible>(()), visit);
            } else {
                mover.for_each(&state, visit).expect("assignments stay within their ranges");
            }
            let mut own = Vec::new();
            for (command, next) in found {
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    self.packed.push(next);
                    self.packed.len() - 1
                });
                own.push((command, number));
            }
            self.steps.push(own);
            self.states.push(StateView::new(self.model, mover.layout(), &state));
        }
        Some(())
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Are there no states?
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of reachable states, which come first.
    pub fn reachable(&self) -> usize {
        self.reachable
    }

    /// The numbers of the initial states.
    pub fn initial(&self) -> &[usize] {
        &self.initial
    }

    /// A state.
    pub fn state(&self, number: usize) -> &StateView {
        &self.states[number]
    }

    /// The transitions of a state; none in a deadlock.
    pub fn steps(&self, number: usize) -> &[(CommandId, usize)] {
        &self.steps[number]
    }

    /// The successors of a state; a deadlock is its own.
    pub fn successors(&self, number: usize) -> Vec<usize> {
        match self.steps[number].as_slice() {
            [] => vec![number],
            steps => steps.iter().map(|(_, target)| *target).collect(),
        }
    }

    /// The condition that holds in this state alone.
    pub fn only_in(&self, number: usize) -> Expr {
        let mover = Mover::new(self.model);
        let (layout, state) = (mover.layout(), &self.packed[number]);
        let variables = self
            .model
            .variables()
            .map(|(id, _)| Expr::Variable(id).equals(Expr::Constant(layout.variable(id).read(state))));
        let commitments = self.model.commitments().map(|(id, _)| {
            let in_force = layout.commitment(id).read(state) == 1;
            if in_force { Expr::InForce(id) } else { Expr::InForce(id).negate() }
        });
        Expr::and(variables.chain(commitments))
    }

    /// The labels and targets of the transitions of a state, each once; a deadlock has its implicit loop.
    fn edges(&self, number: usize) -> Vec<(Option<LabelId>, usize)> {
        let steps = self.steps[number].iter();
        let mut edges: Vec<(Option<LabelId>, usize)> =
            steps.map(|(command, target)| (Some(self.model.command(*command).label), *target)).collect();
        edges.sort_unstable();
        edges.dedup();
        if edges.is_empty() {
            edges.push((None, number));
        }
        edges
    }

    /// All lassos from a state with at most `edges` transitions in stem and loop, but about `most` of them.
    pub fn lassos(&self, start: usize, edges: usize, most: usize) -> Vec<Lasso<'_>> {
        let mut found = Vec::new();
        // Shorter walks first, so that what is cut off are long ones.
        let mut walks: Vec<(Walk, usize)> = vec![(Vec::new(), start)];
        for _ in 0..edges {
            let mut longer = Vec::new();
            for (walk, here) in &walks {
                for (label, target) in self.edges(*here) {
                    let mut walk = walk.clone();
                    walk.push((*here, label));
                    let backs = (0..walk.len()).filter(|back| walk[*back].0 == target);
                    found.extend(backs.map(|back| self.lasso(&walk, back)));
                    longer.push((walk, target));
                }
            }
            longer.truncate(most);
            walks = longer;
        }
        found.truncate(most);
        found
    }

    fn lasso(&self, walk: &[(usize, Option<LabelId>)], back: usize) -> Lasso<'_> {
        let position = |(state, label): &(usize, Option<LabelId>)| Position {
            state: &self.states[*state],
            label: label.map(|label| self.model.label(label)),
        };
        Lasso { positions: walk.iter().map(position).collect(), back }
    }
}
