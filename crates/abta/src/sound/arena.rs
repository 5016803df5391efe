//! Formulas in negation normal form, each distinct one stored once.

use std::collections::HashMap;

use servanda_logic::{Binary, Formula, Kind, Unary};
use servanda_syntax::Span;

use crate::automaton::{Quantifier, Scope};

/// A formula of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Constant(bool),
    /// An atom of the state, or its negation.
    Atom(Formula, bool),
    /// `does(..)`, or its negation.
    Does(Formula, bool),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
    /// A path quantifier, or a commitment, which quantifies over fewer paths.
    Quantified(Quantifier, Option<Scope>, NodeId),
}

#[derive(Default)]
pub(crate) struct Arena {
    nodes: Vec<Node>,
    is_state: Vec<bool>,
    ids: HashMap<Node, NodeId>,
    shown: HashMap<NodeId, Formula>,
    postponing: HashMap<(NodeId, NodeId), bool>,
}

impl Arena {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Is it a state formula?
    pub(crate) fn is_state(&self, id: NodeId) -> bool {
        self.is_state[id.0 as usize]
    }

    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let is_state = match &node {
            Node::Constant(_) | Node::Atom(..) | Node::Quantified(..) => true,
            Node::And(left, right) | Node::Or(left, right) => self.is_state(*left) && self.is_state(*right),
            Node::Does(..) | Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
        };
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.is_state.push(is_state);
        self.ids.insert(node, id);
        id
    }

    pub(crate) fn constant(&mut self, value: bool) -> NodeId {
        self.add(Node::Constant(value))
    }

    pub(crate) fn and(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match (self.node(left), self.node(right)) {
            _ if left == right => left,
            (Node::Constant(true), _) | (_, Node::Constant(false)) => right,
            (_, Node::Constant(true)) | (Node::Constant(false), _) => left,
            _ => self.add(Node::And(left, right)),
        }
    }

    pub(crate) fn or(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match (self.node(left), self.node(right)) {
            _ if left == right => left,
            (Node::Constant(false), _) | (_, Node::Constant(true)) => right,
            (_, Node::Constant(false)) | (Node::Constant(true), _) => left,
            _ => self.add(Node::Or(left, right)),
        }
    }

    pub(crate) fn next(&mut self, operand: NodeId) -> NodeId {
        match self.node(operand) {
            // Every path is infinite.
            Node::Constant(_) => operand,
            _ => self.add(Node::Next(operand)),
        }
    }

    pub(crate) fn until(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match self.node(right) {
            Node::Constant(_) => right,
            _ => self.add(Node::Until(left, right)),
        }
    }

    pub(crate) fn release(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match self.node(right) {
            Node::Constant(_) => right,
            _ => self.add(Node::Release(left, right)),
        }
    }

    /// For an action literal, its sign.
    pub(crate) fn label_sign(&self, id: NodeId) -> Option<bool> {
        match self.node(id) {
            Node::Does(_, positive) => Some(*positive),
            _ => None,
        }
    }

    pub(crate) fn is_constant(&self, id: NodeId, value: bool) -> bool {
        *self.node(id) == Node::Constant(value)
    }

    /// Can taking the formula apart at one position leave `X until`?
    pub(crate) fn may_postpone(&mut self, formula: NodeId, until: NodeId) -> bool {
        if let Some(&known) = self.postponing.get(&(formula, until)) {
            return known;
        }
        let found = match *self.node(formula) {
            Node::Next(operand) => operand == until,
            Node::And(left, right) | Node::Or(left, right) => {
                self.may_postpone(left, until) || self.may_postpone(right, until)
            }
            Node::Until(left, right) | Node::Release(left, right) => {
                formula == until || self.may_postpone(left, until) || self.may_postpone(right, until)
            }
            Node::Constant(_) | Node::Atom(..) | Node::Does(..) | Node::Quantified(..) => false,
        };
        self.postponing.insert((formula, until), found);
        found
    }

    /// As people write it.
    pub(crate) fn shown(&mut self, id: NodeId) -> Formula {
        if let Some(shown) = self.shown.get(&id) {
            return shown.clone();
        }
        let span = Span::default();
        let signed = |formula: Formula, positive: bool| if positive { formula } else { formula.negated() };
        let made = match self.node(id).clone() {
            Node::Constant(value) => Formula::new(Kind::Bool(value), span),
            Node::Atom(formula, positive) | Node::Does(formula, positive) => signed(formula, positive),
            Node::And(left, right) => self.shown(left).binary(Binary::And, self.shown(right)),
            Node::Or(left, right) => self.shown(left).binary(Binary::Or, self.shown(right)),
            Node::Next(operand) => self.shown(operand).unary(Unary::Next),
            Node::Until(left, right) if self.is_constant(left, true) => {
                self.shown(right).unary(Unary::Finally)
            }
            Node::Release(left, right) if self.is_constant(left, false) => {
                self.shown(right).unary(Unary::Globally)
            }
            Node::Until(left, right) => self.shown(left).binary(Binary::Until, self.shown(right)),
            Node::Release(left, right) => self.shown(left).binary(Binary::Release, self.shown(right)),
            Node::Quantified(Quantifier::Exists, None, path) => self.shown(path).unary(Unary::Exists),
            Node::Quantified(Quantifier::ForAll, None, path) => self.shown(path).unary(Unary::ForAll),
            Node::Quantified(quantifier, Some(scope), _) => {
                signed(scope.commitment.clone(), quantifier == Quantifier::ForAll)
            }
        };
        self.shown.insert(id, made.clone());
        made
    }
}
