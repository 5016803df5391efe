//! The states where a formula holds, as a formula over the bits of a state.

use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt};
use servanda_logic::Formula;

use crate::dimacs;
use crate::sat::Sat;

impl Sat<'_> {
    /// `[φ](w)` of unbounded model checking: clauses in the DIMACS format that are satisfied by the states where a ground state formula
    /// holds, all of the right types and some perhaps not reachable.
    ///
    /// # Errors
    ///
    /// When the budget stops the search, or something is wrong with the formula.
    pub fn satisfying_formula(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<String, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        let set = self.evaluate(id, budget)?;
        let names = self.bit_names();
        let bits: Vec<(Edge, &str)> =
            self.machine.state.iter().copied().zip(names.iter().map(String::as_str)).collect();
        let comments = [format!("{}: the states where {formula} holds", self.system.encoding.model.name)];
        Ok(dimacs::write(&self.system.graph, &[set, self.universe, self.system.typed], &bits, &comments))
    }
}
