//! The core logic: state formulas and path formulas, a handful of node kinds each.

use serde::{Deserialize, Serialize};
use servanda_model::AgentId;

macro_rules! core_indices {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

core_indices! {
    /// A state formula of an [`Arena`](crate::Arena): true or false at a point of a run, whatever path goes on from there.
    StateFormula,
    /// A path formula of an [`Arena`](crate::Arena): true or false at a position of a path.
    PathFormula,
    /// A state proposition of an [`Arena`](crate::Arena).
    PropositionId,
    /// A set of labels of an [`Arena`](crate::Arena).
    LabelSetId,
}

/// A node of a state formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Always true.
    True,
    /// A boolean expression over the state.
    Proposition(PropositionId),
    /// Negation; never of a negation.
    Not(StateFormula),
    /// Conjunction.
    And(StateFormula, StateFormula),
    /// Disjunction.
    Or(StateFormula, StateFormula),
    /// Some path from here satisfies the formula.
    Exists {
        /// What it satisfies.
        path: PathFormula,
        /// Which paths are meant.
        over: Over,
    },
    /// `EY`
    SomePrevious(StateFormula),
    /// `EP`
    SomePast(StateFormula),
    /// `SC(debtor, creditor, body)`: the body holds on every path on which every commitment in force of the debtor to
    /// the creditor is kept. Inside a content only the commitments whose contents nest less deeply than `limit` count.
    Committed {
        /// Who owes.
        debtor: AgentId,
        /// To whom.
        creditor: AgentId,
        /// Inside a content of this depth; `None` outside of contents.
        limit: Option<usize>,
        /// What is claimed of those paths.
        body: PathFormula,
    },
    /// The body holds at every related point of every run where `correct` all behave correctly.
    Knows {
        /// Which points are related.
        relation: Relation,
        /// Whose local state must be green there.
        correct: Vec<AgentId>,
        /// What is known.
        body: StateFormula,
    },
    /// The group can bring about the goal.
    Able {
        /// The coalition.
        group: Vec<AgentId>,
        /// What it tries to bring about.
        goal: Goal,
    },
}

/// A node of a path formula. Booleans of state formulas are state formulas: `Not`, `And` and `Or` stand only where some part
/// is no state formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// A state formula, at the position.
    State(StateFormula),
    /// A condition on the step that is taken next.
    Action(Action),
    /// Negation; never of a negation.
    Not(PathFormula),
    /// Conjunction.
    And(PathFormula, PathFormula),
    /// Disjunction.
    Or(PathFormula, PathFormula),
    /// In the next position.
    Next(PathFormula),
    /// Strong until.
    Until(PathFormula, PathFormula),
    /// In the previous position; false in the first.
    Previous(PathFormula),
    /// Since.
    Since(PathFormula, PathFormula),
}

/// A condition on a step. The implicit loop of a deadlock meets none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// It has one of these labels.
    Does(LabelSetId),
    /// In this round the agent takes this action.
    Acts {
        /// Who.
        agent: AgentId,
        /// The position of the action among its actions.
        action: usize,
    },
}

/// Which paths a quantifier refers to (docs/formulas.md section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Over {
    /// All: every path goes on for ever, since deadlocks are continued by implicit loops.
    AllPaths,
    /// The strict reading of a CTL operator: it is the usual fixpoint over the transition relation as it is, so a path that ends
    /// in a deadlock counts.
    Relation,
    /// The strict reading of any other path formula, and of commitments: infinite paths only.
    InfinitePaths,
}

/// A path formula that is one operator of CTL over state formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// `X a`
    Next(StateFormula),
    /// `a U b`
    Until(StateFormula, StateFormula),
    /// `a R b`: `b` holds up to and including where `a` does, or for ever.
    Release(StateFormula, StateFormula),
}

/// Which points of runs a knowledge modality looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// All points.
    Everywhere,
    /// Those that some of these agents cannot tell from here.
    Some(Vec<AgentId>),
    /// Those that none of these agents can tell from here.
    All(Vec<AgentId>),
    /// Those reached by one or more steps of `Some`.
    Common(Vec<AgentId>),
}

/// What a coalition tries to bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// `X φ`
    Next(StateFormula),
    /// `G φ`
    Globally(StateFormula),
    /// `φ U ψ`; `F ψ` is `true U ψ`.
    Until(StateFormula, StateFormula),
}

impl Goal {
    /// The state formulas that it refers to.
    pub fn parts(&self) -> impl Iterator<Item = StateFormula> + use<> {
        let (first, second) = match *self {
            Goal::Next(a) | Goal::Globally(a) => (a, None),
            Goal::Until(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }
}

impl Path {
    /// The path formulas directly inside; what is inside a state formula is not.
    pub fn operands(&self) -> impl Iterator<Item = PathFormula> + use<> {
        let (first, second) = match *self {
            Path::State(_) | Path::Action(_) => (None, None),
            Path::Not(a) | Path::Next(a) | Path::Previous(a) => (Some(a), None),
            Path::And(a, b) | Path::Or(a, b) | Path::Until(a, b) | Path::Since(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }
}
