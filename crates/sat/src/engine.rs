//! The satisfiability engine, asked as every engine is.

use servanda_engine::{Budget, Counts, Engine, Halt, Solving, Verdict};
use servanda_logic::Formula;
use servanda_model::StateView;

use crate::Sat;

impl Engine for Sat<'_> {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Sat::decide(self, property, budget)
    }

    fn explore(&mut self, _: &dyn Budget) -> Result<(), Halt> {
        Err(Halt::NotOffered)
    }

    fn is_explored(&self) -> bool {
        false
    }

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn deadlock(&mut self, budget: &dyn Budget) -> Result<Option<StateView>, Halt> {
        self.deadlock_example(budget)
    }

    fn no_initial_state(&self) -> bool {
        Sat::no_initial_state(self)
    }

    fn no_fair_run(&mut self, budget: &dyn Budget) -> Result<bool, Halt> {
        Sat::no_fair_run(self, budget)
    }

    fn solving(&self) -> Option<Solving> {
        Some(Solving { bits: self.bits(), gates: self.gates(), calls: self.calls(), decided_by: Vec::new() })
    }

    fn techniques(&self) -> Option<String> {
        let names: Vec<&str> = Sat::techniques(self).iter().map(|technique| technique.name()).collect();
        Some(if names.is_empty() { "simplification".to_owned() } else { names.join(", ") })
    }
}
