//! Least and greatest sets of states, over all steps of a space that is known as a whole.
//!
//! The states are gone through from the last to the first and back as long as that settles them soon: successors have larger numbers more
//! often than not, and what is read lies in a row. What is left then goes from state to state against the steps, each of which is
//! followed once; where memory has no room for the steps the other way, sweeping goes on.

use servanda_engine::{Budget, Halt, Progress};
use servanda_space::{Before, Space, StateSet, Step};

use crate::labelling::on_step::OnStep;
use crate::search::REPORT_EVERY;

/// So many times all states are gone through before the steps are followed the other way, where that is known already.
const SWEEPS: usize = 2;
/// And where it has to be made first, which takes as long as some sweeps.
const SWEEPS_AT_FIRST: usize = 5;

/// A space known as a whole, and what helps to go through it.
pub(super) struct Fixpoints<'s, 'm> {
    pub(super) space: &'s Space<'m>,
    /// Where steps come from, once somebody has asked.
    pub(super) before: &'s mut Option<Before>,
    pub(super) budget: &'s dyn Budget,
    /// States looked at, for reports of progress.
    pub(super) visited: usize,
}

impl Fixpoints<'_, '_> {
    fn visit(&mut self) -> Result<(), Halt> {
        self.visited += 1;
        Progress::nodes(self.visited, REPORT_EVERY, self.budget)
    }

    /// Where some step meets a condition.
    pub(super) fn some_step(&mut self, meets: impl Fn(u32, &Step) -> bool) -> Result<StateSet, Halt> {
        let mut set = StateSet::none(self.space.len());
        for state in 0..self.space.len() as u32 {
            self.visit()?;
            if self.space.steps(state).iter().any(|step| meets(state, step)) {
                set.insert(state);
            }
        }
        Ok(set)
    }

    /// Adds the states from which steps that meet `through` lead into the set.
    pub(super) fn least(&mut self, set: StateSet, through: &OnStep) -> Result<StateSet, Halt> {
        match through {
            OnStep::Always(false) => Ok(set),
            OnStep::Always(true) => self.grow(set, |_| true, |_, _| true),
            OnStep::Here(here) => self.grow(set, |state| here.contains(state), |_, _| true),
            other => self.grow(set, |_| true, |state, step| other.holds(state, step)),
        }
    }

    /// Keeps the states from which a path goes on for ever by steps that meet `stays`, or until one that meets `ends` besides.
    pub(super) fn greatest(&mut self, stays: &OnStep, ends: &OnStep) -> Result<StateSet, Halt> {
        let all = StateSet::all(self.space.len());
        match (stays, ends) {
            (OnStep::Here(here), OnStep::Always(false)) => {
                self.shrink((**here).clone(), |set, _, step| set.contains(step.target))
            }
            (OnStep::Here(here), ends) => self.shrink((**here).clone(), |set, state, step| {
                set.contains(step.target) || ends.holds(state, step)
            }),
            _ => self.shrink(all, |set, state, step| {
                (set.contains(step.target) || ends.holds(state, step)) && stays.holds(state, step)
            }),
        }
    }

    fn grow(
        &mut self,
        mut set: StateSet,
        may: impl Fn(u32) -> bool,
        passes: impl Fn(u32, &Step) -> bool,
    ) -> Result<StateSet, Halt> {
        let space = self.space;
        let mut fresh = self.sweep(|state| {
            let joins = !set.contains(state)
                && may(state)
                && space.steps(state).iter().any(|step| set.contains(step.target) && passes(state, step));
            if joins {
                set.insert(state);
            }
            joins
        })?;
        while let Some(state) = fresh.pop() {
            self.visit()?;
            let Some(before) = &*self.before else { break };
            for &earlier in before.of(state) {
                let leads = |step: &Step| step.target == state && passes(earlier, step);
                if !set.contains(earlier) && may(earlier) && space.steps(earlier).iter().any(leads) {
                    set.insert(earlier);
                    fresh.push(earlier);
                }
            }
        }
        Ok(set)
    }

    fn shrink(
        &mut self,
        mut set: StateSet,
        holds: impl Fn(&StateSet, u32, &Step) -> bool,
    ) -> Result<StateSet, Halt> {
        let space = self.space;
        let mut gone = self.sweep(|state| {
            let leaves =
                set.contains(state) && !space.steps(state).iter().any(|step| holds(&set, state, step));
            if leaves {
                set.remove(state);
            }
            leaves
        })?;
        if gone.is_empty() {
            return Ok(set);
        }
        // By state the first step that may still keep it: what does not will not again, so each step is looked at once.
        let mut first = vec![0_u32; space.len()];
        while let Some(state) = gone.pop() {
            self.visit()?;
            let Some(before) = &*self.before else { break };
            for &earlier in before.of(state) {
                if !set.contains(earlier) {
                    continue;
                }
                let first = &mut first[earlier as usize];
                let steps = &space.steps(earlier)[*first as usize..];
                match steps.iter().position(|step| holds(&set, earlier, step)) {
                    Some(more) => *first += more as u32,
                    None => {
                        set.remove(earlier);
                        gone.push(earlier);
                    }
                }
            }
        }
        Ok(set)
    }

    /// Goes through all states until nothing changes, or it is known from where steps come: then those that changed last are given, which
    /// others have not heard of.
    fn sweep(&mut self, mut change: impl FnMut(u32) -> bool) -> Result<Vec<u32>, Halt> {
        let states = self.space.len() as u32;
        let mut changed = Vec::new();
        let mut sweeps = 0;
        loop {
            changed.clear();
            for at in 0..states {
                self.visit()?;
                let state = if sweeps % 2 == 0 { states - 1 - at } else { at };
                if change(state) {
                    changed.push(state);
                }
            }
            sweeps += 1;
            if changed.is_empty() || self.knows_before(sweeps)? {
                return Ok(changed);
            }
        }
    }

    /// After so many sweeps: is it known from where steps come, or worth to be made known?
    fn knows_before(&mut self, sweeps: usize) -> Result<bool, Halt> {
        if self.before.is_some() {
            return Ok(sweeps >= SWEEPS);
        }
        // Room for what goes beside it is asked for with it: a number for each state, and those that are still to be looked at.
        let bytes = Before::bytes(self.space) + 2 * self.space.len() * size_of::<u32>();
        if sweeps < SWEEPS_AT_FIRST || self.budget.room(bytes).is_err() {
            return Ok(false);
        }
        let budget = self.budget;
        let mut visited = 0;
        let go_on = || {
            visited += REPORT_EVERY;
            Progress::nodes(visited, REPORT_EVERY, budget)
        };
        *self.before = Some(Before::new(self.space, go_on)?);
        Ok(true)
    }
}
