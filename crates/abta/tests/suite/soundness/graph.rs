//! A model as a graph whose nodes remember what history literals ask for.

use std::collections::HashMap;

use servanda_abta::{Abta, ActionLiteral, StateKind};
use servanda_logic::{Binary, Formula, Join, Kind, Unary};
use servanda_model::{Label, Model, StateView};
use servanda_syntax::Span;
use servanda_testkit::Walks;
use servanda_testkit::lasso::{Lasso, Position, holds_in};

/// A transition; `None` is the label of an implicit loop.
pub(crate) struct Edge<'m> {
    pub(crate) label: Option<&'m Label>,
    pub(crate) target: usize,
}

/// The graph.
pub(crate) struct Graph<'w, 'm> {
    pub(crate) model: &'m Model,
    walks: &'w Walks<'m>,
    /// The bodies of the history literals that nodes remember.
    remembered: Vec<Formula>,
    /// Each node: a state, and what held in the position before.
    nodes: Vec<(usize, Vec<bool>)>,
    pub(crate) edges: Vec<Vec<Edge<'m>>>,
    pub(crate) initial: Vec<usize>,
}

/// `None`: the automaton asks for something this evaluator cannot remember.
pub(crate) fn graph<'w, 'm>(model: &'m Model, walks: &'w Walks<'m>, abta: &Abta) -> Option<Graph<'w, 'm>> {
    // `Y true` tells the first position from all others.
    let mut remembered = vec![always()];
    for state in &abta.states {
        if let StateKind::Literal { atom, .. } = &state.kind {
            collect(atom, &mut remembered);
        }
    }
    let nothing = vec![false; remembered.len()];
    let mut graph = Graph {
        model,
        walks,
        remembered,
        nodes: walks.initial().iter().map(|state| (*state, nothing.clone())).collect(),
        edges: Vec::new(),
        initial: (0..walks.initial().len()).collect(),
    };
    let mut numbers: HashMap<(usize, Vec<bool>), usize> =
        graph.nodes.iter().cloned().enumerate().map(|(number, node)| (node, number)).collect();
    while graph.edges.len() < graph.nodes.len() {
        let here = graph.edges.len();
        let state = graph.nodes[here].0;
        let mut steps: Vec<(Option<&'m Label>, usize)> = walks
            .steps(state)
            .iter()
            .map(|(command, target)| (Some(model.label(model.command(*command).label)), *target))
            .collect();
        if steps.is_empty() {
            steps.push((None, state));
        }
        let mut edges = Vec::new();
        for (label, target) in steps {
            let moment = Moment { graph: &graph, here, label, target };
            let past: Vec<bool> =
                graph.remembered.iter().map(|body| moment.now(body)).collect::<Option<_>>()?;
            let node = (target, past);
            let number = *numbers.entry(node.clone()).or_insert_with(|| {
                graph.nodes.push(node);
                graph.nodes.len() - 1
            });
            edges.push(Edge { label, target: number });
        }
        graph.edges.push(edges);
        if graph.nodes.len() > 4000 {
            return None;
        }
    }
    Some(graph)
}

fn always() -> Formula {
    Formula::new(Kind::Bool(true), Span::default())
}

/// The bodies of all `Y` in and behind a literal.
fn collect(formula: &Formula, found: &mut Vec<Formula>) {
    let body = match formula.kind() {
        Kind::Unary(Unary::Previous, body) => Some(body),
        Kind::Unary(Unary::Once | Unary::Historically, _) | Kind::Binary(Binary::Since, ..) => Some(formula),
        _ => None,
    };
    if let Some(body) = body
        && !found.contains(body)
    {
        found.push(body.clone());
    }
    formula.for_each_child(|child| collect(child, found));
}

impl<'m> Graph<'_, 'm> {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn view(&self, node: usize) -> &StateView {
        self.walks.state(self.nodes[node].0)
    }

    fn held_before(&self, node: usize, body: &Formula) -> Option<bool> {
        let index = self.remembered.iter().position(|other| other == body)?;
        Some(self.nodes[node].1[index])
    }

    /// Does an atom hold at a node?
    pub(crate) fn holds(&self, node: usize, atom: &Formula) -> Option<bool> {
        match atom.kind() {
            Kind::Unary(Unary::Previous, body) => self.held_before(node, body),
            _ => holds_in(self.view(node), atom),
        }
    }

    /// Does the label of a transition satisfy an action literal?
    pub(crate) fn matches(&self, node: usize, label: Option<&'m Label>, literal: &ActionLiteral) -> bool {
        let path = Lasso { positions: vec![Position { state: self.view(node), label }], back: 0 };
        path.satisfies(self.model, &literal.action).expect("a label") == literal.positive
    }
}

/// A node with the transition that is taken from it.
struct Moment<'g, 'w, 'm> {
    graph: &'g Graph<'w, 'm>,
    here: usize,
    label: Option<&'m Label>,
    target: usize,
}

impl Moment<'_, '_, '_> {
    /// The value at the node of a formula that looks at most one step ahead.
    fn now(&self, formula: &Formula) -> Option<bool> {
        let before = |body: &Formula| self.graph.held_before(self.here, body);
        match formula.kind() {
            Kind::Unary(Unary::Previous, body) => before(body),
            Kind::Unary(Unary::Once, body) => Some(self.now(body)? | before(formula)?),
            Kind::Unary(Unary::Historically, body) => {
                let first = !before(&always())?;
                Some(self.now(body)? & (first || before(formula)?))
            }
            Kind::Binary(Binary::Since, left, right) => {
                Some(self.now(right)? | (self.now(left)? & before(formula)?))
            }
            Kind::Unary(Unary::Next, body) => self.next(body),
            Kind::Does(_) => {
                let literal = ActionLiteral { action: formula.clone(), positive: true };
                Some(self.graph.matches(self.here, self.label, &literal))
            }
            _ => {
                self.boolean(formula, |part| self.now(part), || holds_in(self.graph.view(self.here), formula))
            }
        }
    }

    /// The value in the next position of a formula that does not look ahead of it.
    fn next(&self, formula: &Formula) -> Option<bool> {
        match formula.kind() {
            Kind::Unary(Unary::Previous, body) => self.now(body),
            Kind::Unary(Unary::Once, body) => Some(self.next(body)? | self.now(formula)?),
            Kind::Unary(Unary::Historically, body) => Some(self.next(body)? & self.now(formula)?),
            Kind::Binary(Binary::Since, left, right) => {
                Some(self.next(right)? | (self.next(left)? & self.now(formula)?))
            }
            _ => {
                let there = self.graph.walks.state(self.target);
                self.boolean(formula, |part| self.next(part), || holds_in(there, formula))
            }
        }
    }

    fn boolean(
        &self,
        formula: &Formula,
        of: impl Fn(&Formula) -> Option<bool>,
        atom: impl Fn() -> Option<bool>,
    ) -> Option<bool> {
        match formula.kind() {
            Kind::Unary(Unary::Not, operand) => Some(!of(operand)?),
            Kind::Binary(Binary::And, left, right) => Some(of(left)? & of(right)?),
            Kind::Binary(Binary::Or, left, right) => Some(of(left)? | of(right)?),
            Kind::Binary(Binary::Implies, left, right) => Some(!of(left)? | of(right)?),
            Kind::Binary(Binary::Iff, left, right) => Some(of(left)? == of(right)?),
            Kind::Joined(Join::All, parts) => parts.iter().try_fold(true, |all, part| Some(all & of(part)?)),
            Kind::Joined(Join::Any, parts) => parts.iter().try_fold(false, |any, part| Some(any | of(part)?)),
            _ => atom(),
        }
    }
}
