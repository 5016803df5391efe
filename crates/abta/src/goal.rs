//! Goals: what the rows of a tableau stand for.

use servanda_logic::Formula;

use crate::automaton::{Quantifier, Scope};

/// What a row of the tableau stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// A state formula that rules may take apart.
    State(Formula),
    /// A state formula that they leave alone.
    Leaf(Formula),
    /// `E Φ` or `A Φ`.
    Set(Set),
}

/// `E Φ` or `A Φ`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set {
    pub(crate) quantifier: Quantifier,
    pub(crate) scope: Option<Scope>,
    pub(crate) members: Vec<Member>,
    /// Sound rules: the until formulas (under `A` release formulas) that were met at this position, as far as they can still be
    /// postponed at it for another reason.
    pub(crate) met: Vec<Formula>,
}

/// A formula of a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) formula: Formula,
    /// Is it the `X(¬φ1 ∨ φ2)` that the papers' R21 made of an argument? In Table 2 the step of such an `X` is one inside the
    /// decomposition of the act, and other `X` formulas of the set wait.
    pub(crate) argument_step: bool,
}

impl From<Formula> for Member {
    fn from(formula: Formula) -> Self {
        Member { formula, argument_step: false }
    }
}

impl Goal {
    /// The same for the same set, however it is ordered.
    pub(crate) fn key(&self) -> Goal {
        let mut key = self.clone();
        if let Goal::Set(set) = &mut key {
            set.members.sort_by_cached_key(|member| (member.formula.to_string(), member.argument_step));
            set.met.sort_by_cached_key(ToString::to_string);
        }
        key
    }

    /// Its formulas.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let (alone, set) = match self {
            Goal::State(formula) | Goal::Leaf(formula) => (Some(formula), None),
            Goal::Set(set) => (None, Some(set)),
        };
        alone.into_iter().chain(set.into_iter().flat_map(Set::formulas))
    }

    pub(crate) fn as_set(&self) -> Option<&Set> {
        match self {
            Goal::State(_) | Goal::Leaf(_) => None,
            Goal::Set(set) => Some(set),
        }
    }
}

impl Set {
    /// A set of these formulas, each once.
    pub(crate) fn new(quantifier: Quantifier, members: impl IntoIterator<Item = Member>) -> Set {
        let mut set = Set { quantifier, scope: None, members: Vec::new(), met: Vec::new() };
        set.add(members);
        set
    }

    fn add(&mut self, members: impl IntoIterator<Item = Member>) {
        for member in members {
            if !self.members.contains(&member) {
                self.members.push(member);
            }
        }
    }

    /// The set with some formulas in the place of the member at `index`.
    pub(crate) fn with(&self, index: usize, new: impl IntoIterator<Item = Member>) -> Set {
        let mut set = Set { members: Vec::new(), ..self.clone() };
        set.add(self.members[..index].iter().cloned());
        set.add(new);
        set.add(self.members[index + 1..].iter().cloned());
        set
    }

    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> + Clone {
        self.members.iter().map(|member| &member.formula)
    }

    /// The formulas as text.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.formulas().map(ToString::to_string).collect()
    }
}
