//! Quantifiers and temporal operators.

use proptest::prelude::*;
use servanda_engine::{Deadlock, Options, Validity};
use servanda_logic::Features;
use servanda_testkit::random::{Outline, path_formulas, small_state_formulas, state_formulas};

use crate::laws::support::{FORWARD, TEMPORAL, contexts, plain_protocols, same, twice, valid};

#[test]
fn all_paths_is_not_some_path_not() {
    let features = FORWARD | Features::LINEAR_PAST;
    valid(plain_protocols(features), path_formulas(features), Options::default(), |scene| {
        let psi = scene.formula(0);
        vec![
            format!("A {psi} <-> !E !{psi}"),
            format!("E {psi} <-> !A !{psi}"),
            format!("A {psi} -> E {psi}"),
        ]
    });
}

#[test]
fn future_operators_unfold() {
    let features = TEMPORAL | Features::LINEAR_PAST;
    valid(plain_protocols(features), path_formulas(features), Options::default(), |scene| {
        let (a, b) = (scene.formula(0), scene.formula(1));
        vec![
            format!("A (F {a} <-> ({a} | X F {a}))"),
            format!("A (G {a} <-> ({a} & X G {a}))"),
            format!("A (({a} U {b}) <-> ({b} | ({a} & X ({a} U {b}))))"),
            format!("A (({a} W {b}) <-> ({b} | ({a} & X ({a} W {b}))))"),
            format!("A (({a} R {b}) <-> ({b} & ({a} | X ({a} R {b}))))"),
            format!("A (({a} so {b}) <-> ({a} & X ({a} -> {b})))"),
        ]
    });
}

#[test]
fn future_operators_define_each_other() {
    let features = TEMPORAL | Features::LINEAR_PAST;
    valid(plain_protocols(features), path_formulas(features), Options::default(), |scene| {
        let (a, b) = (scene.formula(0), scene.formula(1));
        vec![
            format!("A (F {a} <-> (true U {a}))"),
            format!("A (G {a} <-> !F !{a})"),
            format!("A (({a} R {b}) <-> !(!{a} U !{b}))"),
            format!("A (({a} W {b}) <-> (({a} U {b}) | G {a}))"),
            format!("A (X !{a} <-> !X {a})"),
            format!("A (X ({a} & {b}) <-> (X {a} & X {b}))"),
            format!("A (G F {a} <-> F G F {a})"),
        ]
    });
}

#[test]
fn ctl_operators_are_fixpoints() {
    for deadlock in [Deadlock::Loop, Deadlock::Strict] {
        let options = Options { deadlock, ..Options::default() };
        valid(plain_protocols(TEMPORAL), small_state_formulas(TEMPORAL), options, |scene| {
            let (a, b) = (scene.formula(0), scene.formula(1));
            vec![
                format!("EF {a} <-> ({a} | EX EF {a})"),
                format!("AF {a} <-> ({a} | AX AF {a})"),
                format!("EG {a} <-> ({a} & EX EG {a})"),
                format!("AG {a} <-> ({a} & AX AG {a})"),
                format!("E[{a} U {b}] <-> ({b} | ({a} & EX E[{a} U {b}]))"),
                format!("A[{a} U {b}] <-> ({b} | ({a} & AX A[{a} U {b}]))"),
                format!("E[{a} R {b}] <-> ({b} & ({a} | EX E[{a} R {b}]))"),
                format!("A[{a} R {b}] <-> ({b} & ({a} | AX A[{a} R {b}]))"),
                format!("E[{a} W {b}] <-> ({b} | ({a} & EX E[{a} W {b}]))"),
                format!("A[{a} W {b}] <-> ({b} | ({a} & AX A[{a} W {b}]))"),
                format!("AX {a} <-> !EX !{a}"),
            ]
        });
    }
}

#[test]
fn without_deadlocks_both_readings_of_them_agree() {
    let features = Features::ALL;
    let strict = Options { deadlock: Deadlock::Strict, ..Options::default() };
    let outlines = plain_protocols(features).prop_map(Outline::without_deadlocks).boxed();
    same(twice(outlines), state_formulas(features), (Options::default(), strict), |scene| {
        let both = |number| contexts(&scene.formula(number), "true");
        [both(0), both(1)].concat().into_iter().map(|question| (question.clone(), question)).collect()
    });
}

#[test]
fn validity_in_reachable_states_is_always() {
    let features = FORWARD | Features::BRANCHING_PAST;
    let reachable = Options { validity: Validity::Reachable, ..Options::default() };
    same(
        twice(plain_protocols(features)),
        state_formulas(features),
        (reachable, Options::default()),
        |scene| {
            let always = |number| (scene.formula(number), format!("AG {}", scene.formula(number)));
            let somewhere =
                |number| (format!("!{}", scene.formula(number)), format!("!EF {}", scene.formula(number)));
            vec![always(0), always(1), somewhere(0), somewhere(1)]
        },
    );
}
