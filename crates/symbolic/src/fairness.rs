//! Fairness: only the runs on which every constraint is met again and again count.
//!
//! The greatest set of places in which every place can go on, and can reach a step that meets each constraint that it demands, contains
//! every loop that counts, and from each of its places such a loop can be reached: the strongly connected parts of it that lead
//! nowhere else are such loops. This is the fixpoint of Emerson and Lei where constraints demand something everywhere, and that of Kesten,
//! Pnueli and Raviv, "Algorithmic verification of linear temporal logic specifications", where they do not.

use servanda_engine::{Budget, Halt};
use servanda_lower::{Action, LabelSetId};
use servanda_model::Strength;

use crate::diagrams::{Bdd, Operations};
use crate::events::Direction;
use crate::relation::Part;
use crate::saturation::{Asked, Saturation};
use crate::symbolic::Symbolic;

/// A fairness constraint. Where it demands something again and again, it must be met again and again: where it holds, or by a step that
/// it names.
#[derive(Clone)]
pub(crate) struct Fair {
    /// Where it demands something; `None`: everywhere.
    pub(crate) demands: Option<Bdd>,
    /// Where it holds.
    pub(crate) holds: Bdd,
    /// The labels of the steps that meet it.
    pub(crate) taken: Option<LabelSetId>,
}

/// Which steps are meant.
#[derive(Clone, Copy)]
pub(crate) enum StepChoice {
    /// All of them.
    Any,
    /// Those with such a label.
    Labelled(LabelSetId),
    /// Those of one part of the relation.
    By(usize),
}

impl From<Option<LabelSetId>> for StepChoice {
    fn from(labels: Option<LabelSetId>) -> Self {
        labels.map_or(StepChoice::Any, StepChoice::Labelled)
    }
}

impl Fair {
    /// What holds again and again.
    pub(crate) fn often(holds: Bdd) -> Self {
        Fair { demands: None, holds, taken: None }
    }
}

