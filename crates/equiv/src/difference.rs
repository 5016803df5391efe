//! Why two systems are different.

use servanda_lts::{Action, Labels};

use crate::formula::{Builder, Formula, Node};
use crate::relation::Steps;
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
    /// Something to do and perhaps to refuse; no shorter trace would do.
    Run(Run),
}

/// Labels that can be done one after the other, and what can be refused then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How internal steps are read. By weak steps the labels are visible.
    pub steps: Steps,
    /// The labels.
    pub trace: Vec<Action>,
    /// If it matters: labels that are all refused in a state that the trace leads to.
    pub refused: Option<Vec<Action>>,
}

impl Run {
    /// The formula that says so.
    pub(crate) fn formula(&self) -> Formula {
        let mut builder = Builder::default();
        let step = |action, then| match self.steps {
            Steps::Strong => Node::Step { action, then },
            Steps::Weak => Node::Weak { action, then },
        };
        let always = builder.all(Vec::new());
        let mut refusals = Vec::new();
        for action in self.refused.iter().flatten() {
            let can = builder.add(step(*action, always));
            refusals.push(builder.not(can));
        }
        let mut root = builder.all(refusals);
        if self.steps == Steps::Weak && self.refused.is_some() && self.trace.is_empty() {
            // After no visible step there may still have been internal ones.
            root = builder.add(step(Action::INTERNAL, root));
        }
        for action in self.trace.iter().rev() {
            root = builder.add(step(*action, root));
        }
        builder.extract(root, |node| node)
    }
}

/// A confirmed difference between two systems.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Who has it.
    pub side: Side,
    /// What it is.
    pub explanation: Explanation,
    /// The labels of both systems, which the explanation refers to.
    pub labels: Labels,
    /// Does one of the systems have internal steps?
    pub internal_steps: bool,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |actions: &[Action], between| {
            let names: Vec<&str> = actions.iter().map(|action| self.labels.name(*action)).collect();
            names.join(between)
        };
        match &self.explanation {
            Explanation::Formula(formula) => f.write_str(&show(formula, &self.labels)),
            Explanation::Run(Run { trace, refused: None, .. }) => f.write_str(&names(trace, ", then ")),
            Explanation::Run(Run { trace, refused: Some(refused), .. }) => {
                write!(f, "{}, refusing {{{}}}", names(trace, ", then "), names(refused, ", "))
            }
        }
    }
}
