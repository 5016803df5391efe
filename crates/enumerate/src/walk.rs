//! What holds along a given run, for those who check evidence by the reference engine's rules.

use servanda_engine::Budget;
use servanda_lower::{Lowering, StateFormula};
use servanda_model::StepKind;

use crate::evaluate::Evaluation;
use crate::fairness::Fair;
use crate::graph::{Graph, NO_LABEL};
use crate::tableau::Truth;
use crate::{Explored, Halt};

/// A point of a run: a state with all that the formulas remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WalkPoint(usize);

/// Some formulas, decided at every point of every run.
pub struct Walker<'e, 'm> {
    explored: &'e Explored<'m>,
    graph: Graph,
    truth: Truth,
    fair: Vec<Fair>,
}

impl<'m> Explored<'m> {
    /// Decides these state formulas of a lowering at every point.
    pub fn walker(
        &self,
        lowering: &mut Lowering<'m>,
        formulas: &[StateFormula],
        budget: &dyn Budget,
    ) -> Result<Walker<'_, 'm>, Halt> {
        let known = (self.graph.clone(), self.fair.clone());
        let mut evaluation = Evaluation::new((&self.space, lowering), self.options, known, budget);
        for id in formulas {
            evaluation.evaluate(*id)?;
        }
        let (graph, truth, fair) = (evaluation.graph, evaluation.truth, evaluation.fair);
        Ok(Walker { explored: self, graph, truth, fair })
    }
}

impl Walker<'_, '_> {
    /// The point at which a run begins in this state; `None` where no run that counts does.
    pub fn start(&self, state: &[u64]) -> Option<WalkPoint> {
        let id = self.explored.space.find(state)?;
        self.graph.initial.iter().copied().find(|node| self.graph.state[*node] == id).map(WalkPoint)
    }

    /// The point after a step; `None` where there is no such step on a run that counts.
    pub fn step(&self, from: WalkPoint, kind: &StepKind, target: &[u64]) -> Option<WalkPoint> {
        let space = &self.explored.space;
        let id = space.find(target)?;
        let matches = |label: u32| match kind {
            StepKind::Labelled(wanted) => label != NO_LABEL && label == wanted.0,
            StepKind::Joint(joint) => label != NO_LABEL && space.joint(label) == Some(joint.as_slice()),
            StepKind::Stutter => label == NO_LABEL,
        };
        let edges = self.graph.edges(from.0);
        let fits = |edge: &usize| {
            self.graph.state[self.graph.target[*edge]] == id && matches(self.graph.label[*edge])
        };
        edges.into_iter().find(fits).map(|edge| WalkPoint(self.graph.target[edge]))
    }

    /// Does the formula hold at the point? `None` where it was not asked for.
    pub fn holds(&self, id: StateFormula, point: WalkPoint) -> Option<bool> {
        self.truth.get(&id).map(|set| set[point.0])
    }

    /// Does the formula, which does not depend on the past, hold in this state? `None` where it was not asked for, or where no
    /// run that counts visits the state.
    pub fn holds_in(&self, id: StateFormula, state: &[u64]) -> Option<bool> {
        let wanted = self.explored.space.find(state)?;
        let node = self.graph.state.iter().position(|state| *state == wanted)?;
        self.holds(id, WalkPoint(node))
    }

    /// Does a fairness constraint hold at the point?
    pub fn is_fair(&self, constraint: usize, point: WalkPoint) -> bool {
        self.fair.get(constraint).is_none_or(|fair| fair.holds[point.0])
    }
}
