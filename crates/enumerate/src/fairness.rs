//! Fairness: only the runs on which every constraint holds infinitely often count.

use servanda_lower::{CoreFormula, PathFormula, StateFormula};

use crate::Halt;
use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// Evaluates the constraints without fairness, then keeps the nodes from which a fair path starts. The nodes left are
    /// exactly those on fair runs (and, with `--past all`, on other fair paths).
    pub(crate) fn keep_fair_runs(&mut self) -> Result<(), Halt> {
        let constraints = self.lowering.fairness().to_vec();
        for constraint in &constraints {
            self.evaluate(*constraint)?;
        }
        if constraints.is_empty() {
            return Ok(());
        }
        self.fair = constraints.iter().map(|id| self.truth[id].clone()).collect();
        self.evaluate(StateFormula::TRUE)?;
        let tableau = self.tableau(PathFormula::TRUE)?;
        let (graph, was) = self.graph.restricted(&tableau.exists(&self.graph));
        self.replace_graph(graph, &was);
        // What was evaluated without fairness is not what the property asks for.
        self.truth.clear();
        Ok(())
    }
}
