//! The engine as its users see it.

use servanda_engine::{Halt, Monitor, Options, Validity, Verdict};
use servanda_logic::Formula;
use servanda_lower::{CoreId, conditions_under_always};
use servanda_model::Model;

use crate::evaluate::Evaluation;

/// Decides properties of a model on the fly.
pub struct Tableau<'m> {
    model: &'m Model,
    options: Options,
    /// Serves all properties that do not look back.
    common: Evaluation<'m>,
}

impl<'m> Tableau<'m> {
    /// Prepares the model; nothing but its initial states is computed.
    pub fn new(model: &'m Model, options: Options, monitor: &dyn Monitor) -> Result<Self, Halt> {
        Ok(Tableau { model, options, common: Evaluation::new(model, options, monitor)? })
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, monitor: &dyn Monitor) -> Result<Verdict, Halt> {
        let id = self.common.lowering.property(formula).map_err(Halt::Invalid)?;
        let valid = if self.common.rank(id) == 0 {
            self.common.is_valid(id, monitor)
        } else {
            let mut own = Evaluation::new(self.model, self.options, monitor)?;
            let id = own.lowering.property(formula).map_err(Halt::Invalid)?;
            own.is_valid(id, monitor)
        };
        match valid {
            Ok(valid) => Ok(Verdict::from(valid)),
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            Err(other) => Err(other),
        }
    }

    /// The left side of an implication under `AG` that never holds, if there is one: the property says nothing then.
    pub fn vacuous_part(
        &mut self,
        formula: &Formula,
        monitor: &dyn Monitor,
    ) -> Result<Option<Formula>, Halt> {
        for condition in conditions_under_always(formula) {
            let mut own = Evaluation::new(self.model, self.options, monitor)?;
            let path = own.lowering.path(&condition).map_err(Halt::Invalid)?;
            let sometime = own.lowering.arena.finally(path);
            let possible = own.lowering.arena.exists(sometime);
            let never = own.lowering.arena.not(possible);
            let layer = own.prepare(never)?;
            if own.holds_initially(never, layer, monitor)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }
}

impl Evaluation<'_> {
    fn is_valid(&mut self, id: CoreId, monitor: &dyn Monitor) -> Result<bool, Halt> {
        let layer = self.prepare(id)?;
        match self.options.validity {
            Validity::Initial => self.holds_initially(id, layer, monitor),
            Validity::Reachable => self.holds_on_runs(id, layer, monitor),
        }
    }

    /// Does it hold wherever a run begins?
    fn holds_initially(&mut self, id: CoreId, layer: usize, monitor: &dyn Monitor) -> Result<bool, Halt> {
        for state in self.initial.clone() {
            let node = self.start(layer, state);
            if self.is_fair(state, monitor)? && !self.holds_at_start(id, layer, node, monitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does it hold at every point of every run?
    fn holds_on_runs(&mut self, id: CoreId, layer: usize, monitor: &dyn Monitor) -> Result<bool, Halt> {
        let mut node = 0;
        loop {
            let all_met = self.explore_more(layer, monitor)?;
            while node < self.met(layer) as u32 {
                let state = self.projected(layer, node, 0);
                if self.space.on_run(state)
                    && self.is_fair(state, monitor)?
                    && !self.holds(id, layer, node, monitor)?
                {
                    return Ok(false);
                }
                node += 1;
            }
            if all_met && self.met(layer) as u32 == node {
                return Ok(true);
            }
        }
    }
}
