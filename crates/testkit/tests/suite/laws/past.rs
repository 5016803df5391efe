//! Both kinds of past.

use proptest::prelude::*;
use servanda_engine::{Deadlock, Options, Past};
use servanda_logic::Features;
use servanda_model::Model;
use servanda_testkit::random::{Outline, path_formulas, small_state_formulas, state_formulas};
use servanda_testkit::{Trials, Tried, load};

use crate::laws::support::{
    Asked, CASES, FORWARD, Scene, TEMPORAL, contexts, everywhere, plain_protocols, same, twice, valid,
};

#[test]
fn linear_past_unfolds() {
    let features = TEMPORAL | Features::LINEAR_PAST;
    valid(plain_protocols(features), path_formulas(features), Options::default(), |scene| {
        let (a, b) = (scene.formula(0), scene.formula(1));
        vec![
            format!("A (P {a} <-> ({a} | Y P {a}))"),
            format!("A (H {a} <-> ({a} & (Y true -> Y H {a})))"),
            format!("A (({a} S {b}) <-> ({b} | ({a} & Y ({a} S {b}))))"),
            format!("A (P {a} <-> (true S {a}))"),
            format!("A (H {a} <-> !P !{a})"),
        ]
    });
}

#[test]
fn linear_past_and_future_undo_each_other() {
    let features = TEMPORAL | Features::LINEAR_PAST;
    valid(plain_protocols(features), path_formulas(features), Options::default(), |scene| {
        let a = scene.formula(0);
        vec![
            format!("A (X Y {a} <-> {a})"),
            format!("A (Y X {a} <-> (Y true & {a}))"),
            format!("A ({a} -> G P {a})"),
            format!("A ({a} -> H F {a})"),
            format!("A (F {a} -> H F {a})"),
        ]
    });
}

#[test]
fn the_past_is_the_same_for_all_continuations() {
    // What was, was: a past that does not look ahead again depends on nothing that is to come.
    let features = FORWARD;
    valid(plain_protocols(features), small_state_formulas(features), Options::default(), |scene| {
        let (a, b) = (scene.formula(0), scene.formula(1));
        vec![
            format!("E Y {a} <-> A Y {a}"),
            format!("E P {a} <-> A P {a}"),
            format!("E ({a} S {b}) <-> A ({a} S {b})"),
        ]
    });
}

#[test]
fn what_was_on_this_run_was_on_some() {
    let features = FORWARD;
    valid(plain_protocols(features), small_state_formulas(features), Options::default(), |scene| {
        let a = scene.closed(0);
        vec![
            format!("A (Y {a} -> EY {a})"),
            format!("A (P {a} -> EP {a})"),
            format!("A (AY {a} -> (Y true -> Y {a}))"),
            format!("A (AH {a} -> H {a})"),
            format!("{a} -> EP {a}"),
            format!("AH {a} -> {a}"),
        ]
    });
}

#[test]
fn branching_past_mirrors_branching_future() {
    let features = FORWARD | Features::BRANCHING_PAST;
    for deadlock in [Deadlock::Loop, Deadlock::Strict] {
        let options = Options { deadlock, ..Options::default() };
        valid(plain_protocols(features), small_state_formulas(features), options, |scene| {
            let a = scene.closed(0);
            vec![
                format!("{a} -> AX EY {a}"),
                format!("{a} -> AY EX {a}"),
                format!("{a} -> AG EP {a}"),
                format!("{a} -> AH EF {a}"),
                format!("AY {a} <-> !EY !{a}"),
                format!("AH {a} <-> !EP !{a}"),
                format!("EP {a} <-> ({a} | EY EP {a})"),
                format!("AH {a} <-> ({a} & AY AH {a})"),
            ]
        });
    }
}

/// The initial states, as far as variables and control states tell.
fn initially(model: &Model) -> String {
    let known = model.variables.iter().map(|variable| {
        let values = variable.initial.iter().map(|code| variable.domain.show(*code));
        let test = |value: String| match variable.machine {
            None => format!("{} = {value}", variable.name),
            Some(_) if model.machines.len() == 1 => format!("in {value}"),
            Some(machine) => format!("{} in {value}", model.machines[machine.index()].name),
        };
        format!("({})", values.map(test).collect::<Vec<_>>().join(" | "))
    });
    known.collect::<Vec<_>>().join(" & ")
}

#[test]
fn every_reachable_state_comes_from_an_initial_one() {
    let outlines = plain_protocols(FORWARD);
    Trials::from_environment(CASES).run(&outlines, |outline| {
        let text = outline.text();
        let protocol = load(&text);
        let initial = initially(&protocol.model);
        let Some(mut asked) = Asked::new(&protocol, everywhere()) else { return Ok(Tried::Skipped) };
        for law in
            [format!("EP ({initial})"), format!("A (!Y true -> ({initial}))"), "A P (!Y true)".to_owned()]
        {
            if asked.verdict(&law)? == Some(false) {
                return Err(format!("not valid:\n{text}property law = {law}"));
            }
        }
        Ok(Tried::Holds)
    });
}

const MOST_TYPED_STATES: u64 = 3000;

fn with_few_typed_states(features: Features) -> BoxedStrategy<Outline> {
    let few = |outline: &Outline| {
        load(&outline.text()).model.typed_states().is_some_and(|states| states <= MOST_TYPED_STATES)
    };
    plain_protocols(features).prop_filter("too many type-correct states", few).boxed()
}

#[test]
fn past_all_changes_nothing_about_the_future() {
    let features = FORWARD | Features::LINEAR_PAST;
    let all = Options { past: Past::All, ..Options::default() };
    same(
        twice(with_few_typed_states(features)),
        state_formulas(features),
        (Options::default(), all),
        |scene| {
            let questions = contexts(&scene.formula(0), &scene.formula(1));
            questions.into_iter().map(|question| (question.clone(), question)).collect()
        },
    );
}

#[test]
fn past_all_sees_more_predecessors() {
    let all = Options { past: Past::All, ..Options::default() };
    let case = (with_few_typed_states(FORWARD), small_state_formulas(FORWARD), small_state_formulas(FORWARD));
    Trials::from_environment(CASES).run(&case, |(outline, a, b)| {
        let scene = Scene::new(outline, &[a.clone(), b.clone()]);
        let text = outline.text();
        let protocol = load(&text);
        let (Some(mut reachable), Some(mut typed)) =
            (Asked::new(&protocol, Options::default()), Asked::new(&protocol, all))
        else {
            return Ok(Tried::Skipped);
        };
        let (a, b) = (scene.closed(0), scene.closed(1));
        for past in [format!("EY {a}"), format!("EP {a}")] {
            for question in contexts(&past, &b) {
                if reachable.verdict(&question)? == Some(true) && typed.verdict(&question)? == Some(false) {
                    return Err(format!("with reachable predecessors only: {question}\n{text}"));
                }
            }
        }
        Ok(Tried::Holds)
    });
}
