//! The points of runs as plain data, for those who go along them themselves.

use servanda_engine::Budget;
use servanda_lower::StateFormula;

use crate::fairness::Fair;
use crate::graph::{Graph, NO_LABEL};
use crate::tableau::Truth;
use crate::{Explored, Halt};

/// The points of all runs that count, and where some formulas hold. A point is a state with all that the formulas remember.
pub struct Points {
    graph: Graph,
    truth: Truth,
    fair: Vec<Fair>,
}

impl Explored<'_> {
    /// The points at which these state formulas, made with [`Explored::lowering_mut`], are decided.
    ///
    /// # Errors
    ///
    /// A formula cannot be decided, or the budget says stop.
    pub fn points(&mut self, formulas: &[StateFormula], budget: &dyn Budget) -> Result<Points, Halt> {
        let mut evaluation = self.evaluation(budget);
        for id in formulas {
            evaluation.evaluate(*id)?;
        }
        Ok(Points { graph: evaluation.graph, truth: evaluation.truth, fair: evaluation.fair })
    }
}

impl Points {
    /// How many points there are.
    pub fn len(&self) -> usize {
        self.graph.nodes()
    }

    /// Is there no point, which means no run that counts?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The points in which runs begin.
    pub fn initial(&self) -> &[usize] {
        &self.graph.initial
    }

    /// The state of a point.
    pub fn state(&self, point: usize) -> u32 {
        self.graph.state[point]
    }

    /// The steps of a point: their labels, none for the implicit loop of a deadlock, and where they lead.
    pub fn steps(&self, point: usize) -> impl Iterator<Item = (Option<u32>, usize)> + '_ {
        let Graph { label, target, .. } = &self.graph;
        self.graph.edges(point).map(|edge| ((label[edge] != NO_LABEL).then_some(label[edge]), target[edge]))
    }

    /// By point, whether a formula that was asked for holds there.
    pub fn holds(&self, id: StateFormula) -> Option<&[bool]> {
        self.truth.get(&id).map(Vec::as_slice)
    }

    /// How many fairness constraints there are.
    pub fn constraints(&self) -> usize {
        self.fair.len()
    }

    /// Does a constraint demand something of those who pass a point again and again?
    pub fn demands(&self, constraint: usize, point: usize) -> bool {
        self.fair[constraint].demands.as_ref().is_none_or(|demands| demands[point])
    }

    /// Is a constraint met at a point by a step with this label?
    pub fn is_met(&self, constraint: usize, point: usize, label: Option<u32>) -> bool {
        let fair = &self.fair[constraint];
        fair.holds[point] || fair.takes(label.unwrap_or(NO_LABEL))
    }
}
