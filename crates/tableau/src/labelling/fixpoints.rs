//! Least and greatest sets of states, over all steps of a space that is known as a whole.
//!
//! For least sets the states are gone through from the last to the first and back as long as that settles them soon: successors have larger
//! numbers more often than not, and what is read lies in a row. What is left then goes from state to state against the steps, each of
//! which is followed once; where memory has no room for the steps the other way, sweeping goes on. Greatest sets are those of states from
//! which some path goes on for ever, and are found by looking for its loop.

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
            OnStep::Always(true) => self.grow(set, |_| true, |_, _| true, |_, _| true),
            OnStep::Here(here) => self.grow(set, |state| here.contains(state), |_, _| true, |_, _| true),
            other => {
                let space = self.space;
                let passes = |state: u32, step: &Step| other.holds(state, step);
                let leads = |from: u32, to: u32| {
                    space.steps(from).iter().any(|step| step.target == to && passes(from, step))
                };
                self.grow(set, |_| true, passes, leads)
            }
        }
    }

    /// The states from which a path goes on for ever by steps that meet `stays`, or until one that meets `ends` besides.
    pub(super) fn greatest(&mut self, stays: &OnStep, ends: &OnStep) -> Result<StateSet, Halt> {
        match (stays, ends) {
            (OnStep::Here(here), OnStep::Always(false)) => {
                self.going_on(|state| here.contains(state), |_, _| true, |_, _| false)
            }
            (OnStep::Here(here), ends) => self.going_on(
                |state| here.contains(state),
                |_, _| true,
                |state, step| ends.holds(state, step),
            ),
            _ => self.going_on(
                |_| true,
                |state, step| stays.holds(state, step),
                |state, step| ends.holds(state, step),
            ),
        }
    }

    /// How many bytes [`Fixpoints::greatest`] holds at once, at most.
    pub(super) fn room_for_greatest(states: usize) -> usize {
        3 * StateSet::bytes(states) + 2 * states * size_of::<(u32, u32)>()
    }

    /// Adds the states that `may` be added and have a step that `passes` into the set; of two states it is known that there is a step, and
    /// `leads` says whether one of these passes.
    fn grow(
        &mut self,
        mut set: StateSet,
        may: impl Fn(u32) -> bool,
        passes: impl Fn(u32, &Step) -> bool,
        leads: impl Fn(u32, u32) -> bool,
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
                if !set.contains(earlier) && may(earlier) && leads(earlier, state) {
                    set.insert(earlier);
                    fresh.push(earlier);
                }
            }
        }
        Ok(set)
    }

    /// Depth first: whoever comes back to its own path, or to a state from which a path goes on, has found such a path. What is left
    /// without finding one has none, so each step is looked at once.
    fn going_on(
        &mut self,
        may: impl Fn(u32) -> bool,
        stays: impl Fn(u32, &Step) -> bool,
        ends: impl Fn(u32, &Step) -> bool,
    ) -> Result<StateSet, Halt> {
        let (space, states) = (self.space, self.space.len());
        let (mut met, mut on_path) = (StateSet::none(states), StateSet::none(states));
        let mut found = StateSet::none(states);
        // States, and how many of their steps have been looked at.
        let mut path: Vec<(u32, u32)> = Vec::new();
        for root in 0..states as u32 {
            let mut enter = (!met.contains(root) && may(root)).then_some(root);
            loop {
                if let Some(state) = enter.take() {
                    self.visit()?;
                    met.insert(state);
                    on_path.insert(state);
                    path.push((state, 0));
                }
                let Some((state, seen)) = path.last_mut() else { break };
                let state = *state;
                let mut goes_on = false;
                for step in &space.steps(state)[*seen as usize..] {
                    *seen += 1;
                    let target = step.target;
                    if !stays(state, step) {
                        continue;
                    }
                    if found.contains(target) || on_path.contains(target) || ends(state, step) {
                        goes_on = true;
                        break;
                    }
                    if !met.contains(target) && may(target) {
                        enter = Some(target);
                        break;
                    }
                }
                if goes_on {
                    for (state, _) in path.drain(..) {
                        found.insert(state);
                        on_path.remove(state);
                    }
                    break;
                }
                if enter.is_none() {
                    on_path.remove(state);
                    path.pop();
                }
            }
        }
        Ok(found)
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
