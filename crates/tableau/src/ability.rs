//! Strategic ability with perfect information: fixpoints over all states.

use std::collections::BTreeSet;

use servanda_engine::{Budget, Deadlock, Halt};
use servanda_lower::Goal;
use servanda_model::AgentId;

use crate::evaluate::Evaluation;
use crate::layers::Node;
use servanda_space::{Step, Via};

impl Evaluation<'_> {
    /// Where the group can bring about the goal.
    pub(crate) fn able(
        &mut self,
        group: &[AgentId],
        goal: &Goal,
        budget: &dyn Budget,
    ) -> Result<Vec<bool>, Halt> {
        if self.fairness.is_some() {
            return Err(Halt::strategies_with_fairness());
        }
        if self.options.strategies.are_uniform() {
            let reason = "uniform strategies are beyond the on-the-fly engine";
            return Err(Halt::TooLarge(reason.to_owned()));
        }
        match goal {
            Goal::Next(a) => {
                let inside = self.everywhere(*a, budget)?;
                (0..inside.len() as u32).map(|state| self.controls(group, state, &inside, budget)).collect()
            }
            // The greatest part of the set in which the group can stay.
            Goal::Globally(a) => {
                let inside = self.everywhere(*a, budget)?;
                self.settled(group, inside, false, |_| true, budget)
            }
            // The least set that contains this one and every state of `through` from which the group can get into it.
            Goal::Until(a, b) => {
                let through = self.everywhere(*a, budget)?;
                let inside = self.everywhere(*b, budget)?;
                self.settled(group, inside, true, |state| through[state], budget)
            }
        }
    }

    /// The set after states have left it (or entered it, where `side` is true) until nothing changes: those that may, and from which the
    /// group cannot (or can) see to it that the next state is inside.
    fn settled(
        &mut self,
        group: &[AgentId],
        mut set: Vec<bool>,
        side: bool,
        may: impl Fn(usize) -> bool,
        budget: &dyn Budget,
    ) -> Result<Vec<bool>, Halt> {
        loop {
            let mut changed = false;
            for state in (0..set.len()).rev() {
                if set[state] != side
                    && may(state)
                    && self.controls(group, state as u32, &set, budget)? == side
                {
                    set[state] = side;
                    changed = true;
                }
            }
            if !changed {
                return Ok(set);
            }
        }
    }

    /// Can the group see to it that the next state is in the set?
    fn controls(
        &mut self,
        group: &[AgentId],
        state: u32,
        set: &[bool],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let mut steps: Vec<Step> = std::mem::take(&mut self.scratch);
        self.steps(Node { layer: 0, number: state }, &mut steps, budget)?;
        let inside = |step: &Step| set[step.target as usize];
        let able = if steps.is_empty() || steps[0].via == Via::LOOP {
            self.options.deadlock == Deadlock::Loop && set[state as usize]
        } else if self.space.model.behaviour.is_rounds() {
            let part = |step: &Step| -> Vec<Option<usize>> {
                group.iter().map(|agent| self.space.action(step.via.0, *agent)).collect()
            };
            // A part of the joint action will do unless some completion of it leads out of the set.
            let mut possible: BTreeSet<Vec<Option<usize>>> = BTreeSet::new();
            let mut spoilt: BTreeSet<Vec<Option<usize>>> = BTreeSet::new();
            for step in &steps {
                if inside(step) {
                    possible.insert(part(step));
                } else {
                    spoilt.insert(part(step));
                }
            }
            possible.difference(&spoilt).next().is_some()
        } else {
            // Whatever anybody proposes may happen: all that others may propose must be harmless, and every member
            // that has to propose something needs something harmless.
            let maker = |step: &Step| self.space.maker(step.via).filter(|agent| group.contains(agent));
            let others_harmless = steps.iter().filter(|step| maker(step).is_none()).all(inside);
            let safe = |agent: &AgentId| {
                let mut own = steps.iter().filter(|step| maker(step) == Some(*agent)).peekable();
                own.peek().is_none() || own.any(inside)
            };
            others_harmless && group.iter().all(safe)
        };
        self.scratch = steps;
        Ok(able)
    }
}
