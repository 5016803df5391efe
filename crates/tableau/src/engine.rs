//! The on-the-fly engine, asked as every engine is.

use servanda_engine::{self as engine, Budget, Engine, Halt, Unkeepable, UnreachableLocation, Verdict};
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_syntax::Span;

use crate::Tableau;

impl Engine for Tableau<'_> {
    fn name(&self) -> &'static str {
        "tableau"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Tableau::decide(self, property, budget)
    }

    fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        Tableau::explore(self, budget)
    }

    fn counts(&self) -> Option<engine::Counts> {
        Tableau::counts(self).map(Into::into)
    }

    fn deadlock(&mut self, _: &dyn Budget) -> Result<Option<StateView>, Halt> {
        Ok(self.deadlock_example())
    }

    fn no_initial_state(&self) -> bool {
        Tableau::no_initial_state(self)
    }

    fn no_fair_run(&mut self, budget: &dyn Budget) -> Result<bool, Halt> {
        Tableau::no_fair_run(self, budget)
    }

    fn is_explored(&self) -> bool {
        Tableau::is_explored(self)
    }

    fn lost_moves(&mut self, budget: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        Tableau::lost_moves(self, budget)
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Tableau::unreachable_locations(self).ok_or(Halt::NotOffered)
    }

    fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        // What takes all states is looked for only where they are known anyway.
        if !self.is_explored() {
            return Err(Halt::NotOffered);
        }
        Tableau::unkeepable(self, budget)
    }
}
