//! The symbolic engine against the reference engine, on random protocols, formulas of the whole language and all readings.

use servanda_engine::NoLimits;
use servanda_symbolic::Symbolic;
use servanda_testkit::{Counted, Reference, Trials, compare, verdicts_of};

#[test]
fn diagrams_agree_with_the_reference() {
    let engine = Counted::new("bdd", |protocol, options| {
        let engine = Symbolic::new(&protocol.model, options, 1 << 18, &NoLimits);
        verdicts_of(protocol, engine, |engine, formula| engine.decide(formula, &NoLimits))
    });
    let trials = Trials::from_environment(3000);
    compare(trials.cases, trials.seed, &Reference, &engine);
    let (decided, asked) = engine.decided();
    println!("{decided} of {asked} properties decided");
    engine.assert_decided(70);
}
