//! The symbolic engine against the reference engine: random protocols, formulas of the whole language and all readings; and random
//! ISPL models, which it also counts.

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Property};
use servanda_symbolic::Symbolic;
use servanda_testkit::{Counted, Reference, Trials, compare, compare_on_ispl, verdicts_of};

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
