//! The reference engine, asked as every engine is.

use servanda_engine::{self as engine, Budget, Engine, Halt, Unkeepable, UnreachableLocation, Verdict};
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_syntax::Span;

use crate::Explored;

impl Engine for Explored<'_> {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Explored::decide(self, property, budget)
    }

    fn explore(&mut self, _: &dyn Budget) -> Result<(), Halt> {
        Ok(())
    }

    fn is_explored(&self) -> bool {
        true
    }

    fn counts(&self) -> Option<engine::Counts> {
        Some(Explored::counts(self).into())
    }

    fn deadlock(&mut self, _: &dyn Budget) -> Result<Option<StateView>, Halt> {
        Ok(self.deadlock_example())
    }

    fn no_initial_state(&self) -> bool {
        Explored::no_initial_state(self)
    }

    fn no_fair_run(&mut self, _: &dyn Budget) -> Result<bool, Halt> {
        Ok(Explored::no_fair_run(self))
    }

    fn lost_moves(&mut self, _: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        Ok(Explored::lost_moves(self))
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Ok(Explored::unreachable_locations(self))
    }

    fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        Explored::unkeepable(self, budget)
    }
}
