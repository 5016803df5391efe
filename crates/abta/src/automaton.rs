//! The automaton: plain data, for the writers and for whoever wants to run it.

use std::fmt;

use servanda_logic::{ActKind, Binary, Formula, Kind, Unary, is_state_formula};
use servanda_syntax::Span;

/// A state of an [`Abta`]; the start is number 0, which is shown as (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);

impl StateId {
    /// The state at a position of [`Abta::states`].
    pub fn from_index(index: usize) -> Self {
        // Far more states than fit are refused long before.
        StateId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The position in [`Abta::states`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An alternating Büchi tableau automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abta {
    /// The states; the first is the start.
    pub states: Vec<State>,
    /// The parts that a run can stay in for ever, lowest first. Empty for automata by the papers' rules, which do not
    /// look at them.
    pub components: Vec<Component>,
    /// The acceptance condition.
    pub acceptance: Vec<AcceptanceSet>,
}

/// One state: what is to be shown, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The number it has in the tableau, from 1. Simplification removes states but never renumbers them.
    pub number: usize,
    /// What holds where a run from this state succeeds, as text.
    pub text: String,
    /// The formulas of its row.
    pub formulas: Vec<Formula>,
    /// The rule that was applied; `None` for leaves.
    pub rule: Option<Rule>,
    /// How the successors are joined.
    pub kind: StateKind,
    /// What the rule leaves to be shown.
    pub successors: Vec<StateId>,
    /// For `E Φ` and `A Φ`, which of the two.
    pub quantifier: Option<Quantifier>,
    /// The commitment whose accessible paths this state refers to; `None`: all paths.
    pub scope: Option<Scope>,
    /// The part that a run can stay in for ever to which it belongs, if to any.
    pub component: Option<usize>,
}

impl State {
    /// What the row of the papers' tableau says, as one state formula.
    pub fn meaning(&self) -> Formula {
        let all = self.formulas.iter().cloned().reduce(|left, right| left.binary(Binary::And, right));
        let all = all.unwrap_or_else(|| Formula::new(Kind::Bool(true), Span::default()));
        if self.quantifier.is_some() || !is_state_formula(&all) { all.unary(Unary::Exists) } else { all }
    }
}

/// A tableau rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Its name, such as `R22`.
    pub name: &'static str,
    /// Its label, such as `∨` or `<Ch>`.
    pub label: String,
}

/// Whose commitments to whom bound the paths of a universal (`SC`) or existential (`!SC`) component.
///
/// A run enters such a component at some point of the model. From there on it considers only paths that keep what the
/// debtor owes the creditor at that point (docs/formulas.md section 4, "Accessible paths").
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Who owes.
    pub debtor: String,
    /// To whom.
    pub creditor: String,
    /// The commitment as it is written.
    pub commitment: Formula,
    /// What it claims of those paths.
    pub content: Formula,
}

/// An action literal: the label of the transition matches, or does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActionLiteral {
    /// `does(..)`
    pub action: Formula,
    /// False for its negation.
    pub positive: bool,
}

/// How a state is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// Always.
    True,
    /// Never.
    False,
    /// By looking at the state of the model. Knowledge, strategies and branching past stand here too, and so do history
    /// literals (`Y ψ`).
    Literal {
        /// The atom.
        atom: Formula,
        /// False for its negation.
        positive: bool,
    },
    /// All successors.
    And,
    /// Some successor.
    Or,
    /// The one successor, at the end of some transition with a label that satisfies all the literals.
    StepExists(Vec<ActionLiteral>),
    /// The one successor, at the end of every transition with a label that satisfies none of the literals.
    StepForAll(Vec<ActionLiteral>),
    /// Papers only: not the successor.
    Not,
    /// Papers only, CTL*CA: what is challenged.
    Question,
    /// Papers only: a state formula and the rest of a set, apart.
    Equivalent,
    /// Papers only: the successor, along a transition with this act; `negated`: with any other.
    Action {
        /// The act.
        kind: ActKind,
        /// The act's name in the paper.
        act: &'static str,
        /// For `<¬Act>`.
        negated: bool,
    },
    /// Papers only: the content of a commitment.
    Commitment,
    /// Papers only: the successor, one step on.
    Next,
    /// Papers only, CTL*CA: the successor, one step back.
    Previous,
}

impl StateKind {
    /// Always, or never.
    pub(crate) fn constant(value: bool) -> Self {
        if value { StateKind::True } else { StateKind::False }
    }

    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            StateKind::True => "true",
            StateKind::False => "false",
            StateKind::Literal { .. } => "literal",
            StateKind::And => "and",
            StateKind::Or => "or",
            StateKind::StepExists(_) => "step-exists",
            StateKind::StepForAll(_) => "step-forall",
            StateKind::Not => "not",
            StateKind::Question => "question",
            StateKind::Equivalent => "equivalent",
            StateKind::Action { .. } => "action",
            StateKind::Commitment => "commitment",
            StateKind::Next => "next",
            StateKind::Previous => "previous",
        }
    }

    /// Does it take a step of the model?
    pub fn is_step(&self) -> bool {
        matches!(self, StateKind::StepExists(_) | StateKind::StepForAll(_))
    }
}

/// Some path, or all paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    /// `E`: some path satisfies all formulas of the set.
    Exists,
    /// `A`: every path satisfies some formula of the set.
    ForAll,
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantifier::Exists => "E",
            Quantifier::ForAll => "A",
        })
    }
}

/// A strongly connected part of the automaton in which a run can stay for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// A run that stays in an existential component must meet every acceptance set of it again and again; one that stays
    /// in a universal component must leave some acceptance set of it behind for good.
    pub quantifier: Quantifier,
    /// Its states.
    pub states: Vec<StateId>,
}

/// One set of the acceptance condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptanceSet {
    /// The component it judges; `None` in automata by the papers' rules, where it judges all runs.
    pub component: Option<usize>,
    /// The until formula (in a universal component: the release formula) that it belongs to.
    pub formula: String,
    /// The set.
    pub states: Vec<StateId>,
}

impl Abta {
    /// A state.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// All states with their positions.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, &State)> {
        self.states.iter().enumerate().map(|(index, state)| (StateId::from_index(index), state))
    }

    /// The states in the order of their numbers.
    pub fn by_number(&self) -> Vec<(StateId, &State)> {
        let mut states: Vec<(StateId, &State)> = self.iter().collect();
        states.sort_by_key(|(_, state)| state.number);
        states
    }

    /// The numbers of states, as shown.
    pub fn numbers(&self, states: &[StateId]) -> Vec<usize> {
        states.iter().map(|id| self.state(*id).number).collect()
    }
}
