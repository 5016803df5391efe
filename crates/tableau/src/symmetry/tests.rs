//! With symmetries and without them, and by the reference engine, on random models of several that are alike: no difference. Without one of
//! the conditions: differences.

mod random;

use num_bigint::BigUint;
use servanda_engine::{Engine as _, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_model::Model;
use servanda_syntax::SourceFile;

use super::Flaw;
use crate::Tableau;
use random::Random;

/// So many random models; more where the environment asks for more.
fn cases() -> u64 {
    servanda_testkit::Trials::from_environment(1500).cases.into()
}

/// What was seen on random models.
#[derive(Default)]
struct Seen {
    decided: u64,
    reduced: u64,
    differences: Vec<String>,
}

/// With symmetries, perhaps with a flaw, against the reference engine.
fn compare(cases: u64, flaws: Option<Flaw>, enough: usize) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let formulas: Vec<Formula> = (0..4).filter_map(|_| random.formula()).collect();
        let model = &random.model;
        let Ok(mut reference) = Explored::new(model, Options::default(), &NoLimits) else { continue };
        let mut reduced = Tableau::new(model, Options::default(), 1, &NoLimits).expect("a small model");
        reduced.symmetries.flaws = flaws;
        reduced.leave_all_to_reductions();
        for formula in formulas {
            let Ok(expected) = reference.decide(&formula, &NoLimits) else { continue };
            let before = reduced.symmetries.decided;
            let found = reduced.decide(&formula, &NoLimits);
            seen.decided += 1;
            seen.reduced += reduced.symmetries.decided - before;
            if found.as_ref().ok() != Some(&expected) {
                seen.differences.push(format!("model {seed}: {formula} is {expected:?}, found {found:?}"));
                if seen.differences.len() >= enough {
                    return seen;
                }
            }
        }
    }
    seen
}

#[test]
fn nothing_changes_on_random_models() {
    let seen = compare(cases(), None, 1);
    assert_eq!(seen.differences, Vec::<String>::new());
    // Otherwise little was tested.
    assert!(seen.decided > 2 * cases(), "{} decided", seen.decided);
    assert!(seen.reduced * 3 > seen.decided, "{} of {} with symmetries", seen.reduced, seen.decided);
}

/// Machines with one control state take no bits of a state; the rows of their agents were read all the same.
#[test]
fn who_has_no_bits_of_their_own_changes_places() {
    let machine = |n| {
        let moves = "when x = 0 set x = 1 --> on\n  on";
        format!(
            "machine M{n} {{\n  start on\n  on -- A{n}: up {moves} -- A{n}: down when x > 0 set x = 0 --> on\n}}\n"
        )
    };
    let text = format!(
        "roles A1, A2, A3\nvar x : 0..3 = 0\n{}property all = AG x < 2\nproperty some = AG EF x = 1\n",
        [1, 2, 3].map(machine).concat()
    );
    let (model, formulas) = loaded(&text);
    let mut tableau = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a small model");
    tableau.leave_all_to_reductions();
    for formula in formulas {
        assert_eq!(tableau.decide(&formula, &NoLimits).ok(), Some(Verdict::True), "{formula}");
    }
    tableau.explore(&NoLimits).expect("few states");
    assert_eq!(tableau.counts().expect("counts").states, 2_u32.into());
}

#[test]
fn whom_a_property_speaks_of_must_matter() {
    let seen = compare(cases(), Some(Flaw::AnyProperty), 1);
    assert!(!seen.differences.is_empty(), "not noticed in {} formulas", seen.decided);
}

#[test]
fn counts_are_those_of_all_states() {
    let (mut counted, mut saved) = (0, 0);
    for seed in 0..cases() {
        let Random { model, .. } = Random::new(seed);
        let Ok(reference) = Explored::new(&model, Options::default(), &NoLimits) else { continue };
        let mut reduced = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a small model");
        reduced.leave_all_to_reductions();
        reduced.explore(&NoLimits).expect("no limits");
        let Some(savings) = reduced.symmetry_savings(&NoLimits) else { continue };
        let (found, expected) = (reduced.counts().expect("explored"), reference.counts().expect("explored"));
        assert_eq!(
            (&found.states, &found.transitions, &found.deadlocks, &found.initial, &found.diameter),
            (
                &expected.states,
                &expected.transitions,
                &expected.deadlocks,
                &expected.initial,
                &expected.diameter
            ),
            "model {seed}"
        );
        counted += 1;
        saved += u64::from(BigUint::from(2 * savings.visited) < expected.states);
    }
    assert!(counted * 2 > cases(), "{counted} counted");
    assert!(saved * 4 > counted, "{saved} of {counted} with less than half of the states");
}

fn loaded(text: &str) -> (Model, Vec<Formula>) {
    let loaded = servanda_pact::load(&SourceFile::new("alike.pact", text), &[]);
    let protocol = loaded.protocol.unwrap_or_else(|| panic!("{text}"));
    (protocol.model, protocol.properties.into_iter().map(|property| property.formula).collect())
}

