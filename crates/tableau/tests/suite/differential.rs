//! The on-the-fly engine against the reference engine: random protocols, formulas of the whole language and all readings; and random
//! ISPL models.

use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_model::{Model, Property};
use servanda_tableau::Tableau;
use servanda_testkit::{
    Counted, Reference, Trials, compare, compare_ends, compare_on_ispl, compare_ticking,
    compare_with_fair_steps, verdicts_of,
};

fn verdicts(model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
    let engine = Tableau::new(model, options, 1, &NoLimits);
    verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
}

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = Counted::new("tableau", verdicts);
    compare(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn the_engines_agree_where_ticks_are_counted() {
    let engine = Counted::new("tableau", verdicts);
    compare_ticking(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn the_engines_agree_on_fairness_of_steps() {
    let engine = Counted::new("tableau", verdicts);
    compare_with_fair_steps(Trials::from_environment(800), &Reference, &engine);
    engine.assert_decided(70);
}

#[test]
fn the_engines_agree_on_ends_and_on_where_time_stops() {
    compare_ends(Trials::from_environment(400), |model| {
        let mut engine = Tableau::new(model, Options::default(), 1, &NoLimits)?;
        engine.explore(&NoLimits)?;
        Ok(Box::new(engine))
    });
}

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let engine = Counted::new("tableau", verdicts);
    compare_on_ispl(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}
