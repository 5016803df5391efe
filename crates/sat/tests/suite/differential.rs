//! The satisfiability engine against the reference engine: random protocols, formulas of the whole language and all readings; and random
//! ISPL models.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_model::{Model, Property};
use servanda_sat::{Sat, SatOptions};
use servanda_syntax::SourceFile;
use servanda_testkit::{
    Counted, Limits, Reference, Trials, Tried, agreement, compare, compare_on_ispl, compare_ticking,
    compare_with_fair_steps, verdicts_of,
};

/// Stops what asks a solver too often for a test of thousands of cases.
const CALLS: Limits = Limits { states: u64::MAX, nodes: 30_000 };

/// What is decided of each property.
type Verdicts = Vec<Option<bool>>;

fn by_solver(choices: SatOptions) -> Counted<impl Fn(&Model, &[Property], Options) -> Verdicts> {
    Counted::new("sat", move |model, properties, options| {
        let engine = Sat::new(model, options, choices, &CALLS);
        verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &CALLS))
    })
}

fn within(bound: usize) -> SatOptions {
    SatOptions { bound: Some(bound), ..SatOptions::default() }
}

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = by_solver(SatOptions::default());
    compare(Trials::from_environment(500), &Reference, &engine);
    engine.assert_decided(70);
}

/// What is meant for models that are too large for fixpoints: liveness as reachability, knowledge by refined invariants.
#[test]
fn the_engines_agree_where_everything_counts_as_large() {
    let engine = by_solver(SatOptions { few_bits: 0, few_cubes: 0, ..SatOptions::default() });
    compare(Trials::from_environment(100), &Reference, &engine);
}

/// Nothing is unrolled first, so that every question of reachability comes to guessed invariants and to IC3.
#[test]
fn the_engines_agree_where_nothing_is_unrolled_first() {
    let engine = by_solver(SatOptions { few_steps: 0, ..SatOptions::default() });
    compare(Trials::from_environment(300), &Reference, &engine);
    engine.assert_decided(70);
    compare_on_ispl(Trials::from_environment(200), &Reference, &engine);
    engine.assert_decided(70);
    let large = by_solver(SatOptions { few_bits: 0, few_cubes: 0, few_steps: 0, ..SatOptions::default() });
    compare(Trials::from_environment(100), &Reference, &large);
}

#[test]
fn the_engines_agree_on_fairness_of_steps() {
    let engine = by_solver(SatOptions::default());
    compare_with_fair_steps(Trials::from_environment(300), &Reference, &engine);
    engine.assert_decided(60);
    let large = by_solver(SatOptions { few_bits: 0, few_cubes: 0, ..SatOptions::default() });
    compare_with_fair_steps(Trials::from_environment(60), &Reference, &large);
    for bound in [2, 6] {
        let engine = by_solver(within(bound));
        let agrees = |case: &_| agreement(case, &Reference, &engine).map(|_| Tried::Holds);
        Trials::from_environment(200).on_fair_protocols(agrees);
        engine.assert_decided(8);
    }
}

/// A bounded search knows less, and is never wrong.
#[test]
fn the_engines_agree_within_a_bound() {
    for (bound, cases) in [(6, 400), (1, 200)] {
        let engine = by_solver(within(bound));
        let agrees = |case: &_| agreement(case, &Reference, &engine).map(|_| Tried::Holds);
        Trials::from_environment(cases).on_protocols(agrees);
        engine.assert_decided(12);
    }
}

#[test]
fn the_engines_agree_where_ticks_are_counted() {
    let engine = by_solver(SatOptions::default());
    compare_ticking(Trials::from_environment(300), &Reference, &engine);
    engine.assert_decided(70);
}

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let engine = by_solver(SatOptions::default());
    compare_on_ispl(Trials::from_environment(400), &Reference, &engine);
    engine.assert_decided(80);
}

/// Knowledge and correct behaviour within a bound, where there are local states that are not green.
#[test]
fn the_engines_agree_on_random_ispl_models_within_a_bound() {
    let engine = by_solver(within(5));
    compare_on_ispl(Trials::from_environment(200), &Reference, &engine);
    engine.assert_decided(25);
}

/// The path that is looked for would have to begin where `v` is, which no initial state agrees with: as a circuit that is a conjunction
/// of a bit and its negation, and IC3 took it for a cube of initial states, from which it found a run that none could replay.
#[test]
fn a_path_that_begins_in_no_initial_state_is_no_path() {
    let text = "protocol Switch\nroles Ann\nvar v : bool = false\nstart s\ns -- Ann: flip set v = !v --> s\n\
                property once = A P !v\nproperty always = A F P v";
    let loaded = servanda_pact::load(&SourceFile::new("switch.pact", text), &[]);
    let protocol = loaded.protocol.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let large = SatOptions { few_bits: 0, few_cubes: 0, ..SatOptions::default() };
    let mut sat = Sat::new(&protocol.model, Options::default(), large, &NoLimits).expect("no fault");
    for property in &protocol.properties {
        let verdict = sat.decide(&property.formula, &NoLimits).expect("no fault");
        assert_eq!(verdict, Verdict::True, "{}", property.formula);
    }
}
