//! The rules, written once for both quantifiers.

use servanda_paths::rules::{Shape, Unfolded, Way};

use super::arena::{Arena, Node, NodeId};
use super::goal::{Goal, Set};
use crate::automaton::{ActionLiteral, Quantifier, Rule, StateKind};

/// What a rule makes of a goal.
pub(crate) struct Applied {
    pub(crate) rule: Option<Rule>,
    pub(crate) kind: StateKind,
    pub(crate) children: Vec<Goal>,
    /// The step postpones these without having met them at its position.
    pub(crate) postponed: Vec<NodeId>,
}

fn rule(name: &'static str, label: impl Into<String>) -> Option<Rule> {
    Some(Rule { name, label: label.into() })
}

/// The name of a rule under either quantifier.
fn named(quantifier: Quantifier, exists: &'static str, for_all: &'static str) -> &'static str {
    match quantifier {
        Quantifier::Exists => exists,
        Quantifier::ForAll => for_all,
    }
}

/// Applies the rule for a goal.
pub(crate) fn apply(arena: &mut Arena, goal: &Goal) -> Applied {
    let mut rules = Rules { arena };
    match goal {
        Goal::State(id) => rules.apply_to_state(*id),
        Goal::Set(set) => rules.apply_to_set(set),
    }
}

struct Rules<'a> {
    arena: &'a mut Arena,
}

