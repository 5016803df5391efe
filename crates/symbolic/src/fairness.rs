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
use crate::relation::Part;
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
            let possible = self.before_by(&self.encoding.diagrams.truth(), Some(step.taken))?;
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

    /// Are the steps of a part named by a constraint? Without one all are.
    pub(crate) fn is_taken(&self, part: &Part, taken: Option<LabelSetId>) -> Result<bool, Halt> {
        let Some(taken) = taken else { return Ok(true) };
        Ok(!self.action_matches(Action::Does(taken), part)?.is_false())
    }

    /// The points of the universe from which some step, one with such a label where that is asked for, leads into a set.
    pub(crate) fn before_by(&self, set: &Bdd, taken: Option<LabelSetId>) -> Result<Bdd, Halt> {
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            if self.is_taken(part, taken)? {
                all = all.either(&part.preimage(set)?)?;
            }
        }
        all.both(&self.universe)
    }

    /// `E G a` on fair paths.
    pub(crate) fn globally_fair(&mut self, a: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let constraints = self.fair.clone();
        self.fair_paths(a, &constraints, Self::before_by, budget)
    }

    /// The places of a set from which some infinite path inside it meets all these constraints. `before` says from where steps lead into
    /// a set.
    pub(crate) fn fair_paths(
        &mut self,
        within: &Bdd,
        constraints: &[Fair],
        before: impl Fn(&Self, &Bdd, Option<LabelSetId>) -> Result<Bdd, Halt>,
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
                    meets = meets.both(&before(self, &again, None)?)?;
                    meets = meets.either(&again.both(&before(self, &again, *taken)?)?)?;
                }
                let meets = self.reaching(&again, meets, &before, budget)?;
                again = match demands {
                    Some(demands) => again.without(demands)?.either(&meets)?,
                    None if taken.is_some() => meets,
                    None => again.both(&before(self, &meets, None)?)?,
                };
            }
            if constraints.is_empty() || !everywhere {
                again = again.both(&before(self, &again, None)?)?;
            }
            if again != stays {
                stays = again;
                continue;
            }
            // Whoever does not come back may demand what is never kept.
            return if everywhere { Ok(stays) } else { self.reaching(within, stays, &before, budget) };
        }
    }

    /// The places from which a path through a set leads into another.
    fn reaching(
        &mut self,
        through: &Bdd,
        set: Bdd,
        before: impl Fn(&Self, &Bdd, Option<LabelSetId>) -> Result<Bdd, Halt>,
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let (mut reached, mut frontier) = (set.clone(), set);
        while !frontier.is_false() {
            self.poll(budget)?;
            frontier = before(self, &frontier, None)?.both(through)?.without(&reached)?;
            reached = reached.either(&frontier)?;
        }
        Ok(reached)
    }

    /// `E [a U b]`
    pub(crate) fn until(&mut self, a: &Bdd, b: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        self.reaching(a, b.clone(), Self::before_by, budget)
    }
}
