//! Fairness: only the runs on which every constraint is met again and again count.

use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt, Past};
use servanda_lower::{Action, StateFormula, StepConstraint};
use servanda_model::Strength;

use crate::effort::Effort;
use crate::memory::matches;
use crate::project::some;
use crate::sat::Sat;

/// What a path must meet again and again, if it is demanded again and again.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Where it is demanded: a set of states.
    pub demanded: Edge,
    /// Where it is met: a set of states, or of states with choices.
    pub met: Edge,
    /// Do choices matter?
    pub by_step: bool,
}

impl Kept {
    /// What is demanded everywhere, and met in these states.
    pub(crate) fn often(met: Edge) -> Self {
        Kept { demanded: Edge::TRUE, met, by_step: false }
    }

    /// Is it demanded everywhere?
    pub fn is_demanded_everywhere(&self) -> bool {
        self.demanded == Edge::TRUE
    }
}

impl Sat<'_> {
    pub(crate) fn keep_fair_runs(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let mut constraints = Vec::new();
        for id in self.lowering.fairness().to_vec() {
            constraints.push(Kept::often(self.constraint(id, budget)?));
        }
        for step in self.lowering.step_fairness().to_vec() {
            constraints.push(self.fair_step(step, budget)?);
        }
        if constraints.is_empty() {
            return Ok(());
        }
        if !self.memory.is_empty() {
            return Err(Halt::TooLarge("fairness constraints that look back".to_owned()));
        }
        self.fair = constraints;
        if self.choices.bound.is_some() {
            // A bounded search looks for fair loops and nothing else.
            return Ok(());
        }
        self.universe = self.globally(Edge::TRUE, budget)?;
        // What the constraints were evaluated to refers to all paths, not to fair ones.
        self.truth.clear();
        Ok(())
    }

    fn constraint(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        match self.choices.bound {
            Some(_) => self.present_only(id, budget),
            None => self.evaluate(id, budget),
        }
    }

    fn fair_step(&mut self, step: StepConstraint, budget: &dyn Budget) -> Result<Kept, Halt> {
        let (graph, labelling) = self.system.labelling();
        let taken = matches(&labelling, graph, &self.lowering.arena, Action::Does(step.taken))?;
        let possible = if self.options.past == Past::All && self.choices.bound.is_none() {
            // In states that no run visits a step may fail though its guard holds.
            let steps = graph.and(self.base.valid, taken);
            let effort = Effort::new(budget, &self.calls);
            some(graph, steps, &self.base.state, self.known, &effort)?
        } else {
            self.constraint(step.possible, budget)?
        };
        Ok(match step.strength {
            Strength::Weak => {
                let met = self.system.graph.or(taken, !possible);
                Kept { demanded: Edge::TRUE, met, by_step: true }
            }
            Strength::Strong => Kept { demanded: possible, met: taken, by_step: true },
        })
    }
}
