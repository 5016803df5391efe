//! Strategies.

use proptest::prelude::*;
use servanda_engine::{Options, Strategies};
use servanda_logic::Features;
use servanda_testkit::random::{Outline, small_state_formulas};
use servanda_testkit::{Trials, Tried, load};

use crate::laws::support::{Asked, CASES, FORWARD, Scene, contexts, plain_protocols, same, twice, valid};

const FEATURES: Features = FORWARD.with(Features::STRATEGIC).with(Features::BRANCHING_PAST);

#[test]
fn who_never_acts_can_do_what_happens_anyway() {
    let outlines = plain_protocols(FEATURES).prop_map(Outline::with_idle_last_role).boxed();
    for strategies in [Strategies::PerfectInformation, Strategies::Uniform] {
        let options = Options { strategies, ..Options::default() };
        valid(outlines.clone(), small_state_formulas(FEATURES), options, |scene| {
            let (a, b) = (scene.closed(0), scene.closed(1));
            vec![
                format!("<Cyd>X {a} <-> AX {a}"),
                format!("<Cyd>F {a} <-> AF {a}"),
                format!("<Cyd>G {a} <-> AG {a}"),
                format!("<Cyd>({a} U {b}) <-> A[{a} U {b}]"),
            ]
        });
    }
}

#[test]
fn who_alone_acts_can_do_what_may_happen() {
    let outlines = plain_protocols(FEATURES).prop_map(Outline::with_one_active_role).boxed();
    valid(outlines, small_state_formulas(FEATURES), Options::default(), |scene| {
        let (a, b) = (scene.closed(0), scene.closed(1));
        vec![
            format!("<Ann>X {a} <-> EX {a}"),
            format!("<Ann>F {a} <-> EF {a}"),
            format!("<Ann>G {a} <-> EG {a}"),
            format!("<Ann>({a} U {b}) <-> E[{a} U {b}]"),
        ]
    });
}

#[test]
fn larger_groups_can_do_more() {
    // With uniform strategies they need not: a member that cannot know what it may do has no choice to make.
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, j) = (scene.role(0), scene.role(1));
        let (a, b) = (scene.closed(0), scene.closed(1));
        let more = |goal: String| format!("<{i}>{goal} -> <{{{i}, {j}}}>{goal}");
        let goals = [format!("X {a}"), format!("F {a}"), format!("G {a}"), format!("({a} U {b})")];
        goals.map(more).to_vec()
    });
}

#[test]
fn what_happens_anyway_can_be_done_and_what_can_be_done_may_happen() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let (i, a) = (scene.role(0), scene.closed(0));
        vec![
            format!("(AX {a} -> <{i}>X {a}) & (<{i}>X {a} -> EX {a})"),
            format!("(AF {a} -> <{i}>F {a}) & (<{i}>F {a} -> EF {a})"),
            format!("(AG {a} -> <{i}>G {a}) & (<{i}>G {a} -> EG {a})"),
        ]
    });
}

#[test]
fn ability_is_a_fixpoint() {
    valid(plain_protocols(FEATURES), small_state_formulas(FEATURES), Options::default(), |scene| {
        let g = format!("<{{{}, {}}}>", scene.role(0), scene.role(1));
        let (a, b) = (scene.closed(0), scene.closed(1));
        vec![
            format!("{g}F {a} <-> ({a} | {g}X {g}F {a})"),
            format!("{g}G {a} <-> ({a} & {g}X {g}G {a})"),
            format!("{g}({a} U {b}) <-> ({b} | ({a} & {g}X {g}({a} U {b})))"),
            format!("{g}F {a} <-> {g}(true U {a})"),
        ]
    });
}

#[test]
fn without_secrets_uniform_strategies_are_as_good() {
    let outlines = plain_protocols(FEATURES).prop_map(Outline::without_secrets).boxed();
    let uniform = Options { strategies: Strategies::Uniform, ..Options::default() };
    same(twice(outlines), small_state_formulas(FEATURES), (Options::default(), uniform), |scene| {
        let (i, j) = (scene.role(0), scene.role(1));
        let (a, b) = (scene.closed(0), scene.closed(1));
        let goals = [
            format!("<{i}>X {a}"),
            format!("<{i}>F {a}"),
            format!("<{j}>G {a}"),
            format!("<{i}>({a} U {b})"),
            format!("<{{{i}, {j}}}>F {a}"),
        ];
        let questions = goals.iter().flat_map(|goal| contexts(goal, &b));
        questions.map(|question| (question.clone(), question)).collect()
    });
}

#[test]
fn uniform_strategies_are_strategies() {
    let uniform = Options { strategies: Strategies::Uniform, ..Options::default() };
    let case = (plain_protocols(FORWARD), small_state_formulas(FORWARD), small_state_formulas(FORWARD));
    Trials::from_environment(CASES).run(&case, |(outline, a, b)| {
        let scene = Scene::new(outline, &[a.clone(), b.clone()]);
        let text = outline.text();
        let protocol = load(&text);
        let (Some(mut with), Some(mut without)) =
            (Asked::new(&protocol, uniform), Asked::new(&protocol, Options::default()))
        else {
            return Ok(Tried::Skipped);
        };
        let (i, j) = (scene.role(0), scene.role(1));
        let (a, b) = (scene.closed(0), scene.closed(1));
        let mut decided = false;
        for goal in [format!("<{i}>F {a}"), format!("<{j}>G {a}"), format!("<{{{i}, {j}}}>({a} U {b})")] {
            for question in contexts(&goal, &b) {
                let (Some(able), Some(perfectly)) = (with.verdict(&question)?, without.verdict(&question)?)
                else {
                    continue;
                };
                decided = true;
                if able && !perfectly {
                    return Err(format!("with uniform strategies only: {question}\n{text}"));
                }
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}

/// What is decided with perfect information alone is what trying all strategies says; subjective ability is known ability.
#[test]
fn verdicts_by_perfect_information_are_those_of_all_strategies() {
    let case = (plain_protocols(FORWARD), small_state_formulas(FORWARD), small_state_formulas(FORWARD));
    Trials::from_environment(CASES).run(&case, |(outline, a, b)| {
        let scene = Scene::new(outline, &[a.clone(), b.clone()]);
        let text = outline.text();
        let protocol = load(&text);
        let (i, j) = (scene.role(0), scene.role(1));
        let (a, b) = (scene.closed(0), scene.closed(1));
        let mut decided = false;
        for strategies in [Strategies::Uniform, Strategies::Subjective] {
            let options = Options { strategies, ..Options::default() };
            let Some(mut asked) = Asked::new(&protocol, options) else { return Ok(Tried::Skipped) };
            for goal in [
                format!("<{i}>F {a}"),
                format!("!<{j}>G {a}"),
                format!("AG (<{{{i}, {j}}}>({a} U {b}) | E X !<{i}>X {b})"),
                format!("A (F <{i}>X {a} -> G F K({j}, <{j}>F {b}))"),
            ] {
                // In every state by itself nothing is asked with perfect information.
                let (Some(short), Some(long)) = (asked.verdict(&goal)?, asked.in_all_initial_states(&goal)?)
                else {
                    continue;
                };
                decided = true;
                if short != long {
                    return Err(format!("{strategies:?}: {short} and {long}: {goal}\n{text}"));
                }
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}
