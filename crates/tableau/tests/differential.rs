//! The on-the-fly engine against the reference engine, on random protocols, formulas of the whole language and all
//! readings.

use std::cell::Cell;

use servanda_engine::{Halt, NoLimits, Options};
use servanda_pact::Protocol;
use servanda_tableau::Tableau;
use servanda_testkit::{Decider, Reference, Trials, compare};

/// Counts what it decides, so that the comparison cannot pass by deciding nothing.
#[derive(Default)]
struct OnTheFly {
    decided: Cell<u64>,
    asked: Cell<u64>,
}

impl Decider for OnTheFly {
    fn name(&self) -> &str {
        "tableau"
    }

    fn verdicts(&self, protocol: &Protocol, options: Options) -> Vec<Option<bool>> {
        let mut engine = match Tableau::new(&protocol.model, options, 1, &NoLimits) {
            Ok(engine) => engine,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return vec![None; protocol.properties.len()],
            Err(halt) => panic!("the engine found a mistake: {halt:?}"),
        };
        let decide = |property: &servanda_model::Property| {
            let verdict = match engine.decide(&property.formula, &NoLimits) {
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
fn the_engines_agree_on_random_protocols() {
    let engine = OnTheFly::default();
    let trials = Trials::from_environment(2000);
    compare(trials.cases, 4242, &Reference, &engine);
    let (decided, asked) = (engine.decided.get(), engine.asked.get());
    println!("{decided} of {asked} properties decided on the fly");
    assert!(decided * 10 > asked * 8, "only {decided} of {asked} properties were decided");
}
