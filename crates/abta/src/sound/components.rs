//! The parts of an automaton in which a run can stay for ever: strongly connected components with a cycle.

use crate::automaton::{Abta, Component, Quantifier, StateId, StateKind};

/// Finds the components, those that others lead to first, and enters them in the states.
pub(crate) fn find_components(abta: &mut Abta) {
    let mut search = Search {
        abta,
        index: vec![usize::MAX; abta.states.len()],
        low: vec![0; abta.states.len()],
        on_stack: vec![false; abta.states.len()],
        stack: Vec::new(),
        visited: 0,
        found: Vec::new(),
    };
    for start in 0..search.abta.states.len() {
        if search.index[start] == usize::MAX {
            search.visit(start);
        }
    }
    let found = search.found;
    abta.components.clear();
    for state in &mut abta.states {
        state.component = None;
    }
    for mut states in found {
        states.sort_unstable();
        let ids: Vec<StateId> = states.iter().map(|index| StateId::from_index(*index)).collect();
        // Cycles go through steps, and all steps of one have the same quantifier.
        let universal = ids.iter().any(|id| matches!(abta.state(*id).kind, StateKind::StepForAll(_)));
        let quantifier = if universal { Quantifier::ForAll } else { Quantifier::Exists };
        for id in &ids {
            abta.states[id.index()].component = Some(abta.components.len());
        }
        abta.components.push(Component { quantifier, states: ids });
    }
}

/// Tarjan's search with a stack of its own: automata can be deep.
struct Search<'a> {
    abta: &'a Abta,
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    visited: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn enter(&mut self, state: usize) {
        self.index[state] = self.visited;
        self.low[state] = self.visited;
        self.visited += 1;
        self.stack.push(state);
        self.on_stack[state] = true;
    }

    fn visit(&mut self, start: usize) {
        let abta = self.abta;
        self.enter(start);
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            match abta.states[state].successors.get(*next) {
                Some(successor) => {
                    *next += 1;
                    let successor = successor.index();
                    if self.index[successor] == usize::MAX {
                        self.enter(successor);
                        path.push((successor, 0));
                    } else if self.on_stack[successor] {
                        self.low[state] = self.low[state].min(self.index[successor]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[state]);
                    }
                    if self.low[state] == self.index[state] {
                        self.leave(state);
                    }
                }
            }
        }
    }

    fn leave(&mut self, root: usize) {
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            members.push(member);
            if member == root {
                break;
            }
        }
        let cycles = members.len() > 1 || {
            let root = &self.abta.states[root];
            root.successors.iter().any(|id| id.index() == members[0])
        };
        if cycles {
            self.found.push(members);
        }
    }
}
