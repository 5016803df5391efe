//! Where time stops, found with diagrams.

use servanda_engine::{Budget, Halt, StoppedTime};
use servanda_model::{Layout, StateView};

use crate::diagrams::Operations;
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// The reachable states from which neither time can pass nor an end can be reached, whatever happens.
    pub fn stopped_time(&mut self, budget: &dyn Budget) -> Result<Option<StoppedTime>, Halt> {
        let model = self.encoding.model;
        let Some(tick) = model.tick else { return Ok(None) };
        let memory = self.recalled_bits()?;
        let anywhere = self.encoding.diagrams.truth();
        let mut goes_on = self.ends.clone();
        for part in self.steps().filter(|part| part.label == Some(tick)) {
            goes_on = goes_on.either(&part.preimage(&anywhere)?.some(&memory)?)?;
        }
        let mut frontier = goes_on.both(&self.reached)?;
        goes_on = frontier.clone();
        while !frontier.is_false() {
            self.poll(budget)?;
            let mut before = self.encoding.diagrams.falsity();
            for part in self.steps() {
                before = before.either(&part.preimage(&frontier)?.some(&memory)?)?;
            }
            frontier = before.both(&self.reached)?.without(&goes_on)?;
            goes_on = goes_on.either(&frontier)?;
        }
        let stopped = self.reached.without(&goes_on)?;
        let Some(nearest) = self.nearest(&stopped, budget)? else { return Ok(None) };
        Ok(Some(StoppedTime {
            states: self.encoding.diagrams.count(&stopped, self.encoding.functions.model_bits()),
            example: StateView::new(model, &Layout::new(model), &nearest.state),
            path: self.way_to(&nearest)?,
        }))
    }
}
