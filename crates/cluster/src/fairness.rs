//! Fairness: only the runs on which every constraint is met again and again count.

use servanda_engine::Halt;
use servanda_lower::{CoreFormula as _, LabelSetId, Path, PathFormula, StateFormula};
use servanda_model::Strength;
use servanda_paths::Recurring;

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::links::Links;

/// A fairness constraint, or what a path formula demands of loops in the same way. Where it demands something again and again, it must be met again and again: where it holds, or by a step that
/// it names.
pub(crate) struct Fair {
    /// By state, does it demand something? `None`: everywhere.
    pub(crate) demands: Option<Vec<bool>>,
    /// By state, does it hold?
    holds: Vec<bool>,
    /// By label, is it what the constraint names?
    taken: Vec<bool>,
    /// By slot, is it met by taking this one? Empty where that is no question of single steps.
    steps: Vec<bool>,
    /// Can it be met at all? Where it cannot, it must not be demanded from some position on.
    pub(crate) can_be_met: bool,
}

impl Fair {
    /// Is the constraint met by taking this slot?
    pub(crate) fn is_met(&self, links: &Links, slot: u32) -> bool {
        self.holds.get(links.source(slot) as usize).copied().unwrap_or(false)
            || self.takes(links, slot)
            || self.steps.get(slot as usize).copied().unwrap_or(false)
    }

    fn takes(&self, links: &Links, slot: u32) -> bool {
        links.label(slot).is_some_and(|label| self.taken.get(label.index()).copied().unwrap_or(false))
    }
}

impl Default for Fair {
    fn default() -> Self {
        Fair { demands: None, holds: Vec::new(), taken: Vec::new(), steps: Vec::new(), can_be_met: true }
    }
}

impl Evaluation<'_, '_> {
    /// What a path formula demands of loops, as a constraint.
    ///
    /// # Errors
    ///
    /// As for evaluating.
    pub(crate) fn demanded(&mut self, recurring: Recurring) -> Result<Fair, Trouble> {
        let Recurring { wanted, kept } = recurring;
        let mut fair = Fair { can_be_met: kept != PathFormula::FALSE, ..Fair::default() };
        if wanted != StateFormula::TRUE {
            self.evaluate(wanted)?;
            fair.demands = Some(self.truth[&wanted].clone());
        }
        match self.lowering.arena.as_state(kept) {
            Some(state) => {
                self.evaluate(state)?;
                fair.holds.clone_from(&self.truth[&state]);
            }
            None => fair.steps = self.steps_of(kept)?,
        }
        Ok(fair)
    }

    /// By slot: does its step, from where it is taken, meet a condition on one step?
    fn steps_of(&mut self, psi: PathFormula) -> Result<Vec<bool>, Trouble> {
        let path = *self.lowering.arena.path(psi);
        if let Path::State(state) = path {
            self.evaluate(state)?;
        }
        let links = &self.graph.links;
        Ok(match path {
            Path::State(state) => {
                let holds = &self.truth[&state];
                (0..links.len()).map(|slot| holds[links.source(slot) as usize]).collect()
            }
            Path::Action(action) => links.matching(&[(action, true)], &self.lowering.arena),
            Path::Not(a) => self.steps_of(a)?.into_iter().map(|meets| !meets).collect(),
            Path::And(a, b) => {
                let (a, b) = (self.steps_of(a)?, self.steps_of(b)?);
                a.into_iter().zip(b).map(|(a, b)| a && b).collect()
            }
            Path::Or(a, b) => {
                let (a, b) = (self.steps_of(a)?, self.steps_of(b)?);
                a.into_iter().zip(b).map(|(a, b)| a || b).collect()
            }
            Path::Next(_) | Path::Until(..) | Path::Previous(_) | Path::Since(..) => {
                let reason = "internal error: more than a step is demanded of a loop";
                return Err(Trouble::Halt(Halt::TooLarge(reason.to_owned())));
            }
        })
    }

    /// Evaluates the constraints without fairness, then finds the states on fair runs: those from which a fair path starts.
    ///
    /// # Errors
    ///
    /// As for evaluating.
    pub(crate) fn keep_fair_runs(&mut self) -> Result<(), Trouble> {
        if !self.lowering.model.has_fairness() {
            return Ok(());
        }
        let constraints = self.lowering.fairness().to_vec();
        for constraint in &constraints {
            self.evaluate(*constraint)?;
        }
        let of_state = |id: &StateFormula| Fair { holds: self.truth[id].clone(), ..Fair::default() };
        let of_states: Vec<Fair> = constraints.iter().map(of_state).collect();
        let of_steps = self.lowering.step_fairness().iter();
        let of_steps: Vec<Fair> = of_steps.map(|step| self.fair_step(step.strength, step.taken)).collect();
        self.graph.fair = of_states.into_iter().chain(of_steps).collect();
        self.graph.on_run = self.some_path(PathFormula::TRUE)?;
        // What was evaluated without fairness is not what the property asks for.
        self.truth.clear();
        Ok(())
    }

    /// A constraint of steps. A step is possible where there is one, whether or not a fair run takes it.
    fn fair_step(&self, strength: Strength, taken: LabelSetId) -> Fair {
        let mut labels = vec![false; self.lowering.model.labels.len()];
        for label in self.lowering.arena.labels(taken) {
            labels[label.index()] = true;
        }
        let (links, states) = (&self.graph.links, 0..self.crew.shard.len());
        let mut fair = Fair { taken: labels, ..Fair::default() };
        let possible: Vec<bool> =
            states.map(|state| links.slots(state).any(|slot| fair.takes(links, slot))).collect();
        match strength {
            Strength::Weak => fair.holds = possible.iter().map(|possible| !possible).collect(),
            Strength::Strong => {
                fair.holds = vec![false; possible.len()];
                fair.demands = Some(possible);
            }
        }
        fair
    }
}
