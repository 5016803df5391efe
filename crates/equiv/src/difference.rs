//! Why two systems are different.

use servanda_lts::{Action, Labels};

use crate::formula::Formula;
use crate::show::show;

/// One of the two systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// What one system has and the other one lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// A formula that holds initially.
    Formula(Formula),
    /// Visible labels that can be done one after the other; no shorter sequence would do.
    Trace(Vec<Action>),
}

/// A confirmed difference between two systems.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Who has it.
    pub side: Side,
    /// What it is.
    pub explanation: Explanation,
    /// The labels of both systems, which the explanation speaks of.
    pub labels: Labels,
    /// Does one of the systems have internal steps?
    pub internal_steps: bool,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.explanation {
            Explanation::Formula(formula) => f.write_str(&show(formula, &self.labels)),
            Explanation::Trace(trace) => {
                let labels: Vec<&str> = trace.iter().map(|action| self.labels.name(*action)).collect();
                f.write_str(&labels.join(", then "))
            }
        }
    }
}
