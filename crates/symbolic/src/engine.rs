//! The symbolic engine, asked as every engine is.

use num_bigint::BigUint;
use servanda_engine::{
    Budget, Counts, Diagrams, Engine, Halt, Satisfying, StoppedTime, Unkeepable, UnreachableLocation, Verdict,
};
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_syntax::Span;

use crate::{Statistics, Symbolic};

impl Engine for Symbolic<'_> {
    fn name(&self) -> &'static str {
        "bdd"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Symbolic::decide(self, property, budget)
    }

    fn explore(&mut self, _: &dyn Budget) -> Result<(), Halt> {
        Ok(())
    }

    fn is_explored(&self) -> bool {
        true
    }

    fn counts(&self) -> Option<Counts> {
        let (states, deadlocks) = (self.states(), self.deadlocks());
        Some(Counts { states, transitions: None, deadlocks, initial: None, diameter: None, bytes: None })
    }

    fn transitions(&self) -> Result<BigUint, Halt> {
        Symbolic::transitions(self)
    }

    fn deadlock(&mut self, budget: &dyn Budget) -> Result<Option<StateView>, Halt> {
        self.deadlock_example(budget)
    }

    fn no_initial_state(&self) -> bool {
        Symbolic::no_initial_state(self)
    }

    fn no_fair_run(&mut self, _: &dyn Budget) -> Result<bool, Halt> {
        Ok(Symbolic::no_fair_run(self))
    }

    fn lost_moves(&mut self, budget: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        Symbolic::lost_moves(self, budget)
    }

    fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        Symbolic::unkeepable(self, budget)
    }

    fn stopped_time(&mut self, budget: &dyn Budget) -> Result<Option<StoppedTime>, Halt> {
        Symbolic::stopped_time(self, budget)
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Symbolic::unreachable_locations(self)
    }

    fn satisfying(
        &mut self,
        formula: &Formula,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<Satisfying, Halt> {
        self.divide(formula, most, budget)
    }

    fn diagrams(&self) -> Option<Diagrams> {
        let Statistics { bits, reachable_nodes, iterations, peak_nodes, order, .. } = self.statistics();
        Some(Diagrams { bits, reachable_nodes, peak_nodes, iterations, order })
    }
}
