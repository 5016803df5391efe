//! The on-the-fly engine, asked as every engine is.

use servanda_engine::{self as engine, Engine, Halt, Monitor, Unkeepable, UnreachableLocation, Verdict};
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_syntax::Span;

use crate::Tableau;

impl Engine for Tableau<'_> {
    fn name(&self) -> &'static str {
        "tableau"
    }

    fn decide(&mut self, property: &Formula, monitor: &dyn Monitor) -> Result<Verdict, Halt> {
        Tableau::decide(self, property, monitor)
    }

    fn explore(&mut self, monitor: &dyn Monitor) -> Result<(), Halt> {
        Tableau::explore(self, monitor)
    }

    fn counts(&self) -> Option<engine::Counts> {
        Tableau::counts(self).map(Into::into)
    }

    fn deadlock(&mut self, _: &dyn Monitor) -> Result<Option<StateView>, Halt> {
        Ok(self.deadlock_example())
    }

    fn no_initial_state(&self) -> bool {
        Tableau::no_initial_state(self)
    }

    fn no_fair_run(&mut self, monitor: &dyn Monitor) -> Result<bool, Halt> {
        Tableau::no_fair_run(self, monitor)
    }

    fn is_explored(&self) -> bool {
        Tableau::is_explored(self)
    }

    fn lost_moves(&mut self, monitor: &dyn Monitor) -> Result<Vec<(Span, StateView)>, Halt> {
        Tableau::lost_moves(self, monitor)
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Tableau::unreachable_locations(self).ok_or(Halt::NotOffered)
    }

    fn unkeepable(&mut self, monitor: &dyn Monitor) -> Result<Vec<Unkeepable>, Halt> {
        // What takes all states is looked for only where they are known anyway.
        if !self.is_explored() {
            return Err(Halt::NotOffered);
        }
        Tableau::unkeepable(self, monitor)
    }
}
