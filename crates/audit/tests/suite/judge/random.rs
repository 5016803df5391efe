//! Verdicts and states against the reference engine and against plain searches, on random protocols.

use std::collections::BTreeSet;

use servanda_audit::judge::{Judge, Verdict};
use servanda_engine::{Halt, NoLimits, Options, Verdict as Decided};
use servanda_enumerate::Explored;
use servanda_logic::Features;
use servanda_lower::{CoreFormula as _, PathFormula, State};
use servanda_model::{LabelId, Model};
use servanda_testkit::{Trials, Tried, Walks};

use super::words::{Case, cases, letters, saying, standings};

/// Does some run that counts satisfy a path formula? `None` where that is too much to ask.
fn some_run(explored: &mut Explored<'_>, formula: PathFormula) -> Option<bool> {
    let lowering = explored.lowering_mut();
    let some = lowering.exists(formula);
    let none = lowering.arena.not(some);
    match explored.decide_core(none, &NoLimits) {
        Ok(Decided::True) => Some(false),
        Ok(Decided::False) => Some(true),
        Ok(Decided::Unknown(_)) | Err(_) => None,
    }
}

fn verdict(some_true: bool, some_false: bool) -> Verdict {
    match (some_true, some_false) {
        (true, true) => Verdict::Open,
        (true, false) => Verdict::True,
        (false, true) => Verdict::False,
        (false, false) => Verdict::Left,
    }
}

/// The verdict by definition: the reference engine is asked for a run that agrees with the word and satisfies the property, and for one
/// that does not.
fn by_definition(
    explored: &mut Explored<'_>,
    property: &servanda_model::Property,
    word: &[LabelId],
    silent: &[LabelId],
) -> Option<Verdict> {
    let lowering = explored.lowering_mut();
    let id = lowering.property(&property.formula).ok()?;
    let quiet = lowering.arena.does(silent.to_vec());
    let fails = match *lowering.arena.state(id) {
        State::Not(inner) => match *lowering.arena.state(inner) {
            State::Exists { path, .. } => Some(path),
            _ => None,
        },
        _ => None,
    };
    let mut sides = Vec::new();
    for holds in [true, false] {
        let lowering = explored.lowering_mut();
        let formula = match fails {
            // A property of the run there is.
            Some(fails) => {
                let side = if holds { lowering.arena.not(fails) } else { fails };
                let said = saying(lowering, word, silent, PathFormula::TRUE);
                lowering.arena.and(said, side)
            }
            // A property of the states where the runs are.
            None => {
                let side = if holds { id } else { lowering.arena.not(id) };
                let there = lowering.arena.until(quiet, side);
                saying(lowering, word, silent, there)
            }
        };
        sides.push(some_run(explored, formula)?);
    }
    Some(verdict(sides[0], sides[1]))
}

fn agrees(case: &Case) -> Result<Tried, String> {
    let protocol = case.load();
    let model = &protocol.model;
    let Some(walks) = Walks::new(model, 60) else { return Ok(Tried::Skipped) };
    let word = case.word(&walks, model);
    let silent = case.silent_labels(model);
    let mut judge = match Judge::new(model, &protocol.properties, &case.terms(model), &NoLimits) {
        Ok(judge) => judge,
        Err(Halt::Fault(_) | Halt::TooLarge(_)) => return Ok(Tried::Skipped),
        Err(halt) => return Err(format!("{halt}\n{}", case.text())),
    };
    let Ok(mut explored) = Explored::new(model, Options::default(), &NoLimits) else {
        return Ok(Tried::Skipped);
    };
    let letters = letters(&mut judge, &word);
    let standings = standings(&mut judge, &letters);
    let mut compared = 0;
    for (number, property) in protocol.properties.iter().enumerate() {
        let mut decided: Option<Verdict> = None;
        for (length, standing) in standings.iter().enumerate() {
            if let Some(reason) = judge.unjudged(number) {
                // Nothing here is too large to be judged.
                return Err(format!("{}: {reason}\n{}", property.name, case.text()));
            }
            let found = judge.verdict(*standing, number);
            let shown = || {
                let shown: Vec<String> =
                    word[..length].iter().map(|label| model.show_label(*label)).collect();
                format!("after {shown:?}, silent {:?}\n{}", case.terms(model).silent, case.text())
            };
            if let Some(expected) = by_definition(&mut explored, property, &word[..length], &silent) {
                compared += 1;
                if found != expected {
                    return Err(format!("{}: {found:?} instead of {expected:?} {}", property.name, shown()));
                }
            }
            let is_final = property.text.starts_with('A') && !property.text.starts_with("AY");
            if let Some(before) = decided.filter(|_| is_final)
                && found != before
                && found != Verdict::Left
            {
                return Err(format!("{}: {before:?} became {found:?} {}", property.name, shown()));
            }
            decided = decided.or(found.is_decided().then_some(found));
        }
    }
    Ok(if compared > 0 { Tried::Holds } else { Tried::Skipped })
}