impl Symbolic<'_> {
    pub(crate) fn keep_fair_runs(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let mut constraints = Vec::new();
        for id in self.lowering.fairness().to_vec() {
            constraints.push(Fair::often(self.evaluate(id, budget)?));
        }
        for step in self.lowering.step_fairness().to_vec() {
            let possible =
                self.before_by(&self.encoding.diagrams.truth(), StepChoice::Labelled(step.taken), budget)?;
            let (demands, holds) = match step.strength {
                Strength::Weak => (None, self.universe.without(&possible)?),
                Strength::Strong => (Some(possible), self.encoding.diagrams.falsity()),
            };
            constraints.push(Fair { demands, holds, taken: Some(step.taken) });
        }
        if constraints.is_empty() {
            return Ok(());
        }
        self.fair = constraints;
        let all = self.universe.clone();
        let fair = self.globally_fair(&all, budget)?;
        self.universe = fair.clone();
        self.points = self.points.both(&fair)?;
        self.initial = self.initial.both(&fair)?;
        // What was evaluated without fairness is not what the property asks for.
        self.truth.clear();
        Ok(())
    }

    /// The parts of the relation with these steps.
    pub(crate) fn parts_taken(&self, taken: StepChoice) -> Result<Vec<&Part>, Halt> {
        match taken {
            StepChoice::Any => Ok(self.parts.iter().collect()),
            StepChoice::By(part) => Ok(vec![&self.parts[part]]),
            StepChoice::Labelled(labels) => {
                let mut parts = Vec::new();
                for part in &self.parts {
                    if !self.action_matches(Action::Does(labels), part)?.is_false() {
                        parts.push(part);
                    }
                }
                Ok(parts)
            }
        }
    }

    /// All steps, part by part, so that the parts that come first on the way come last.
    fn one_by_one(&self) -> Vec<StepChoice> {
        (0..self.parts.len()).rev().map(StepChoice::By).collect()
    }

    /// The points of the universe from which some step leads into a set.
    pub(crate) fn before(&mut self, set: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let universe = self.universe.clone();
        let before = self.by_events(|saturation, encoding, room| {
            let asked = Asked { direction: Direction::Backwards, set, within: Some(&universe) };
            let before = saturation.next(encoding, asked, room, budget)?;
            let idle = saturation.idle(encoding)?.both(set)?.both(&universe)?;
            before.map(|before| before.either(&idle)).transpose()
        })?;
        match before {
            Some(before) => Ok(before),
            None => self.before_by(set, StepChoice::Any, budget),
        }
    }

    /// The points of the universe from which some of these steps leads into a set.
    pub(crate) fn before_by(&self, set: &Bdd, taken: StepChoice, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let mut all = self.encoding.diagrams.falsity();
        for part in self.parts_taken(taken)? {
            self.encoding.diagrams.report(budget)?;
            // Nobody wants the states that cannot be reached, and there are most of them: out with them before sets are joined.
            all = all.either(&part.preimage(set)?.both(&self.universe)?)?;
        }
        Ok(all)
    }

    /// `E G a` on fair paths.
    pub(crate) fn globally_fair(&mut self, a: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        self.globally_with(a, &self.fair.clone(), budget)
    }

    /// `E G a` on paths that meet these constraints.
    pub(crate) fn globally_with(
        &mut self,
        a: &Bdd,
        constraints: &[Fair],
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        if constraints.is_empty() && self.parts.len() > 1 {
            return self.staying(a, budget);
        }
        let before = |this: &mut Self, set: &Bdd, taken| match taken {
            StepChoice::Any => this.before(set, budget),
            _ => this.before_by(set, taken, budget),
        };
        let reaching = |this: &mut Self, through: &Bdd, set: Bdd| this.until(through, &set, budget);
        self.fair_paths(a, constraints, (before, reaching), budget)
    }

    /// The places of a set from which some infinite path stays inside it, where every step is made by one of many parts: in the end such
    /// a path makes only steps that can be made again and again.
    pub(crate) fn staying(&mut self, within: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let recurring = self.recurring(within, budget)?;
        let stays = match self.staying_by_events(within, &recurring, budget)? {
            Some(stays) => stays,
            None => self.swept_staying(within, &recurring, budget)?,
        };
        if recurring.contains(&false) { self.until(within, &stays, budget) } else { Ok(stays) }
    }

    /// The states of a set from which some of the steps can be made for ever without leaving it; `None` where there are no events, or no
    /// room.
    fn staying_by_events(
        &mut self,
        within: &Bdd,
        recurring: &[bool],
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        let within = within.both(&self.universe)?;
        if !recurring.contains(&false) {
            return self
                .by_events(|saturation, encoding, room| saturation.staying(encoding, &within, room, budget));
        }
        let parts = self.parts.iter().zip(recurring).filter_map(|(part, recurs)| recurs.then_some(part));
        let some = Saturation::new(&self.encoding, parts).filter(|_| self.saturates);
        let Some(mut some) = some else { return Ok(None) };
        let stays = some.staying(&self.encoding, &within, self.room, budget);
        self.iterations += some.made as u64;
        self.answered(stays)
    }

    /// The same sweep by sweep.
    pub(crate) fn swept_staying(
        &mut self,
        within: &Bdd,
        recurring: &[bool],
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let before = |this: &mut Self, set: &Bdd, _: StepChoice| {
            let mut all = this.encoding.diagrams.falsity();
            for (part, _) in recurring.iter().enumerate().filter(|(_, recurs)| **recurs) {
                // Only who stays in the set is asked for, and that is less than who comes from anywhere.
                all = all.either(&this.before_by(set, StepChoice::By(part), budget)?.both(set)?)?;
            }
            Ok(all)
        };
        // Without constraints nothing has to be reached.
        let reaching = |_: &mut Self, _: &Bdd, set: Bdd| Ok(set);
        self.fair_paths(within, &[], (before, reaching), budget)
    }

    /// The places of a set from which some infinite path inside it meets all these constraints. `before` says from where steps lead into
    /// a set, and `reaching` from which places a path through a set leads into another.
    pub(crate) fn fair_paths(
        &mut self,
        within: &Bdd,
        constraints: &[Fair],
        (before, reaching): (
            impl Fn(&mut Self, &Bdd, StepChoice) -> Result<Bdd, Halt>,
            impl Fn(&mut Self, &Bdd, Bdd) -> Result<Bdd, Halt>,
        ),
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let everywhere = constraints.iter().all(|fair| fair.demands.is_none());
        let mut stays = within.clone();
        loop {
            self.poll(budget)?;
            let mut again = stays.clone();
            for fair in constraints {
                let Fair { demands, holds, taken } = fair;
                let mut meets = again.both(holds)?;
                if taken.is_some() {
                    meets = meets.both(&before(self, &again, StepChoice::Any)?)?;
                    meets = meets.either(&again.both(&before(self, &again, (*taken).into())?)?)?;
                }
                let meets = reaching(self, &again, meets)?;
                again = match demands {
                    Some(demands) => again.without(demands)?.either(&meets)?,
                    None if taken.is_some() => meets,
                    None => again.both(&before(self, &meets, StepChoice::Any)?)?,
                };
            }
            if constraints.is_empty() || !everywhere {
                again = again.both(&before(self, &again, StepChoice::Any)?)?;
            }
            if again != stays {
                stays = again;
                continue;
            }
            // Whoever does not come back may demand what is never kept.
            return if everywhere { Ok(stays) } else { reaching(self, within, stays) };
        }
    }

    /// The places from which a path through a set leads into another, sweep by sweep: gone back by some steps after the other.
    pub(crate) fn reaching(
        &mut self,
        through: &Bdd,
        set: Bdd,
        sweeps: &[StepChoice],
        before: impl Fn(&mut Self, &Bdd, StepChoice) -> Result<Bdd, Halt>,
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let (mut reached, mut frontier) = (set.clone(), set);
        while !frontier.is_false() {
            self.poll(budget)?;
            let known = reached.clone();
            // Chaining: what leads into the set by some steps is given to the next in the same sweep.
            let mut sweep = frontier;
            for taken in sweeps {
                let more = before(self, &sweep, *taken)?.both(through)?.without(&reached)?;
                reached = reached.either(&more)?;
                sweep = sweep.either(&more)?;
            }
            frontier = reached.without(&known)?;
        }
        Ok(reached)
    }

    /// `E [a U b]`
    pub(crate) fn until(&mut self, a: &Bdd, b: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let within = a.both(&self.universe)?;
        if let Some(until) = self.saturated(Direction::Backwards, (b, Some(&within)), budget)? {
            return Ok(until);
        }
        self.swept_until(a, b, budget)
    }

    /// The same sweep by sweep.
    pub(crate) fn swept_until(&mut self, a: &Bdd, b: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let before = |this: &mut Self, set: &Bdd, taken| this.before_by(set, taken, budget);
        self.reaching(a, b.clone(), &self.one_by_one(), before, budget)
    }
}

