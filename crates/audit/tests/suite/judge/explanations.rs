//! Explanations against the definition of their cost, by going round until nothing becomes cheaper.

use servanda_audit::judge::{Judge, Move};
use servanda_engine::NoLimits;
use servanda_logic::Features;
use servanda_model::{LabelId, Model};
use servanda_testkit::{Trials, Tried, Walks};

use super::words::{cases, letters};

/// The least number of lines to be dropped, inserted or replaced.
fn least(walks: &Walks<'_>, model: &Model, word: &[LabelId], silent: &[LabelId]) -> usize {
    let far = usize::MAX / 2;
    let mut cost = vec![vec![far; walks.len()]; word.len() + 1];
    walks.initial().iter().for_each(|state| cost[0][*state] = 0);
    loop {
        let before = cost.clone();
        for lines in 0..=word.len() {
            for state in 0..walks.len() {
                let here = cost[lines][state];
                let mut offer = |lines: usize, state: usize, price: usize| {
                    cost[lines][state] = cost[lines][state].min(here + price);
                };
                if lines < word.len() {
                    offer(lines + 1, state, 1);
                }
                for (command, target) in walks.steps(state) {
                    let label = model.command(*command).label;
                    if silent.contains(&label) {
                        offer(lines, *target, 0);
                        continue;
                    }
                    offer(lines, *target, 1);
                    if lines < word.len() {
                        let same = model.labels_shown(&model.show_label(word[lines])).contains(&label);
                        offer(lines + 1, *target, usize::from(!same));
                    }
                }
            }
        }
        if cost == before {
            return cost[word.len()].iter().copied().min().unwrap_or(far);
        }
    }
}

#[test]
fn explanations_are_the_cheapest() {
    Trials::from_environment(2000).run(&cases(Features::FUTURE, 8), |case| {
        let protocol = case.load();
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 60) else { return Ok(Tried::Skipped) };
        let Ok(mut judge) = Judge::new(model, &[], &case.terms(model), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let (word, silent) = (case.word(&walks, model), case.silent_labels(model));
        let trail = letters(&mut judge, &word);
        let from = judge.begin().standing;
        let found = judge.explain(from, &trail, &NoLimits).expect("no limits").expect("few standings");
        let expected = least(&walks, model, &word, &silent);
        let lines = found.moves.iter().filter(|found| {
            matches!(found, Move::Kept { .. } | Move::Dropped { .. } | Move::Replaced { .. })
        });
        if found.cost != expected || lines.count() != word.len() {
            return Err(format!("{found:?} instead of {expected} for {word:?}\n{}", case.text()));
        }
        match judge.states(found.standing) {
            [] => Err(format!("{found:?} leads nowhere\n{}", case.text())),
            _ => Ok(Tried::Holds),
        }
    });
}
