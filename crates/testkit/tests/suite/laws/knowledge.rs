//! Knowledge and correct behaviour.

use proptest::prelude::*;
use servanda_engine::Options;
use servanda_logic::Features;
use servanda_testkit::random::{Outline, contents_within, protocols, small_state_formulas};

use crate::laws::support::{FORWARD, Scene, plain_protocols, same, twice, valid};

const FEATURES: Features = FORWARD.with(Features::LINEAR_PAST);

#[test]
fn groups_of_one_know_what_their_member_knows() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, phi) = (scene.role(1), scene.formula(0));
        let knows = format!("K({i}, {phi})");
        vec![
            format!("{knows} <-> GK({i}, {phi})"),
            format!("{knows} <-> DK({{{i}}}, {phi})"),
            format!("{knows} <-> GCK({i}, {phi})"),
            format!("{knows} <-> KH({i}, {{}}, {phi})"),
        ]
    });
}

#[test]
fn knowledge_is_true_and_knows_itself() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, phi, psi) = (scene.role(1), scene.formula(0), scene.formula(1));
        vec![
            format!("K({i}, {phi}) -> {phi}"),
            format!("K({i}, {phi}) -> K({i}, K({i}, {phi}))"),
            format!("!K({i}, {phi}) -> K({i}, !K({i}, {phi}))"),
            format!("(K({i}, {phi}) & K({i}, {phi} -> {psi})) -> K({i}, {psi})"),
        ]
    });
}

#[test]
fn larger_groups_know_more_together_and_less_each() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, j, phi) = (scene.role(0), scene.role(1), scene.formula(0));
        vec![
            format!("GCK({phi}) -> GK({phi})"),
            format!("GK({phi}) -> (K({i}, {phi}) & K({j}, {phi}))"),
            format!("GK({{{i}, {j}}}, {phi}) <-> (K({i}, {phi}) & K({j}, {phi}))"),
            format!("(K({i}, {phi}) | K({j}, {phi})) -> DK({{{i}, {j}}}, {phi})"),
            format!("DK({{{i}, {j}}}, {phi}) -> DK({phi})"),
            format!("DK({phi}) -> {phi}"),
        ]
    });
}

#[test]
fn common_knowledge_is_the_greatest_fixpoint() {
    // With fairness constraints as well: what is related are then points of fair runs.
    valid(
        protocols(contents_within(FEATURES)),
        small_state_formulas(FEATURES),
        Options::default(),
        |scene| {
            let (phi, psi) = (scene.formula(0), scene.formula(1));
            vec![
                format!("GCK({phi}) <-> GK({phi} & GCK({phi}))"),
                format!("GCK({phi}) -> GCK(GCK({phi}))"),
                // Induction: what everybody knows wherever it holds is common knowledge wherever it holds.
                format!("(GCK({psi} -> GK({phi} & {psi})) & {psi}) -> GCK({phi})"),
            ]
        },
    );
}

#[test]
fn without_red_states_correct_behaviour_assumes_nothing() {
    let outlines = plain_protocols(FEATURES).prop_map(Outline::without_red).boxed();
    valid(outlines, small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, phi) = (scene.role(0), scene.formula(0));
        vec![
            format!("KH({i}, {phi}) <-> K({i}, {phi})"),
            format!("B({i}, {phi}) <-> K({i}, {phi})"),
            format!("O({i}, {phi}) -> {phi}"),
        ]
    });
}

#[test]
fn correct_behaviour_is_green_states() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, j, phi) = (scene.role(0), scene.role(1), scene.formula(0));
        let (red_i, red_j) = (&scene.names.red[0], &scene.names.red[1]);
        vec![
            format!("KH({i}, {j}, {phi}) <-> K({i}, !({red_j}) -> {phi})"),
            format!("KH({i}, {{{i}, {j}}}, {phi}) <-> K({i}, (!({red_i}) & !({red_j})) -> {phi})"),
        ]
    });
}

#[test]
fn belief_is_consistent_and_known() {
    let laws = |scene: &Scene| {
        let (i, j, phi, psi) = (scene.role(0), scene.role(1), scene.formula(0), scene.formula(1));
        let (red_i, red_j) = (&scene.names.red[0], &scene.names.red[1]);
        let believes = |body: &str| format!("B({i}, {{{i}, {j}}}, {body})");
        let belief = believes(&phi);
        vec![
            format!("({belief} & {}) -> {}", believes(&format!("{phi} -> {psi}")), believes(&psi)),
            format!("!{}", believes("false")),
            format!("{belief} -> {}", believes(&belief)),
            format!("!{belief} -> {}", believes(&format!("!{belief}"))),
            format!("K({i}, {phi}) -> {belief}"),
            format!("{belief} -> K({i}, {belief})"),
            format!("!{belief} -> K({i}, !{belief})"),
            format!("{belief} -> KH({i}, {{{i}, {j}}}, {phi})"),
            format!("(!({red_i}) & !({red_j}) & {belief}) -> {phi}"),
            // The definition once more, with belief in correct behaviour in the place of its assumption.
            format!("B({i}, {j}, !({red_j})) -> (B({i}, {j}, {phi}) <-> KH({i}, {j}, {phi}))"),
            format!("!B({i}, {j}, !({red_j})) -> (B({i}, {j}, {phi}) <-> K({i}, {phi}))"),
            format!("B({i}, {{}}, {phi}) <-> K({i}, {phi})"),
        ]
    };
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), laws);
}

#[test]
fn obligation_is_what_holds_at_all_green_points() {
    let questions = (Options::default(), Options::default());
    same(twice(plain_protocols(FEATURES)), small_state_formulas(FEATURES), questions, |scene| {
        let (i, phi) = (scene.role(0), scene.formula(0));
        let red = &scene.names.red[0];
        let always = format!("AG (!({red}) -> {phi})");
        vec![(format!("O({i}, {phi})"), always.clone()), (format!("EF O({i}, {phi})"), always)]
    });
}
