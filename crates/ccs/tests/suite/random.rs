//! Random processes: the model is what rewriting terms gives, and the engines agree on it.

use std::collections::BTreeMap;

use crate::support::random::{Census, Dice, census, definitions, text};
use crate::support::{size, system};
use servanda_engine::{Deadlock, NoLimits, Options, Validity, Verdict};
use servanda_enumerate::Explored;
use servanda_model::{Model, Mover};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;
use servanda_testkit::Trials;

/// The same counts as those of the rewriter, from the model.
fn census_of(model: &Model) -> Census {
    let mut mover = Mover::new(model);
    let start = mover.initial_states().next().expect("an initial state");
    let mut seen = std::collections::BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    let mut census = Census { states: 0, deadlocks: 0, labels: BTreeMap::new() };
    while let Some(state) = open.pop() {
        census.states += 1;
        let mut found = std::collections::BTreeSet::new();
        mover
            .for_each(&state, |cause, next| {
                found.insert((model.show_cause(cause), next.to_vec()));
            })
            .expect("no fault");
        census.deadlocks += usize::from(found.is_empty());
        for (label, next) in found {
            *census.labels.entry(label).or_default() += 1;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    census
}

#[test]
fn models_are_what_rewriting_gives() {
    let Trials { cases, seed } = Trials::from_environment(1500);
    let mut dice = Dice::new(seed);
    let (mut compared, mut large, mut deadlocks, mut synchronisations) = (0, 0, 0, 0);
    for case in 0..cases {
        let definitions = definitions(&mut dice);
        let Some(expected) = census(&definitions, "Main", 120) else { continue };
        let text = text(&definitions);
        let model = system(&text, Some("Main")).model;
        let found = census_of(&model);
        assert_eq!(found, expected, "case {case}\n{text}");
        let transitions: usize = expected.labels.values().sum();
        let counts = (expected.states as u64, transitions as u64, expected.deadlocks as u64);
        assert_eq!(size(&model), counts, "case {case}\n{text}");
        compared += 1;
        large += u32::from(expected.states >= 20);
        deadlocks += u32::from(expected.deadlocks > 0);
        synchronisations += u32::from(expected.labels.keys().any(|label| label.starts_with("tau<")));
    }
    println!(
        "{compared} of {cases} compared, {large} large, {deadlocks} with deadlocks, {synchronisations} with synchronisations"
    );
    assert!(compared * 10 > cases * 7 && large * 10 > cases && synchronisations * 10 > cases);
}

/// A formula over the agents, machines and actions of a model.
fn formula(dice: &mut Dice, model: &Model, depth: usize) -> String {
    let agent = model.agents[dice.below(model.agents.len())].name.clone();
    if depth == 0 || dice.chance(15) {
        let machine = &model.machines[dice.below(model.machines.len())];
        let domain = &model.variable(machine.variable).domain;
        let location = domain.show(dice.below(domain.size() as usize) as i64);
        return format!("{} in {location}", machine.name);
    }
    let actions = ["a", "'a", "b", "'b", "c", "tau", "_"];
    let a = formula(dice, model, depth - 1);
    match dice.below(13) {
        0 => format!("!({a})"),
        1 => format!("(({a}) & ({}))", formula(dice, model, depth - 1)),
        2 => format!("(({a}) -> ({}))", formula(dice, model, depth - 1)),
        3 => format!("{} ({a})", dice.pick(&["AG", "EG", "AF", "EF", "AX", "EX"])),
        4 => format!("{}[({a}) U ({})]", dice.pick(&["A", "E"]), formula(dice, model, depth - 1)),
        5 => format!("K({agent}, {a})"),
        6 => format!("GCK({a})"),
        7 => format!("<{agent}>{}({a})", dice.pick(&["X ", "F ", "G "])),
        8 => format!("{} ({a})", dice.pick(&["EY", "AH", "EP"])),
        9 => format!("E (does({}) & X ({a}))", dice.pick(&actions)),
        10 => format!("A G (does({}) -> F ({a}))", dice.pick(&actions)),
        11 => format!("EF E (does({}) & X does({}))", dice.pick(&actions), dice.pick(&actions)),
        _ => format!("A (does({}) | P ({a}))", dice.pick(&actions)),
    }
}

#[test]
fn engines_agree() {
    let Trials { cases, seed } = Trials::from_environment(600);
    let mut dice = Dice::new(seed + 1);
    let (mut decided, mut asked, mut unreadable) = (0, 0, 0);
    for case in 0..cases {
        let definitions = definitions(&mut dice);
        if census(&definitions, "Main", 120).is_none() {
            continue;
        }
        let text = text(&definitions);
        let system = system(&text, Some("Main"));
        let model = &system.model;
        let deadlock = if dice.chance(70) { Deadlock::Loop } else { Deadlock::Strict };
        let validity = if dice.chance(30) { Validity::Reachable } else { Validity::Initial };
        let options = Options { deadlock, validity, ..Options::default() };
        // A part that is large by itself may have few states here, but it has many commands.
        if model.behaviour.commands().len() > 2000 {
            continue;
        }
        let mut symbolic = Symbolic::new(model, options, 1 << 19, &NoLimits).expect("a small model");
        let mut explored = Explored::new(model, options, &NoLimits).expect("a small model");
        let mut tableau = Tableau::new(model, options, 1, &NoLimits).expect("a small model");
        let counts = explored.space.counts();
        assert_eq!(symbolic.states(), counts.states, "states, case {case}\n{text}");
        assert_eq!(symbolic.deadlocks(), counts.deadlocks, "deadlocks, case {case}\n{text}");
        let transitions = symbolic.transitions().expect("room");
        assert_eq!(Some(transitions), counts.transitions, "transitions, case {case}\n{text}");
        for _ in 0..4 {
            let written = formula(&mut dice, model, 3);
            asked += 1;
            // An action that occurs nowhere in the file is a mistake.
            let Ok(formula) = system.formula(&written) else {
                unreadable += 1;
                continue;
            };
            let left = explored.decide(&formula, &NoLimits).expect("no fault");
            let others = [
                ("bdd", symbolic.decide(&formula, &NoLimits).expect("no fault")),
                ("tableau", tableau.decide(&formula, &NoLimits).expect("no fault")),
            ];
            let known = |verdict: &Verdict| matches!(verdict, Verdict::True | Verdict::False);
            decided += usize::from(known(&left) && others.iter().all(|(_, verdict)| known(verdict)));
            for (engine, right) in others {
                if known(&left) && known(&right) {
                    assert_eq!(left, right, "{engine}, case {case}, {options:?}: {written}\n{text}");
                }
            }
        }
    }
    println!("{decided} of {asked} formulas decided by all, {unreadable} not readable");
    assert!(
        decided * 10 > asked * 7,
        "only {decided} of {asked} formulas were decided, {unreadable} unreadable"
    );
}
