//! What is demanded of the loop of a path besides what the automaton puts off: conditions that come again and again.
//!
//! They are kept and demanded like fairness constraints ([`crate::fairness`]), by bits of their own.

use servanda_engine::{Budget, Halt};
use servanda_lower::{Arena, CoreFormula as _, Path, PathFormula, StateFormula};
use servanda_paths::Recurring;
use servanda_space::Via;

use crate::evaluate::Evaluation;
use crate::fairness::Standing;
use crate::labels::satisfies;
use crate::layers::Node;

/// What is demanded of loops.
#[derive(Clone, Default)]
pub(crate) struct Loops {
    /// A bit, and where it is demanded.
    wanted: Vec<(u64, StateFormula)>,
    /// A bit, and the states that keep it.
    states: Vec<(u64, StateFormula)>,
    /// A bit, and the steps that keep it.
    steps: Vec<(u64, PathFormula)>,
}

impl Loops {
    pub(crate) fn new(recurring: &[Recurring], first_bit: u32, arena: &Arena) -> Self {
        let mut loops = Loops::default();
        for (number, Recurring { wanted, kept }) in (first_bit..).zip(recurring) {
            let bit = 1 << number;
            if *wanted != StateFormula::TRUE {
                loops.wanted.push((bit, *wanted));
            }
            match arena.as_state(*kept) {
                Some(state) => loops.states.push((bit, state)),
                None => loops.steps.push((bit, *kept)),
            }
        }
        loops
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states.is_empty() && self.steps.is_empty()
    }

    /// Are there bits that steps keep?
    pub(crate) fn watch_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The bits that are not demanded everywhere.
    pub(crate) fn conditional(&self) -> u64 {
        self.wanted.iter().fold(0, |bits, (bit, _)| bits | bit)
    }
}

impl Evaluation<'_> {
    /// How a node stands to the fairness constraints and to what is demanded of loops; what steps keep is not looked at.
    pub(crate) fn standing_in(
        &mut self,
        loops: &Loops,
        at: Node,
        budget: &dyn Budget,
    ) -> Result<Standing, Halt> {
        let mut standing = self.standing(at, budget)?;
        for (bit, wanted) in &loops.wanted {
            if !self.holds(*wanted, at, budget)? {
                standing.demands &= !bit;
            }
        }
        for (bit, kept) in &loops.states {
            if !self.holds(*kept, at, budget)? {
                standing.unmet |= bit;
            }
        }
        Ok(standing)
    }

    /// The bits that a step could keep and does not.
    pub(crate) fn unmet_by_step(
        &mut self,
        loops: &Loops,
        at: Node,
        via: Via,
        budget: &dyn Budget,
    ) -> Result<u64, Halt> {
        let mut unmet = 0;
        for (bit, kept) in &loops.steps {
            if !self.holds_of_step(*kept, at, via, budget)? {
                unmet |= bit;
            }
        }
        Ok(unmet)
    }

    /// Does a condition on a state and the step that is taken there hold?
    fn holds_of_step(
        &mut self,
        psi: PathFormula,
        at: Node,
        via: Via,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        Ok(match *self.lowering.arena.path(psi) {
            Path::State(state) => self.holds(state, at, budget)?,
            Path::Action(action) => satisfies(&self.space, via, &[(action, true)], &self.lowering.arena),
            Path::Not(a) => !self.holds_of_step(a, at, via, budget)?,
            Path::And(a, b) => {
                self.holds_of_step(a, at, via, budget)? && self.holds_of_step(b, at, via, budget)?
            }
            Path::Or(a, b) => {
                self.holds_of_step(a, at, via, budget)? || self.holds_of_step(b, at, via, budget)?
            }
            Path::Next(_) | Path::Until(..) | Path::Previous(_) | Path::Since(..) => {
                unreachable!("nothing but conditions on a state and a step is demanded of loops")
            }
        })
    }
}
