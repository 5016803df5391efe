//! Verdicts on random models, with one worker and with several.

use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_model::{Model, Property};
use servanda_testkit::{
    Counted, Reference, Trials, compare, compare_on_ispl, compare_ticking, compare_with_fair_steps,
    verdicts_of,
};

use crate::{WORKERS, cluster};

/// The number of workers depends on the model, so that all numbers are tried.
fn verdicts(model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
    let workers = WORKERS[(model.variables.len() + 3 * properties.len()) % WORKERS.len()];
    let engine = cluster(model, options, workers);
    verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
}

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = Counted::new("cluster", verdicts);
    compare(Trials::from_environment(150), &Reference, &engine);
    engine.assert_decided(DECIDED);
}

#[test]
fn the_engines_agree_where_ticks_are_counted() {
    let engine = Counted::new("cluster", verdicts);
    compare_ticking(Trials::from_environment(80), &Reference, &engine);
    engine.assert_decided(DECIDED);
}

#[test]
fn the_engines_agree_on_fairness_of_steps() {
    let engine = Counted::new("cluster", verdicts);
    compare_with_fair_steps(Trials::from_environment(80), &Reference, &engine);
}

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let engine = Counted::new("cluster", verdicts);
    compare_on_ispl(Trials::from_environment(100), &Reference, &engine);
    engine.assert_decided(DECIDED);
}

/// Of a hundred questions so many are decided at least.
const DECIDED: u64 = 25;
