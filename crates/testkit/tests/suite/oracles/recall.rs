//! Knowledge with perfect recall (section 5), on runs that are compared step by step.

use proptest::prelude::*;
use servanda_engine::{Halt, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_symbolic::Symbolic;
use servanda_testkit::random::{Names, Outline, conditions, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::oracles::knowledge::looks_alike;
use crate::oracles::support::{CONTENTS, MOST_STATES, condition, truth};

/// The most steps of a run, and the most runs.
const MOST_STEPS: usize = 3;
const MOST_RUNS: usize = 80;

/// All runs of so many steps; `None` where they are too many.
fn runs(walks: &Walks<'_>, steps: usize) -> Option<Vec<Vec<usize>>> {
    let mut runs: Vec<Vec<usize>> = walks.initial().iter().map(|state| vec![*state]).collect();
    for _ in 0..steps {
        let longer = runs.iter().flat_map(|run| {
            let successors = walks.successors(run[run.len() - 1]);
            successors.into_iter().map(|next| run.iter().copied().chain([next]).collect::<Vec<usize>>())
        });
        runs = longer.collect();
        runs.sort_unstable();
        runs.dedup();
        if runs.len() > MOST_RUNS {
            return None;
        }
    }
    Some(runs)
}

#[test]
fn agents_tell_runs_apart_by_all_that_they_saw() {
    let outlines = protocols(CONTENTS).prop_map(Outline::without_fairness);
    Trials::from_environment(200).run(&(outlines, conditions()), |(outline, p)| {
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, MOST_STATES) else { return Ok(Tried::Skipped) };
        let (written, p) = condition(outline, &protocol, &walks, p);
        let names = Names::new(outline);
        let (i, j) = (&names.roles[0], &names.roles[1]);
        let red = |role: usize| truth(&walks, &protocol.formula(&names.red[role]).expect("a condition"));
        let (red_i, red_j) = (red(0), red(1));
        let states = 0..walks.len();
        let looks: [Vec<Vec<bool>>; 2] = [0, 1].map(|role| {
            let alike = |s: usize| states.clone().map(|t| looks_alike(model, &walks, role, s, t)).collect();
            states.clone().map(alike).collect()
        });
        let mut tried = Tried::Skipped;
        let mut always = true;
        for steps in 0..=MOST_STEPS {
            let Some(runs) = runs(&walks, steps) else { break };
            let all = 0..runs.len();
            let end = |run: usize| runs[run][steps];
            let alike: Vec<Vec<Vec<bool>>> = [0, 1]
                .map(|role| {
                    let same =
                        |a: usize, b: usize| runs[a].iter().zip(&runs[b]).all(|(a, b)| looks[role][*a][*b]);
                    all.clone().map(|a| all.clone().map(|b| same(a, b)).collect()).collect()
                })
                .into();
            let known = |related: &dyn Fn(usize, usize) -> bool, body: &[bool]| -> Vec<bool> {
                all.clone().map(|a| all.clone().all(|b| !related(a, b) || body[b])).collect()
            };
            let body: Vec<bool> = all.clone().map(|run| p[end(run)]).collect();
            let one = |a: usize, b: usize| alike[0][a][b];
            let some = |a: usize, b: usize| alike[0][a][b] || alike[1][a][b];
            let green = |run: usize| !red_i[end(run)] && !red_j[end(run)];
            let knows = known(&one, &body);
            let unaware: Vec<bool> = knows.iter().map(|knows| !knows).collect();
            let mut common = body.clone();
            loop {
                let inside: Vec<bool> = common.iter().zip(&body).map(|(a, b)| *a && *b).collect();
                let again = known(&some, &inside);
                if again == common {
                    break;
                }
                common = again;
            }
            let trusting = known(&|a, b| one(a, b) && green(b), &body);
            let believes: Vec<bool> = all
                .clone()
                .map(|a| if all.clone().any(|b| one(a, b) && green(b)) { trusting[a] } else { knows[a] })
                .collect();
            always &= knows.iter().all(|knows| *knows);
            let expected = [
                (format!("K({i}, {written})"), knows),
                (format!("K({j}, !K({i}, {written}))"), known(&|a, b| alike[1][a][b], &unaware)),
                (format!("GK({{{i}, {j}}}, {written})"), known(&some, &body)),
                (
                    format!("DK({{{i}, {j}}}, {written})"),
                    known(&|a, b| alike[0][a][b] && alike[1][a][b], &body),
                ),
                (format!("GCK({{{i}, {j}}}, {written})"), common),
                (format!("KH({i}, {{{i}, {j}}}, {written})"), trusting),
                (format!("B({i}, {{{i}, {j}}}, {written})"), believes),
            ];
            let options = Options { recall: Some(steps as u32), ..Options::default() };
            let mut explored = Explored::new(model, options, &Limits::default()).expect("a small model");
            // Wide observations have large diagrams; what has no room is left to the other engine.
            let mut symbolic = Symbolic::new(model, options, 1 << 15, &NoLimits).expect("a small model");
            let mut check = |formula: String, wanted: Option<bool>| {
                let ground = protocol.formula(&formula).map_err(|errors| format!("{formula}: {errors:?}"))?;
                let verdicts = [
                    ("enumerate", explored.decide(&ground, &Limits::default())),
                    ("bdd", symbolic.decide(&ground, &NoLimits)),
                ];
                for (engine, verdict) in verdicts {
                    let verdict = match verdict {
                        Ok(verdict) => verdict.decided(),
                        Err(Halt::Stopped { .. }) if engine == "bdd" => continue,
                        Err(halt) => return Err(format!("{engine}: {formula}: {halt:?}\n{text}")),
                    };
                    if wanted.is_some() && verdict != wanted {
                        return Err(format!("{engine}: {verdict:?} of {formula} with {options:?}\n{text}"));
                    }
                    // What is claimed to hold for ever must hold on all runs looked at here.
                    if wanted.is_none() && verdict.is_some() && verdict != Some(false) && !always {
                        return Err(format!("{engine}: {formula} holds with {options:?}\n{text}"));
                    }
                }
                Ok(())
            };
            for (formula, expected) in &expected {
                let (all, some) = ("AX ".repeat(steps), "EX ".repeat(steps));
                check(format!("{all}{formula}"), Some(expected.iter().all(|holds| *holds)))?;
                let from =
                    |start: &usize| runs.iter().zip(expected).any(|(run, holds)| run[0] == *start && *holds);
                check(format!("{some}{formula}"), Some(walks.initial().iter().all(from)))?;
            }
            check(format!("AG K({i}, {written})"), (!always).then_some(false))?;
            tried = Tried::Holds;
        }
        Ok(tried)
    });
}
