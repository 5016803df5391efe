//! What is known of a formula from the moment it is made.
//!
//! Formulas share their parts, so whatever goes through all parts again at each level takes exponential time. Attributes are
//! put together from those of the operands, once.

use crate::arena::Arena;
use crate::{Ctl, Path, State};

/// What is known of a state formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfState {
    /// Does it refer to the present state alone?
    pub(crate) is_condition: bool,
    /// How large it is when written out without sharing; no more than `u32::MAX`.
    pub(crate) size: u32,
}

impl OfState {
    pub(crate) fn new(arena: &Arena, node: &State) -> Self {
        let of = |id| arena.of_state(id);
        match *node {
            State::True | State::Proposition(_) => OfState { is_condition: true, size: 1 },
            State::Not(a) => OfState { size: of(a).size.saturating_add(1), ..of(a) },
            State::And(a, b) | State::Or(a, b) => OfState {
                is_condition: of(a).is_condition && of(b).is_condition,
                size: of(a).size.saturating_add(of(b).size).saturating_add(1),
            },
            State::Exists { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Committed { .. }
            | State::Knows { .. }
            | State::Able { .. } => OfState { is_condition: false, size: 1 },
        }
    }
}

/// What is known of a path formula. Nothing but `is_one_step` looks into the state formulas in it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfPath {
    /// How many past operators stand inside each other, at most.
    pub(crate) past_height: usize,
    /// Does it look further ahead than the next state?
    pub(crate) looks_far_ahead: bool,
    /// Does some past operator stand over what looks further ahead than the next state?
    pub(crate) remembers_what_lies_ahead: bool,
    /// Is it a boolean combination of conditions on the present state and on the next label?
    pub(crate) is_one_step: bool,
    /// The operator, where it is one of CTL over state formulas.
    pub(crate) ctl: Option<Ctl>,
}

impl OfPath {
    /// `ctl` is filled in by whoever can make formulas.
    pub(crate) fn new(arena: &Arena, node: &Path) -> Self {
        let parts = || node.operands().map(|operand| arena.of_path(operand));
        let past = parts().map(|part| part.past_height).max().unwrap_or(0);
        let far = parts().any(|part| part.looks_far_ahead);
        let remembers = parts().any(|part| part.remembers_what_lies_ahead);
        let inherited = OfPath {
            past_height: past,
            looks_far_ahead: far,
            remembers_what_lies_ahead: remembers,
            is_one_step: parts().all(|part| part.is_one_step),
            ctl: None,
        };
        match *node {
            Path::State(state) => OfPath { is_one_step: arena.is_condition(state), ..inherited },
            Path::Action(_) | Path::Not(_) | Path::And(..) | Path::Or(..) => inherited,
            Path::Next(a) => {
                OfPath { looks_far_ahead: arena.as_state(a).is_none(), is_one_step: false, ..inherited }
            }
            Path::Until(..) => OfPath { looks_far_ahead: true, is_one_step: false, ..inherited },
            // One step ahead is known as soon as the step is taken, which is when it is remembered.
            Path::Previous(_) | Path::Since(..) => OfPath {
                past_height: past + 1,
                remembers_what_lies_ahead: remembers || far,
                is_one_step: false,
                ..inherited
            },
        }
    }
}
