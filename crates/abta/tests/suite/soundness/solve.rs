//! The automaton run on a model: component by component, each by strongly connected components of the product.

use std::collections::HashMap;

use servanda_abta::{
    Abta, ActReading, Options, Quantifier, Rules, Simplify, State, StateId, StateKind, translate,
};
use servanda_logic::{Arg, Binary, Formula, Kind, Unary};
use servanda_model::{CommitmentView, Model};
use servanda_syntax::Span;
use servanda_testkit::Walks;

use crate::soundness::graph::{Graph, graph};
use crate::soundness::scoped;

/// Where the formula holds: in all initial states? `None` where the evaluator cannot say.
pub(crate) fn decide(
    model: &Model,
    walks: &Walks<'_>,
    formula: &Formula,
    simplify: Simplify,
    acts: ActReading,
) -> Option<bool> {
    let options = Options { rules: Rules::Sound, acts, simplify, most_states: 2000, ..Options::default() };
    let abta = translate(formula, options).ok()?.automaton;
    let graph = graph(model, walks, &abta)?;
    let mut solver = Solver { abta: &abta, graph: &graph, walks, options, values: HashMap::new() };
    let values = solver.values(StateId::from_index(0))?;
    Some(graph.initial.iter().all(|node| values[*node]))
}

pub(crate) struct Solver<'a, 'w, 'm> {
    pub(crate) abta: &'a Abta,
    pub(crate) graph: &'a Graph<'w, 'm>,
    walks: &'a Walks<'m>,
    options: Options,
    values: HashMap<StateId, Vec<bool>>,
}

