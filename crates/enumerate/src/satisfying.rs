//! The states where a formula holds, state by state.

use servanda_engine::{Halt, Satisfying};
use servanda_lower::StateFormula;

use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// By state: does a formula hold there on some run, does it fail there on some? A node is a state with what its history decides; the
    /// formula may hold at one node of a state and fail at another.
    fn sides(&mut self, id: StateFormula) -> Result<(Vec<bool>, Vec<bool>), Halt> {
        self.evaluate(id)?;
        let holds = &self.truth[&id];
        let (mut holding, mut failing) = (vec![false; self.space.len()], vec![false; self.space.len()]);
        for node in (0..self.graph.nodes()).filter(|node| self.graph.on_run[*node]) {
            let seen = if holds[node] { &mut holding } else { &mut failing };
            seen[self.graph.state[node] as usize] = true;
        }
        Ok((holding, failing))
    }

    /// By state whether a formula holds there; `None` where that depends on the run, and on no run.
    pub(crate) fn value_by_state(&mut self, id: StateFormula) -> Result<Vec<Option<bool>>, Halt> {
        let (holding, failing) = self.sides(id)?;
        Ok(holding.iter().zip(&failing).map(|(holds, fails)| (holds != fails).then_some(*holds)).collect())
    }

    /// Divides the states on runs by a formula.
    pub(crate) fn satisfying(&mut self, id: StateFormula, most: usize) -> Result<Satisfying, Halt> {
        let (holding, failing) = self.sides(id)?;
        let states = |wanted: &dyn Fn(bool, bool) -> bool| -> Vec<u32> {
            let both = holding.iter().zip(&failing).enumerate();
            both.filter(|(_, (holds, fails))| wanted(**holds, **fails))
                .map(|(state, _)| state as u32)
                .collect()
        };
        let mut satisfying = states(&|holds, fails| holds && !fails);
        let (reachable, depends) =
            (states(&|holds, fails| holds || fails), states(&|holds, fails| holds && fails));
        satisfying.sort_unstable_by_key(|state| self.space.state(*state));
        Ok(Satisfying {
            reachable: reachable.len().into(),
            count: satisfying.len().into(),
            depends: depends.len().into(),
            first: satisfying.iter().take(most).map(|state| self.space.view(*state)).collect(),
        })
    }
}
