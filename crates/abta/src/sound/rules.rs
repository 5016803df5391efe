//! The rules, written once for both quantifiers.

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
        let node = self.arena.node(member).clone();
        let one = |name, new: &[NodeId]| Applied {
            rule: rule(name, label(&joining)),
            kind: joining.clone(),
            children: vec![Goal::Set(set.with(index, new))],
            postponed: Vec::new(),
        };
        let two = |name, first: Set, second: Set| Applied {
            rule: rule(name, label(&splitting)),
            kind: splitting.clone(),
            children: vec![Goal::Set(first), Goal::Set(second)],
            postponed: Vec::new(),
        };
        let exists = quantifier == Quantifier::Exists;
        match node {
            Node::And(left, right) if exists => one("E2", &[left, right]),
            Node::Or(left, right) if !exists => one("A2", &[left, right]),
            Node::And(left, right) | Node::Or(left, right) => {
                two(named(quantifier, "E3", "A3"), set.with(index, &[left]), set.with(index, &[right]))
            }
            Node::Until(left, right) | Node::Release(left, right) => {
                let later = self.arena.next(member);
                // `true` in a conjunction and `false` in a disjunction say nothing; in `F` and `G` they stand on the left.
                let idle = self.arena.is_constant(left, exists);
                let dead = self.arena.is_constant(left, !exists);
                if matches!(node, Node::Until(..)) == exists {
                    let name = named(quantifier, "E4", "A4");
                    let met = set.with(index, &[right]).meeting(member);
                    let postponed =
                        if idle { set.with(index, &[later]) } else { set.with(index, &[left, later]) };
                    two(name, met, postponed)
                } else if dead {
                    one(named(quantifier, "E5", "A5"), &[right, later])
                } else {
                    let name = named(quantifier, "E5", "A5");
                    two(name, set.with(index, &[right, left]), set.with(index, &[right, later]))
                }
            }
            // Next and action literals have no rank.
            _ => self.step(set),
        }
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
