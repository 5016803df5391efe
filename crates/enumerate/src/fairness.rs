//! Fairness: only the runs on which every constraint is met again and again count.

use servanda_lower::{CoreFormula, LabelSetId, PathFormula, StateFormula};
use servanda_model::Strength;

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::graph::{Graph, NO_LABEL};

/// A fairness constraint in a graph. Where it demands something again and again, it must be met again and again: where it holds, or by
/// a step that it names.
#[derive(Clone)]
pub(crate) struct Fair {
    /// By node, does it demand something? `None`: everywhere.
    pub(crate) demands: Option<Vec<bool>>,
    /// By node, does it hold?
    pub(crate) holds: Vec<bool>,
    /// By label, is it what the constraint names?
    taken: Vec<bool>,
}

impl Fair {
    /// Is the constraint met by taking this edge?
    pub(crate) fn is_met(&self, graph: &Graph, edge: usize) -> bool {
        self.holds[graph.source[edge]] || self.takes(graph.label[edge])
    }

    pub(crate) fn takes(&self, label: u32) -> bool {
        label != NO_LABEL && self.taken.get(label as usize).copied().unwrap_or(false)
    }

    /// The same in a graph each of whose nodes was some node of this one.
    pub(crate) fn carry(&mut self, was: &[usize]) {
        for set in self.demands.iter_mut().chain([&mut self.holds]) {
            *set = was.iter().map(|node| set[*node]).collect();
        }
    }
}

impl Evaluation<'_, '_> {
    /// Evaluates the constraints without fairness, then keeps the nodes from which a fair path starts. The nodes left are
    /// exactly those on fair runs (and, with `--past all`, on other fair paths).
    pub(crate) fn keep_fair_runs(&mut self) -> Result<(), Halt> {
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
        self.fair = of_states.into_iter().chain(of_steps).collect();
        self.evaluate(StateFormula::TRUE)?;
        let tableau = self.tableau(PathFormula::TRUE)?;
        let (graph, was) = self.graph.restricted(&tableau.exists(&self.graph));
        self.replace_graph(graph, &was);
        // What was evaluated without fairness is not what the property asks for.
        self.truth.clear();
        Ok(())
    }

    /// A constraint of steps. A step is possible where the graph, from which nothing has been taken yet, has it.
    fn fair_step(&self, strength: Strength, taken: LabelSetId) -> Fair {
        let mut labels = vec![false; self.space.labels()];
        for label in self.lowering.arena.labels(taken) {
            labels[label.index()] = true;
        }
        let nodes = 0..self.graph.nodes();
        let mut fair = Fair { demands: None, holds: Vec::new(), taken: labels };
        let possible = |node: usize| self.graph.edges(node).any(|edge| fair.takes(self.graph.label[edge]));
        let possible: Vec<bool> = nodes.map(possible).collect();
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
