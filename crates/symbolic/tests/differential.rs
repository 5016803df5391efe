//! The symbolic engine against the reference engine, on random protocols, formulas of the whole language and all readings.

use std::cell::Cell;

use servanda_engine::{Halt, NoLimits, Options};
use servanda_pact::Protocol;
use servanda_symbolic::Symbolic;
use servanda_testkit::{Decider, Reference, Trials, compare};

/// Counts what it decides, so that the comparison cannot pass by deciding nothing.
#[derive(Default)]
struct Diagrams {
    decided: Cell<u64>,
    asked: Cell<u64>,
}

impl Decider for Diagrams {
    fn name(&self) -> &str {
        "bdd"
    }

    fn verdicts(&self, protocol: &Protocol, options: Options) -> Vec<Option<bool>> {
        let mut symbolic = match Symbolic::new(&protocol.model, options, 1 << 18, &NoLimits) {
            Ok(symbolic) => symbolic,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return vec![None; protocol.properties.len()],
            Err(halt) => panic!("the engine found a mistake: {halt:?}"),
        };
        let decide = |property: &servanda_model::Property| {
            let verdict = match symbolic.decide(&property.formula, &NoLimits) {
                Ok(verdict) => verdict.decided(),
                Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
                Err(halt) => panic!("the engine found a mistake in `{}`: {halt:?}", property.text),
            };
            self.asked.set(self.asked.get() + 1);
            self.decided.set(self.decided.get() + u64::from(verdict.is_some()));
            verdict
        };
        protocol.properties.iter().map(decide).collect()
    }
}

#[test]
fn diagrams_agree_with_the_reference() {
    let diagrams = Diagrams::default();
    let trials = Trials::from_environment(3000);
    compare(trials.cases, 2026, &Reference, &diagrams);
    let (decided, asked) = (diagrams.decided.get(), diagrams.asked.get());
    println!("{decided} of {asked} properties decided by diagrams");
    assert!(decided * 10 > asked * 7, "only {decided} of {asked} properties were decided");
}
