//! Goals: what the rows of a tableau stand for.

use super::arena::{Arena, Node, NodeId};
use crate::automaton::{Quantifier, Scope};

/// What a state stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// A state formula.
    State(NodeId),
    /// `E Φ` or `A Φ`.
    Set(Set),
}

/// `E Φ` or `A Φ`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set {
    pub(crate) quantifier: Quantifier,
    pub(crate) scope: Option<Scope>,
    pub(crate) members: Vec<NodeId>,
    /// The until formulas (under `A` release formulas) that were met at this position, as far as they can still be
    /// postponed at it for another reason.
    pub(crate) met: Vec<NodeId>,
}

impl Goal {
    /// A state formula as a goal; a quantified one is a set of one formula at once.
    pub(crate) fn of_state(arena: &Arena, id: NodeId) -> Goal {
        match arena.node(id) {
            Node::Quantified(quantifier, scope, path) => {
                let (quantifier, scope) = (*quantifier, scope.clone());
                Goal::Set(Set { quantifier, scope, members: vec![*path], met: Vec::new() })
            }
            _ => Goal::State(id),
        }
    }

    /// The same for the same set, however it is ordered.
    pub(crate) fn key(&self) -> Goal {
        let mut key = self.clone();
        if let Goal::Set(set) = &mut key {
            set.members.sort_unstable();
            set.met.sort_unstable();
        }
        key
    }

    pub(crate) fn as_set(&self) -> Option<&Set> {
        match self {
            Goal::State(_) => None,
            Goal::Set(set) => Some(set),
        }
    }
}

impl Set {
    /// The value of the set once some member has it: `false` for `E`, `true` for `A`.
    pub(crate) fn absorbing(&self) -> bool {
        self.quantifier == Quantifier::ForAll
    }

    /// The rest with some formulas in the place of the member at `index`.
    pub(crate) fn with(&self, index: usize, new: &[NodeId]) -> Set {
        let mut members: Vec<NodeId> = Vec::new();
        for (position, member) in self.members.iter().enumerate() {
            let here: &[NodeId] = if position == index { new } else { std::slice::from_ref(member) };
            for id in here {
                if !members.contains(id) {
                    members.push(*id);
                }
            }
        }
        Set { members, ..self.clone() }
    }

    pub(crate) fn meeting(mut self, until: NodeId) -> Set {
        if !self.met.contains(&until) {
            self.met.push(until);
        }
        self
    }
}