impl Solver<'_, '_, '_> {
    fn everywhere(&self, holds: impl Fn(usize) -> Option<bool>) -> Option<Vec<bool>> {
        (0..self.graph.len()).map(holds).collect()
    }

    pub(crate) fn values(&mut self, id: StateId) -> Option<Vec<bool>> {
        if let Some(values) = self.values.get(&id) {
            return Some(values.clone());
        }
        let state = self.abta.state(id);
        let values = match (&state.kind, state.component) {
            (StateKind::True, _) => vec![true; self.graph.len()],
            (StateKind::False, _) => vec![false; self.graph.len()],
            (StateKind::Literal { atom, positive }, _) => {
                self.everywhere(|node| Some(self.graph.holds(node, atom)? == *positive))?
            }
            _ if state.scope.is_some() => self.commitment(id, state)?,
            (_, Some(component)) => {
                self.component(component)?;
                return self.values.get(&id).cloned();
            }
            (kind, None) => {
                let below: Vec<Vec<bool>> =
                    state.successors.iter().map(|id| self.values(*id)).collect::<Option<_>>()?;
                self.everywhere(|node| Some(self.joined(kind, &below, node)))?
            }
        };
        self.values.insert(id, values.clone());
        Some(values)
    }

    fn joined(&self, kind: &StateKind, below: &[Vec<bool>], node: usize) -> bool {
        match kind {
            StateKind::And => below.iter().all(|values| values[node]),
            StateKind::Or => below.iter().any(|values| values[node]),
            StateKind::StepExists(_) => self.targets(kind, node).iter().any(|target| below[0][*target]),
            StateKind::StepForAll(_) => self.targets(kind, node).iter().all(|target| below[0][*target]),
            other => panic!("{other:?} does not occur in a sound automaton"),
        }
    }

    /// The ends of the transitions that a step looks at.
    fn targets(&self, kind: &StateKind, node: usize) -> Vec<usize> {
        let edges = self.graph.edges[node].iter();
        let wanted = |edge: &&crate::soundness::graph::Edge<'_>| match kind {
            StateKind::StepExists(actions) => {
                actions.iter().all(|literal| self.graph.matches(node, edge.label, literal))
            }
            StateKind::StepForAll(actions) => {
                !actions.iter().any(|literal| self.graph.matches(node, edge.label, literal))
            }
            _ => false,
        };
        edges.filter(wanted).map(|edge| edge.target).collect()
    }

    /// `SC(i, j, ψ)` by its definition: on every path that keeps what is in force here, `ψ`.
    fn commitment(&mut self, id: StateId, state: &State) -> Option<Vec<bool>> {
        let scope = state.scope.as_ref()?;
        let agent =
            |name: &str| self.graph.model.agents().find(|(_, agent)| agent.name == name).map(|(id, _)| id);
        let (debtor, creditor) = (agent(&scope.debtor)?, agent(&scope.creditor)?);
        let narrowed = self.graph.model.access.iter().any(|a| a.debtor == debtor && a.creditor == creditor);
        if narrowed {
            return None;
        }
        let mut known: HashMap<Vec<CommitmentView>, (Formula, Vec<bool>)> = HashMap::new();
        let mut values = Vec::new();
        for node in 0..self.graph.len() {
            let in_force = &self.graph.view(node).in_force.clone();
            if !known.contains_key(in_force) {
                let mut promised = Formula::new(Kind::Bool(true), Span::default());
                for (_, promise) in self.graph.model.commitments() {
                    let own = promise.debtor == debtor && promise.creditor == creditor;
                    if own && in_force.contains(&self.graph.model.view_promise(promise)) {
                        // A challenged content holds while its commitment is in force, as it is here.
                        if matches!(promise.content.kind(), Kind::Unary(Unary::Challenged, _)) {
                            return None;
                        }
                        if has_commitment(&promise.content) {
                            return None;
                        }
                        promised = promised.binary(Binary::And, promise.content.clone());
                    }
                }
                let kept =
                    promised.clone().binary(Binary::Implies, scope.content.clone()).unary(Unary::ForAll);
                let abta = translate(&kept, self.options).ok()?.automaton;
                let graph = graph(self.graph.model, self.walks, &abta)?;
                // Nodes must mean the same in both graphs.
                if graph.len() != self.graph.len() {
                    return None;
                }
                let mut inner = Solver {
                    abta: &abta,
                    graph: &graph,
                    walks: self.walks,
                    options: self.options,
                    values: HashMap::new(),
                };
                known.insert(in_force.clone(), (promised, inner.values(StateId::from_index(0))?));
            }
            let holds = known[in_force].1[node];
            let value = holds == (state.quantifier == Some(Quantifier::ForAll));
            // The states of the component say the same as the definition.
            let kept = known[in_force].0.clone();
            if let Some(played) = scoped::play(self, id, node, &kept, self.options) {
                assert_eq!(played, value, "{} at node {node}, with {kept} owed", state.text);
            }
            values.push(value);
        }
        Some(values)
    }

    /// All states of a component at once. A universal component is the negation of an existential one: read so, a stay
    /// that meets all sets again and again is a success for the existential player, and one that does not is none.
    fn component(&mut self, number: usize) -> Option<()> {
        let component = &self.abta.components[number];
        let exists = component.quantifier == Quantifier::Exists;
        let inside = &component.states;
        let place: HashMap<StateId, usize> = inside.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let nodes = self.graph.len();
        let mut moves: Vec<Vec<usize>> = vec![Vec::new(); inside.len() * nodes];
        let mut wins: Vec<bool> = vec![false; inside.len() * nodes];
        for (at, id) in inside.iter().enumerate() {
            let state = self.abta.state(*id);
            let (stays, leaves): (Vec<StateId>, Vec<StateId>) =
                state.successors.iter().partition(|id| place.contains_key(id));
            let below: Vec<Vec<bool>> = leaves.iter().map(|id| self.values(*id)).collect::<Option<_>>()?;
            // What the player of this component chooses between, and what the other one does.
            let (own, other) = match exists {
                true => (StateKind::Or, StateKind::And),
                false => (StateKind::And, StateKind::Or),
            };
            for node in 0..nodes {
                let here = at * nodes + node;
                if state.kind == own {
                    wins[here] = below.iter().any(|values| values[node] == exists);
                    moves[here] = stays.iter().map(|id| place[id] * nodes + node).collect();
                } else if state.kind == other {
                    assert!(stays.len() <= 1, "the automaton is not hesitant");
                    if below.iter().all(|values| values[node] == exists) {
                        wins[here] = stays.is_empty();
                        moves[here] = stays.iter().map(|id| place[id] * nodes + node).collect();
                    }
                } else {
                    for target in self.targets(&state.kind, node) {
                        wins[here] |= below.iter().any(|values| values[target] == exists);
                        moves[here].extend(stays.iter().map(|id| place[id] * nodes + target));
                    }
                }
            }
        }
        let sets: Vec<Vec<usize>> = self
            .abta
            .acceptance
            .iter()
            .filter(|set| set.component == Some(number))
            .map(|set| set.states.iter().map(|id| place[id]).collect())
            .collect();
        for members in cyclic_components(&moves) {
            let meets = |set: &Vec<usize>| members.iter().any(|point| set.contains(&(point / nodes)));
            if sets.iter().all(meets) {
                members.iter().for_each(|point| wins[*point] = true);
            }
        }
        // Backwards from what wins.
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); moves.len()];
        for (source, targets) in moves.iter().enumerate() {
            targets.iter().for_each(|target| sources[*target].push(source));
        }
        let mut waiting: Vec<usize> = (0..wins.len()).filter(|point| wins[*point]).collect();
        while let Some(point) = waiting.pop() {
            for source in &sources[point] {
                if !std::mem::replace(&mut wins[*source], true) {
                    waiting.push(*source);
                }
            }
        }
        for (at, id) in inside.iter().enumerate() {
            let values = (0..nodes).map(|node| wins[at * nodes + node] == exists).collect();
            self.values.insert(*id, values);
        }
        Some(())
    }
}

fn has_commitment(formula: &Formula) -> bool {
    let mut found = matches!(formula.kind(), Kind::Commitment(_) | Kind::Act(_));
    if let Kind::Commitment(commitment) = formula.kind() {
        found |= commitment.content == Arg::Any;
    }
    formula.for_each_child(|child| found |= has_commitment(child));
    found
}

/// The strongly connected components with a cycle, by two searches.
pub(crate) fn cyclic_components(moves: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut order = Vec::new();
    let mut seen = vec![false; moves.len()];
    for start in 0..moves.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((point, next)) = path.last_mut() {
            if let Some(target) = moves[*point].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[*target], true) {
                    path.push((*target, 0));
                }
            } else {
                order.push(*point);
                path.pop();
            }
        }
    }
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); moves.len()];
    for (source, targets) in moves.iter().enumerate() {
        targets.iter().for_each(|target| back[*target].push(source));
    }
    let mut taken = vec![false; moves.len()];
    let mut found = Vec::new();
    for root in order.into_iter().rev() {
        if std::mem::replace(&mut taken[root], true) {
            continue;
        }
        let mut members = vec![root];
        let mut next = 0;
        while next < members.len() {
            for source in &back[members[next]] {
                if !std::mem::replace(&mut taken[*source], true) {
                    members.push(*source);
                }
            }
            next += 1;
        }
        if members.len() > 1 || moves[root].contains(&root) {
            found.push(members);
        }
    }
    found
}