impl Rules<'_> {
    fn leaf(kind: StateKind) -> Applied {
        Applied { rule: None, kind, children: Vec::new(), postponed: Vec::new() }
    }

    fn apply_to_state(&mut self, id: NodeId) -> Applied {
        let join = |rule, kind, left, right| Applied {
            rule,
            kind,
            children: vec![Goal::of_state(self.arena, left), Goal::of_state(self.arena, right)],
            postponed: Vec::new(),
        };
        match self.arena.node(id).clone() {
            Node::And(left, right) => join(rule("S1", "∧"), StateKind::And, left, right),
            Node::Or(left, right) => join(rule("S2", "∨"), StateKind::Or, left, right),
            Node::Constant(true) => Self::leaf(StateKind::True),
            Node::Constant(false) => Self::leaf(StateKind::False),
            Node::Atom(atom, positive) => Self::leaf(StateKind::Literal { atom, positive }),
            // No goal of this kind is ever made of other nodes.
            _ => Self::leaf(StateKind::False),
        }
    }

    /// The member that is taken apart next: those that leave one goal before those that leave several.
    fn next_member(&self, set: &Set) -> Option<usize> {
        let arena = &self.arena;
        let exists = set.quantifier == Quantifier::Exists;
        let rank = |id: NodeId| match arena.node(id) {
            _ if arena.is_state(id) => Some(0),
            Node::And(..) => Some(if exists { 1 } else { 3 }),
            Node::Or(..) => Some(if exists { 3 } else { 1 }),
            Node::Release(left, _) if exists && arena.is_constant(*left, false) => Some(2),
            Node::Until(left, _) if !exists && arena.is_constant(*left, true) => Some(2),
            Node::Until(..) | Node::Release(..) => Some(3),
            _ => None,
        };
        let ranked = set.members.iter().enumerate().filter_map(|(index, id)| Some((rank(*id)?, index)));
        ranked.min().map(|(_, index)| index)
    }

    fn apply_to_set(&mut self, set: &Set) -> Applied {
        let quantifier = set.quantifier;
        let (joining, splitting) = match quantifier {
            Quantifier::Exists => (StateKind::And, StateKind::Or),
            Quantifier::ForAll => (StateKind::Or, StateKind::And),
        };
        let label = |kind: &StateKind| if *kind == StateKind::And { "∧" } else { "∨" };
        let Some(index) = self.next_member(set) else { return self.step(set) };
        let member = set.members[index];
        if self.arena.is_state(member) {
            if self.arena.is_constant(member, set.absorbing()) {
                let leaf = if set.absorbing() { StateKind::True } else { StateKind::False };
                return Applied { rule: rule(named(quantifier, "E1", "A1"), ""), ..Self::leaf(leaf) };
            }
            let mut children = Vec::new();
            if !self.arena.is_constant(member, !set.absorbing()) {
                children.push(Goal::of_state(self.arena, member));
            }
            let rest = set.with(index, &[]);
            // Without a scope there is always a path, so the empty set says nothing.
            if children.is_empty() || !rest.members.is_empty() || rest.scope.is_some() {
                children.push(Goal::Set(rest));
            }
            let rule = rule(named(quantifier, "E1", "A1"), label(&joining));
            return Applied { rule, kind: joining, children, postponed: Vec::new() };
        }
        let shape = match *self.arena.node(member) {
            Node::And(a, b) => Shape::And(a, b),
            Node::Or(a, b) => Shape::Or(a, b),
            Node::Until(a, b) => Shape::Until(a, b),
            Node::Release(a, b) => Shape::Release(a, b),
            // Next and action literals have no rank.
            _ => return self.step(set),
        };
        // What holds of all paths unless some path does otherwise: the rules for `A` are those for `E` with both sides exchanged.
        let shape = if quantifier == Quantifier::Exists { shape } else { shape.dual() };
        let name = match shape {
            Shape::And(..) => named(quantifier, "E2", "A2"),
            Shape::Or(..) => named(quantifier, "E3", "A3"),
            Shape::Until(..) => named(quantifier, "E4", "A4"),
            Shape::Release(..) => named(quantifier, "E5", "A5"),
        };
        let mut children = match shape.unfold() {
            Unfolded::Both(parts) => vec![set.with(index, &parts)],
            Unfolded::Either(ways) => {
                ways.into_iter().filter_map(|way| self.way(set, index, way, shape.is_eventuality())).collect()
            }
        };
        let kind = if children.len() == 1 { joining } else { splitting };
        let children = children.drain(..).map(Goal::Set).collect();
        Applied { rule: rule(name, label(&kind)), kind, children, postponed: Vec::new() }
    }

    /// What is left of a set when one of its members is met in this way; nothing where that cannot be.
    fn way(&mut self, set: &Set, index: usize, way: Way<NodeId>, eventuality: bool) -> Option<Set> {
        let member = set.members[index];
        // `true` in a conjunction and `false` in a disjunction say nothing, and the others cannot be.
        let mut new = way.now;
        if new.iter().any(|id| self.arena.is_constant(*id, set.absorbing())) {
            return None;
        }
        new.retain(|id| !self.arena.is_constant(*id, !set.absorbing()));
        if way.again {
            new.push(self.arena.next(member));
        }
        let left = set.with(index, &new);
        Some(if eventuality && !way.again { left.meeting(member) } else { left })
    }

    /// Only `X` formulas and action literals are left: one step for all of them.
    fn step(&mut self, set: &Set) -> Applied {
        let quantifier = set.quantifier;
        let (mut actions, mut next, mut postponed) = (Vec::new(), Vec::new(), Vec::new());
        for member in &set.members {
            match self.arena.node(*member).clone() {
                Node::Does(action, positive) => actions.push(ActionLiteral { action, positive }),
                Node::Next(operand) => {
                    next.push(operand);
                    let until = match self.arena.node(operand) {
                        Node::Until(..) => quantifier == Quantifier::Exists,
                        Node::Release(..) => quantifier == Quantifier::ForAll,
                        _ => false,
                    };
                    if until && !set.met.contains(&operand) {
                        postponed.push(operand);
                    }
                }
                _ => {}
            }
        }
        if set.members.is_empty() && set.scope.is_none() {
            let leaf = if set.absorbing() { StateKind::False } else { StateKind::True };
            return Self::leaf(leaf);
        }
        let rule = rule(named(quantifier, "E6", "A6"), "X");
        let kind = match quantifier {
            Quantifier::Exists => StateKind::StepExists(actions),
            Quantifier::ForAll => StateKind::StepForAll(actions),
        };
        let after = Set { quantifier, scope: set.scope.clone(), members: next, met: Vec::new() };
        Applied { rule, kind, children: vec![Goal::Set(after)], postponed }
    }
}
