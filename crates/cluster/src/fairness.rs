//! Fairness: only the runs on which every constraint is met again and again count.

use servanda_lower::{CoreFormula, LabelSetId, PathFormula, StateFormula};
use servanda_model::Strength;

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::links::Links;

/// A fairness constraint. Where it demands something again and again, it must be met again and again: where it holds, or by a step that
/// it names.
pub(crate) struct Fair {
    /// By state, does it demand something? `None`: everywhere.
    pub(crate) demands: Option<Vec<bool>>,
    /// By state, does it hold?
    holds: Vec<bool>,
    /// By label, is it what the constraint names?
    taken: Vec<bool>,
}

impl Fair {
    /// Is the constraint met by taking this slot?
    pub(crate) fn is_met(&self, links: &Links, slot: u32) -> bool {
        self.holds[links.source(slot) as usize] || self.takes(links, slot)
    }

    fn takes(&self, links: &Links, slot: u32) -> bool {
        links.label(slot).is_some_and(|label| self.taken.get(label.index()).copied().unwrap_or(false))
    }
}

impl Evaluation<'_, '_> {
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
        let of_state =
            |id: &StateFormula| Fair { demands: None, holds: self.truth[id].clone(), taken: Vec::new() };
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
        let mut fair = Fair { demands: None, holds: Vec::new(), taken: labels };
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
