//! From states to nodes and edges.

use std::collections::{BTreeSet, HashMap, HashSet};

use servanda_messages::{GraphEdge, GraphNode, Place};
use servanda_model::{CommandId, Ends, VariableId};
use servanda_space::Via;

use super::super::places;
use super::questions::Session;

/// So many labels of an edge are listed; the last one says that there are more.
const MOST_LABELS: usize = 40;

/// What nodes are told apart by.
pub(super) enum Key {
    /// The whole state.
    State,
    /// What these variables hold.
    Values(Vec<VariableId>),
}

/// GraphParts and edges, and which states they stand for.
#[derive(Default)]
pub(super) struct GraphParts {
    pub(super) nodes: Vec<GraphNode>,
    pub(super) edges: Vec<GraphEdge>,
    /// The node of each state; `None` where it is not shown.
    pub(super) node_of: Vec<Option<usize>>,
    /// The edge between two nodes.
    pub(super) edge_of: HashMap<(usize, usize), usize>,
    /// How many nodes there would be besides.
    pub(super) left_out: usize,
}

impl Session<'_, '_> {
    /// Makes nodes, nearest first and at most so many, and edges.
    pub(super) fn build(&mut self, key: &Key, most: usize) -> GraphParts {
        let mut parts = GraphParts::default();
        self.divide(key, most, &mut parts);
        self.mark(key, &mut parts);
        self.join(&mut parts);
        parts
    }

    /// Finds the node of each state.
    fn divide(&self, key: &Key, most: usize, parts: &mut GraphParts) {
        let space = self.space();
        let mut numbers: HashMap<Vec<i64>, usize> = HashMap::default();
        for state in 0..space.reachable_len() as u32 {
            let packed = space.state(state);
            let next = numbers.len();
            let number = match key {
                Key::State => state as usize,
                Key::Values(variables) => {
                    let codes = variables.iter().map(|id| space.layout.variable(*id).read(packed)).collect();
                    *numbers.entry(codes).or_insert(next)
                }
            };
            parts.left_out = parts.left_out.max((number + 1).saturating_sub(most));
            if number >= most {
                parts.node_of.push(None);
                continue;
            }
            if number == parts.nodes.len() {
                let text = match key {
                    Key::State => space.view(state).to_string(),
                    Key::Values(variables) => self.scribe.words(packed, variables),
                };
                parts.nodes.push(GraphNode { id: number, text, ..GraphNode::default() });
            }
            parts.nodes[number].states += 1;
            parts.node_of.push(Some(number));
        }
    }

    /// Marks initial states, deadlocks, ends, and what cannot be kept.
    fn mark(&mut self, key: &Key, parts: &mut GraphParts) {
        let space = self.space();
        let ends = Ends::new(space.model, &space.layout);
        let deadlocks: HashSet<u32> = space.deadlocks().collect();
        let initial = space.initial();
        let shown: Vec<(u32, usize)> =
            (0..).zip(&parts.node_of).filter_map(|(state, node)| Some((state, (*node)?))).collect();
        for (state, node) in &shown {
            let node = &mut parts.nodes[*node];
            node.is_initial |= initial.contains(state);
            node.is_deadlock |= deadlocks.contains(state);
            node.is_final |= ends.contains(space.state(*state));
        }
        let mut broken: Vec<BTreeSet<String>> = vec![BTreeSet::new(); parts.nodes.len()];
        for (state, node) in shown {
            let packed = self.space().state(state).to_vec();
            let mut data = match key {
                Key::State => self.scribe.state(&packed),
                Key::Values(_) => self.scribe.promises(&packed),
            };
            self.survey.complete(&mut data, &packed, self.desk.watch);
            let lost = data.in_force.iter().filter(|one| one.keepable == Some(false));
            broken[node].extend(lost.map(|one| one.name.clone()));
            if matches!(key, Key::State) {
                // A state whose steps are not known yet is no deadlock.
                data.is_deadlock = parts.nodes[node].is_deadlock;
                parts.nodes[node].state = Some(data);
            }
        }
        for (node, broken) in parts.nodes.iter_mut().zip(broken) {
            node.unkeepable = broken.into_iter().collect();
        }
    }

    /// Makes one edge of all steps between two nodes.
    fn join(&mut self, parts: &mut GraphParts) {
        let space = self.space();
        let mut words: HashMap<u32, String> = HashMap::default();
        let mut firsts: Vec<(u32, Via, u32)> = Vec::new();
        for state in 0..space.reachable_len() as u32 {
            for step in space.steps(state) {
                let ends = (
                    parts.node_of[state as usize],
                    parts.node_of.get(step.target as usize).copied().flatten(),
                );
                let (Some(from), Some(to)) = ends else { continue };
                let label = space.label(step.via);
                let label = words.entry(label).or_insert_with(|| space.show_label(label));
                let id = *parts.edge_of.entry((from, to)).or_insert_with(|| {
                    firsts.push((state, step.via, step.target));
                    parts.edges.push(GraphEdge {
                        id: parts.edges.len(),
                        from,
                        to,
                        labels: Vec::new(),
                        place: None,
                    });
                    parts.edges.len() - 1
                });
                let labels = &mut parts.edges[id].labels;
                if labels.len() < MOST_LABELS && !labels.contains(label) {
                    labels.push(label.clone());
                } else if labels.len() == MOST_LABELS && !labels.contains(label) {
                    labels.push("…".to_owned());
                }
            }
        }
        let places: Vec<Option<Place>> = firsts.into_iter().map(|first| self.place(first)).collect();
        for (edge, place) in parts.edges.iter_mut().zip(places) {
            edge.place = place;
        }
    }

    /// Where a step is written.
    fn place(&mut self, (from, via, to): (u32, Via, u32)) -> Option<Place> {
        let space = self.space();
        if space.model.behaviour.is_rounds() {
            let (before, kind, after) =
                (space.state(from).to_vec(), space.kind(via), space.state(to).to_vec());
            return self.scribe.step(&before, &kind, &after).places.into_iter().next();
        }
        let span = self.loaded.places(&[CommandId(via.0)]).pop().flatten()?;
        places::written(&self.loaded.source, span)
    }
}