/// How many states were visited for how many, and how many properties were decided so.
fn visited(text: &str) -> Option<(u64, u64, BigUint)> {
    let (model, properties) = loaded(text);
    let mut engine = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a model");
    engine.leave_all_to_reductions();
    let mut reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
    for property in &properties {
        let expected = reference.decide(property, &NoLimits).expect("decided");
        assert_eq!(engine.decide(property, &NoLimits).expect("decided"), expected, "{property}");
    }
    let savings = engine.symmetry_savings(&NoLimits)?;
    Some((savings.properties, savings.visited, savings.stand_for))
}

#[test]
fn roles_of_an_array_are_alike_with_all_that_is_theirs() {
    let text = "protocol P\nroles M, W[1..4]\nvar last : 0..4 = 0\nfor i in 1..4 {\n  private var x[i] of W[i] : 0..2 = 0\n  \
                machine S[i] {\n  start a\n  a -- W[i] -> M: go[i] set last = i --> b\n  b -- W[i]: back when x[i] < 2 set x[i] = 2 --> a\n  }\n}\n\
                property one = AG all i in 1..4 : x[i] = 2 -> EF last = i\nproperty two = EF (last = 3 & x[3] = 2)\n";
    let (properties, visited, stand_for) = visited(text).expect("symmetries");
    assert_eq!(properties, 2);
    assert!(stand_for > BigUint::from(2 * visited), "{visited} for {stand_for}");
}

#[test]
fn one_that_is_different_leaves_the_others_alike() {
    let same = "for i in 1..4 { var x[i] : 0..2 = 0 }\nstart s\n\
                for i in 1..4 { s -- W[i]: up when x[i] < 2 set x[i] = x[i] + 1 --> s }\n";
    let other = "s -- W[2]: jump when x[2] = 0 set x[2] = 2 --> s\n";
    let property = "property p = EF (x[1] = 2 & x[2] = 1)\nproperty q = AF all i in 1..4 : x[i] = 2\n";
    let head = "protocol P\nroles M, W[1..4]\n";
    assert!(visited(&format!("{head}{same}{property}")).is_some());
    let (_, visited, stand_for) =
        visited(&format!("{head}{same}{other}{property}")).expect("three are alike");
    assert!(stand_for > BigUint::from(visited), "{visited} for {stand_for}");
}

#[test]
fn bidders_of_the_contract_net_are_alike() {
    let text = include_str!("../../../../examples/contract_net.pact").replace("param N = 2", "param N = 3");
    let (properties, visited, stand_for) = visited(&text).expect("symmetries");
    assert!(properties >= 10, "{properties}");
    assert!(stand_for > BigUint::from(2 * visited), "{visited} for {stand_for}");
}

/// The third promises something else; nothing but the contents of promises tells it from the others.
const ODD: &str = "protocol P\nroles M, W[1..4]\nfor i in 1..4 { var x[i] : 0..2 = 0 }\n\
    commitment k[1] = SC(W[1], M, F x[1] = 2)\ncommitment k[2] = SC(W[2], M, F x[2] = 2)\n\
    commitment k[3] = SC(W[3], M, F x[3] = 1)\ncommitment k[4] = SC(W[4], M, F x[4] = 2)\nstart s\n\
    s -- M: wait --> s\nfor i in 1..4 {\n  s -- Cr(W[i], k[i]) when x[i] = 0 & !active(k[i]) --> s\n\
      s -- W[i]: one when x[i] = 0 set x[i] = 1 --> s\n  s -- W[i]: two when x[i] = 1 set x[i] = 2 --> s\n}\n\
    property p = AG all i in 1..4 : active(k[i]) & x[i] = 0 -> SC(W[i], M, F x[i] = 2)\n";

/// Everybody goes once.
const ONCE: &str = "protocol P\nroles M, W[1..4]\nfor i in 1..4 { var x[i] : bool = false }\nstart s\n\
    for i in 1..4 { s -- W[i]: go[i] when !x[i] set x[i] = true --> s }\n\
    property p = A G (does(go[1]) -> X G !does(go[1]))\n";

#[test]
fn neither_a_guess_is_enough_nor_may_labels_be_forgotten() {
    for (text, flaw) in [(ODD, Flaw::Unproved), (ONCE, Flaw::AnyLabel)] {
        let (model, properties) = loaded(text);
        let mut reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
        let expected = reference.decide(&properties[0], &NoLimits).expect("decided");
        for (flaws, right) in [(None, true), (Some(flaw), false)] {
            let mut engine = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a model");
            engine.symmetries.flaws = flaws;
            engine.leave_all_to_reductions();
            let found = engine.decide(&properties[0], &NoLimits).expect("decided");
            assert_eq!(found == expected, right, "{flaws:?}");
        }
    }
}
