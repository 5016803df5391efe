//! Decompositions of communicative acts (docs/formulas.md section 4, "Conformance of acts").
//!
//! The tableau rules of the ACTL* paper (Table 1, R1 to R5 and R16 to R22), with CTL*CA's rule for `?`, turn what an
//! act brings about into a small transition system: states are sets of formulas, an edge is one application of one
//! rule. An implementation may claim a decomposition; [`first_difference`] compares the two.
//!
//! ```
//! use servanda_abta::decompose::decompose_formula;
//! use servanda_logic::parse_formula;
//!
//! let justified = parse_formula("SC(Master, Slave, demand so benefit)").unwrap();
//! assert_eq!(decompose_formula(&justified).states.len(), 5);
//! ```

mod compare;
mod rules;

use std::fmt;

use servanda_logic::Formula;
use servanda_model::{ActLabel, Model};
use servanda_syntax::Span;

pub use compare::first_difference;
pub use rules::{decompose_act, decompose_formula};

/// A transition system made by tableau rules; it starts in state 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Each state is a set of formulas, all to be satisfied together.
    pub states: Vec<Vec<Formula>>,
    /// The applications of rules.
    pub edges: Vec<Edge>,
}

/// One application of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The state it decomposes.
    pub from: usize,
    /// The rule.
    pub rule: Rule,
    /// What the rule leaves to be shown.
    pub to: usize,
}

/// The rules that occur in decompositions, by the labels the papers give them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule<Role = String> {
    /// `and`: a conjunction, an argument or a `G` is split.
    And,
    /// `or`: a disjunction, an until or an `F` is split; one edge per alternative.
    Or,
    /// `not`: a negation is entered.
    Not,
    /// `?`: what is challenged.
    Question,
    /// `<=>`: state formulas are settled, path formulas remain.
    Equivalent,
    /// `X`: one step.
    Next,
    /// `SC_i`: the content of a commitment of `i`, given by full name.
    Commitment(Role),
}

impl<Role: fmt::Display> fmt::Display for Rule<Role> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::And => f.write_str("and"),
            Rule::Or => f.write_str("or"),
            Rule::Not => f.write_str("not"),
            Rule::Question => f.write_str("?"),
            Rule::Equivalent => f.write_str("<=>"),
            Rule::Next => f.write_str("X"),
            Rule::Commitment(debtor) => write!(f, "SC_{debtor}"),
        }
    }
}

/// A decomposition that an implementation claims for an act.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Of which act.
    pub act: ActLabel,
    /// What it claims.
    pub decomposition: Decomposition,
    /// Where.
    pub span: Span,
}

impl Claim {
    /// Compares the claim with the rule-made decomposition: `None` when they are the same.
    pub fn first_difference(&self, model: &Model) -> Option<String> {
        first_difference(&decompose_act(model, &self.act), &self.decomposition)
    }
}

/// The formulas of a state, as shown to people.
pub fn show_state(state: &[Formula]) -> String {
    if state.is_empty() {
        return "{}".to_owned();
    }
    state.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
