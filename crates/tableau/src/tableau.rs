//! The engine as its users see it.

use servanda_engine::{Halt, Monitor, Options, UnreachableLocation, Validity, Verdict};
use servanda_logic::Formula;
use servanda_lower::{State, StateFormula};
use servanda_model::{Model, StateView};
use servanda_syntax::Span;

use crate::evaluate::Evaluation;
use crate::explorer::{Counts, Explorer};

/// Decides properties of a model on the fly.
pub struct Tableau<'m> {
    pub(crate) model: &'m Model,
    pub(crate) options: Options,
    /// Serves all properties that do not look back.
    pub(crate) common: Evaluation<'m>,
    /// Serves questions of what can be reached, and counts.
    explorer: Explorer<'m>,
}

impl<'m> Tableau<'m> {
    /// Prepares the model; nothing but its initial states is computed. `threads` will look for states.
    pub fn new(
        model: &'m Model,
        options: Options,
        threads: usize,
        monitor: &dyn Monitor,
    ) -> Result<Self, Halt> {
        let common = Evaluation::new(model, options, monitor)?;
        Ok(Tableau { model, options, common, explorer: Explorer::new(model, threads, monitor)? })
    }

    /// Finds all states, which deciding does only where it must.
    pub fn explore(&mut self, monitor: &dyn Monitor) -> Result<(), Halt> {
        self.explorer.explore(monitor)
    }

    /// The size of the model, if all its states have been found.
    pub fn counts(&self) -> Option<Counts> {
        self.explorer.is_done().then(|| self.explorer.counts())
    }

    /// A deadlock nearest to an initial state, of those met on the way to the counts.
    pub fn deadlock_example(&self) -> Option<StateView> {
        self.explorer.deadlock_example()
    }

    /// The control states that no run reaches, if all states have been found.
    pub fn unreachable_locations(&self) -> Option<Vec<UnreachableLocation>> {
        self.explorer.is_done().then(|| self.explorer.unreachable_locations())
    }

    /// The places of moves that are lost, with the nearest state each, if all states have been found.
    pub fn lost_moves(&mut self, monitor: &dyn Monitor) -> Result<Vec<(Span, StateView)>, Halt> {
        if !self.explorer.is_done() {
            return Err(Halt::NotOffered);
        }
        self.common.explore_all(0, monitor)?;
        Ok(self.common.space.lost_moves())
    }

    /// Is there no initial state at all?
    pub fn no_initial_state(&self) -> bool {
        self.common.initial.is_empty()
    }

    /// Are there fairness constraints that no run satisfies? Then every formula is vacuously true.
    pub fn no_fair_run(&mut self, monitor: &dyn Monitor) -> Result<bool, Halt> {
        if self.model.fairness.is_empty() {
            return Ok(false);
        }
        for state in self.common.initial.clone() {
            if self.common.is_fair(state, monitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, monitor: &dyn Monitor) -> Result<Verdict, Halt> {
        let id = self.common.lowering.property(formula).map_err(Halt::Invalid)?;
        self.check_defined(id)?;
        let valid = if let Some(valid) = self.by_reachability(id, monitor) {
            valid
        } else if self.common.rank(id) == 0 {
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

    /// Where all states are known, a condition of the formula that has no value in one of them is a mistake of the formula,
    /// whether or not the search would have come there.
    fn check_defined(&self, id: StateFormula) -> Result<(), Halt> {
        if !self.explorer.is_done() {
            return Ok(());
        }
        let arena = &self.common.lowering.arena;
        for expr in arena.propositions_in(id).filter(|expr| expr.has_arithmetic()) {
            self.explorer.check_defined(expr)?;
        }
        Ok(())
    }

    /// Decides what comes down to whether a state can be reached in which a condition holds; `None` where the formula
    /// does not. States alone are looked for then, by all threads, and no transition is kept.
    fn by_reachability(&mut self, id: StateFormula, monitor: &dyn Monitor) -> Option<Result<bool, Halt>> {
        if self.options.validity != Validity::Initial || !self.model.fairness.is_empty() {
            return None;
        }
        let arena = &self.common.lowering.arena;
        let never = |id| arena.never(id).and_then(|bad| arena.condition(bad));
        let (reached, wanted) = match *arena.state(id) {
            State::And(a, b) => {
                // Valid are both or not the whole; only where both can be decided so is this the shorter way.
                let (Some(_), Some(_)) = (never(a), never(b)) else { return None };
                return match self.by_reachability(a, monitor)? {
                    Ok(true) => self.by_reachability(b, monitor),
                    decided => Some(decided),
                };
            }
            State::Exists { .. } if self.common.initial.len() == 1 => {
                (arena.sometime(id).and_then(|good| arena.condition(good))?, true)
            }
            _ => (never(id)?, false),
        };
        Some(self.explorer.find(&reached, monitor).map(|found| found.is_some() == wanted))
    }
}

impl Evaluation<'_> {
    fn is_valid(&mut self, id: StateFormula, monitor: &dyn Monitor) -> Result<bool, Halt> {
        let layer = self.prepare(id)?;
        match self.options.validity {
            Validity::Initial => self.holds_initially(id, layer, monitor),
            Validity::Reachable => self.holds_on_runs(id, layer, monitor),
        }
    }

    /// Does it hold wherever a run begins?
    fn holds_initially(
        &mut self,
        id: StateFormula,
        layer: usize,
        monitor: &dyn Monitor,
    ) -> Result<bool, Halt> {
        for state in self.initial.clone() {
            let node = self.start(layer, state);
            if self.is_fair(state, monitor)? && !self.holds_at_start(id, layer, node, monitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does it hold at every point of every run?
    fn holds_on_runs(&mut self, id: StateFormula, layer: usize, monitor: &dyn Monitor) -> Result<bool, Halt> {
        let mut node = 0;
        loop {
            let all_met = self.explore_more(layer, monitor)?;
            while node < self.met(layer) as u32 {
                let state = self.projected(layer, node, 0);
                if self.space.is_reachable(state)
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
