//! Conditions on one step: what holds where it begins and where it leads, and its label.

use std::sync::Arc;

use servanda_lower::{Action, Arena};
use servanda_space::{Space, StateSet, Step, Via};

use crate::labels::satisfies;

/// A condition on a step.
#[derive(Clone)]
pub(super) enum OnStep {
    /// The same of every step.
    Always(bool),
    /// The state where the step begins is one of these.
    Here(Arc<StateSet>),
    /// The state that the step leads to is one of these.
    There(Arc<StateSet>),
    /// By the number of a command or of a joint action; the implicit loop of a deadlock is not there, and is none of them.
    Label(Arc<[bool]>),
    Not(Box<OnStep>),
    And(Box<OnStep>, Box<OnStep>),
    Or(Box<OnStep>, Box<OnStep>),
}

impl OnStep {
    /// The steps that meet a condition on labels.
    pub(super) fn action(action: Action, space: &Space<'_>, arena: &Arena) -> Self {
        let ways = match &space.model.behaviour {
            servanda_model::Behaviour::Commands(commands) => commands.len(),
            servanda_model::Behaviour::Rounds(_) => space.labels(),
        };
        let meets = |via: u32| satisfies(space, Via(via), &[(action, true)], arena);
        OnStep::Label((0..ways as u32).map(meets).collect())
    }

    /// `!a`
    pub(super) fn not(self) -> Self {
        match self {
            OnStep::Always(holds) => OnStep::Always(!holds),
            OnStep::Not(inner) => *inner,
            other => OnStep::Not(Box::new(other)),
        }
    }

    /// `a & b`
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (OnStep::Always(true), other) | (other, OnStep::Always(true)) => other,
            (OnStep::Always(false), _) | (_, OnStep::Always(false)) => OnStep::Always(false),
            (a, b) => OnStep::And(Box::new(a), Box::new(b)),
        }
    }

    /// `a | b`
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (OnStep::Always(false), other) | (other, OnStep::Always(false)) => other,
            (OnStep::Always(true), _) | (_, OnStep::Always(true)) => OnStep::Always(true),
            (a, b) => OnStep::Or(Box::new(a), Box::new(b)),
        }
    }

    /// Does a step from a state meet it?
    #[inline]
    pub(super) fn holds(&self, from: u32, step: &Step) -> bool {
        match self {
            OnStep::Always(holds) => *holds,
            OnStep::Here(set) => set.contains(from),
            OnStep::There(set) => set.contains(step.target),
            OnStep::Label(meets) => meets.get(step.via.0 as usize) == Some(&true),
            OnStep::Not(a) => !a.holds(from, step),
            OnStep::And(a, b) => a.holds(from, step) && b.holds(from, step),
            OnStep::Or(a, b) => a.holds(from, step) || b.holds(from, step),
        }
    }
}
