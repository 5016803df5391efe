//! The symbolic engine against the reference engine: random protocols, formulas of the whole language and all readings; and random
//! ISPL models, which it also counts.

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::Features;
use servanda_model::{Model, Property};
use servanda_symbolic::Symbolic;
use servanda_testkit::{
    Counted, Decider, Reference, Trials, compare, compare_ends, compare_on_ispl, compare_recalling,
    compare_ticking, compare_with_fair_steps, verdicts_of,
};

fn verdicts(model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
    let engine = Symbolic::new(model, options, 1 << 18, &NoLimits);
    verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
}

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = Counted::new("bdd", verdicts);
    compare(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(70);
}

#[test]
fn the_engines_agree_on_fairness_of_steps() {
    let engine = Counted::new("bdd", verdicts);
    compare_with_fair_steps(Trials::from_environment(800), &Reference, &engine);
    engine.assert_decided(70);
}

/// CTL with knowledge, belief and correct behaviour.
const KNOWING: Features = Features::QUANTIFIERS
    .with(Features::FUTURE)
    .with(Features::BRANCHING)
    .with(Features::KNOWLEDGE)
    .with(Features::CORRECT_BEHAVIOUR);

#[test]
fn the_engines_agree_on_what_agents_remember() {
    let engine = Counted::new("bdd", verdicts);
    compare_recalling(Trials::from_environment(1000), KNOWING, &Reference, &engine);
    engine.assert_decided(70);
    // The reference notices where nothing new can come; with diagrams three more steps are looked at.
    let later = Counted::new("bdd, later", |model: &Model, properties: &[Property], options: Options| {
        verdicts(model, properties, Options { recall: options.recall.map(|steps| steps + 3), ..options })
    });
    compare_recalling(Trials { seed: 7, ..Trials::from_environment(500) }, KNOWING, &Reference, &later);
    later.assert_decided(70);
}

#[test]
fn to_remember_longer_contradicts_nothing() {
    let later = Counted::new("later", |model: &Model, properties: &[Property], options: Options| {
        Reference.verdicts(
            model,
            properties,
            Options { recall: options.recall.map(|steps| steps + 2), ..options },
        )
    });
    compare_recalling(Trials::from_environment(1000), Features::ALL, &Reference, &later);
    later.assert_decided(70);
}

#[test]
fn the_engines_agree_where_ticks_are_counted() {
    let engine = Counted::new("bdd", verdicts);
    compare_ticking(Trials::from_environment(600), &Reference, &engine);
    engine.assert_decided(70);
}

#[test]
fn the_engines_agree_on_ends_and_on_where_time_stops() {
    compare_ends(Trials::from_environment(400), |model| {
        Ok(Box::new(Symbolic::new(model, Options::default(), 1 << 18, &NoLimits)?))
    });
}

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let engine = Counted::new("bdd", verdicts);
    compare_on_ispl(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn the_engines_count_the_same_in_random_ispl_models() {
    for case in Trials::from_environment(500).ispl_models() {
        let (model, text) = (&case.model, &case.text);
        let mut symbolic = Symbolic::new(model, case.options, 1 << 18, &NoLimits).expect("a small model");
        let explored = Explored::new(model, case.options, &NoLimits).expect("a small model");
        let counts = explored.space.counts();
        assert_eq!(symbolic.states(), counts.states, "states\n{text}");
        assert_eq!(symbolic.deadlocks(), counts.deadlocks, "deadlocks\n{text}");
        assert_eq!(symbolic.transitions().ok(), counts.transitions, "transitions\n{text}");
        let lost = symbolic.lost_moves(&NoLimits).expect("room").len();
        assert_eq!(lost, explored.space.lost_moves().len(), "lost moves\n{text}");
    }
}