#[test]
fn verdicts_are_those_of_the_runs_that_agree() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::DOES;
    Trials::from_environment(2000).run(&cases(features, 4), agrees);
}

#[test]
fn verdicts_where_formulas_look_back() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::LINEAR_PAST;
    Trials::from_environment(1000).run(&cases(features, 4), agrees);
}

#[test]
fn verdicts_where_formulas_say_anything() {
    let features = Features::ALL.without(Features::STRATEGIC);
    Trials::from_environment(800).run(&cases(features, 3), agrees);
}

/// The states where a word can lead, found one line after the other.
fn plainly(walks: &Walks<'_>, model: &Model, word: &[LabelId], silent: &[LabelId]) -> BTreeSet<usize> {
    let close = |mut set: BTreeSet<usize>| loop {
        let steps = set.iter().flat_map(|state| walks.steps(*state));
        let quiet = steps.filter(|(command, _)| silent.contains(&model.command(*command).label));
        let more: BTreeSet<usize> = quiet.map(|(_, target)| *target).collect();
        if more.is_subset(&set) {
            return set;
        }
        set.extend(more);
    };
    let mut set = close(walks.initial().iter().copied().collect());
    for label in word {
        let same = model.labels_shown(&model.show_label(*label));
        let steps = set.iter().flat_map(|state| walks.steps(*state));
        let said = steps.filter(|(command, _)| same.contains(&model.command(*command).label));
        set = close(said.map(|(_, target)| *target).collect());
    }
    set
}

#[test]
fn states_are_those_that_the_word_leads_to() {
    Trials::from_environment(3000).run(&cases(Features::FUTURE, 12), |case| {
        let protocol = case.load();
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 200) else { return Ok(Tried::Skipped) };
        let Ok(mut judge) = Judge::new(model, &[], &case.terms(model), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let (word, silent) = (case.word(&walks, model), case.silent_labels(model));
        let letters = letters(&mut judge, &word);
        let standings = standings(&mut judge, &letters);
        for length in 0..=word.len() {
            let plain = plainly(&walks, model, &word[..length], &silent);
            let expected: BTreeSet<String> =
                plain.iter().map(|state| format!("{:?}", walks.state(*state))).collect();
            let found: BTreeSet<String> = match standings.get(length) {
                Some(at) => judge
                    .states(*at)
                    .iter()
                    .map(|state| format!("{:?}", judge.space().view(*state)))
                    .collect(),
                None => BTreeSet::new(),
            };
            if found != expected {
                return Err(format!(
                    "after {length} lines: {found:?} instead of {expected:?}\n{}",
                    case.text()
                ));
            }
            if let Some(at) = standings.get(length) {
                let shown = judge.possible(*at, "");
                let shown: BTreeSet<String> = shown.into_iter().flat_map(|group| group.labels).collect();
                let steps = plain.iter().flat_map(|state| walks.steps(*state));
                let said = steps.map(|(command, _)| model.command(*command).label);
                let said = said.filter(|label| !silent.contains(label));
                let said: BTreeSet<String> = said.map(|label| model.show_label(label)).collect();
                if shown != said {
                    return Err(format!("possible: {shown:?} instead of {said:?}\n{}", case.text()));
                }
            }
        }
        Ok(Tried::Holds)
    });
}
