//! The on-the-fly engine against the reference engine: random protocols, formulas of the whole language and all readings; and random
//! ISPL models.

use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Property};
use servanda_tableau::Tableau;
use servanda_testkit::{
    Counted, Reference, Trials, Tried, compare, compare_on_ispl, compare_ticking, compare_with_fair_steps,
    let_control_rest, make_a_label_tick, verdicts_of,
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
    Trials::from_environment(400).on_protocols(|case| {
        let mut model = case.model.clone();
        make_a_label_tick(&mut model, case.text.len());
        let_control_rest(&mut model, case.text.len() / 3);
        let Ok(explored) = Explored::new(&model, Options::default(), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let Ok(mut engine) = Tableau::new(&model, Options::default(), 1, &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        engine.explore(&NoLimits).map_err(|halt| halt.to_string())?;
        let (expected, found) =
            (explored.space.counts().deadlocks, engine.counts().map(|counts| counts.deadlocks));
        if found != Some(expected.clone()) {
            return Err(format!("{expected} deadlocks, found {found:?} in\n{}", case.text));
        }
        let (expected, found) =
            (explored.space.stopped_time(), engine.stopped_time(&NoLimits).ok().flatten());
        if found != expected {
            return Err(format!("{expected:?}\n{found:?} in\n{}with {:?} for a tick", case.text, model.tick));
        }
        Ok(Tried::Holds)
    });
}

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let engine = Counted::new("tableau", verdicts);
    compare_on_ispl(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}
