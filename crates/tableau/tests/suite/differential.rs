//! The on-the-fly engine against the reference engine, on random protocols, formulas of the whole language and all readings.

use servanda_engine::NoLimits;
use servanda_tableau::Tableau;
use servanda_testkit::{Counted, Reference, Trials, compare, verdicts_of};

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = Counted::new("tableau", |protocol, options| {
        let engine = Tableau::new(&protocol.model, options, 1, &NoLimits);
        verdicts_of(protocol, engine, |engine, formula| engine.decide(formula, &NoLimits))
    });
    let trials = Trials::from_environment(2000);
    compare(trials.cases, trials.seed, &Reference, &engine);
    let (decided, asked) = engine.decided();
    println!("{decided} of {asked} properties decided");
    engine.assert_decided(80);
}