#[cfg(test)]
mod tests {
    use servanda_engine::{NoLimits, Options, Stop};
    use servanda_testkit::Patience;

    use super::*;

    /// A step back over all parts, which took a minute and a half of a limit of half a minute, asks before each of them.
    #[test]
    fn a_step_back_asks_before_each_part() {
        let steps: String = (0..60).map(|at| format!("s -- A: to{at} set x = {at} --> s\n")).collect();
        let text = format!("protocol Many\nroles A\nvar x : 0..59 = 0\nstart s\n{steps}");
        let model = servanda_testkit::load(&text).model;
        let mut symbolic =
            Symbolic::new(&model, Options::default(), 1 << 18, &NoLimits).expect("a small model");
        // Where single events have no room, all parts are gone through.
        symbolic.saturates = false;
        let everywhere = symbolic.universe.clone();
        let endless = Patience::endless();
        assert!(symbolic.before(&everywhere, &endless).is_ok_and(|before| before == everywhere));
        assert!(endless.asked() >= 60, "asked {} times", endless.asked());
        let patience = Patience::of(30);
        let stopped = symbolic.before(&everywhere, &patience);
        assert!(matches!(stopped, Err(Halt::Stopped { stop: Stop::Time, .. })));
        assert_eq!(patience.asked(), 31, "nothing is done after that");
    }
}
