//! Where a slice ends: verdicts on the runs that stand still, against single paths read straight from the semantics.

use servanda_audit::judge::{Judge, Verdict};
use servanda_engine::NoLimits;
use servanda_logic::{Features, Formula, Kind, Unary};
use servanda_model::{LabelId, Model};
use servanda_testkit::lasso::{Lasso, Position};
use servanda_testkit::{Trials, Tried, Walks};

use super::words::{cases, letters, standings};

/// The paths that a word leads along, without silent steps.
fn paths(walks: &Walks<'_>, model: &Model, word: &[LabelId]) -> Vec<Vec<(usize, LabelId)>> {
    let mut paths: Vec<(Vec<(usize, LabelId)>, usize)> =
        walks.initial().iter().map(|state| (Vec::new(), *state)).collect();
    for label in word {
        let same = model.labels_shown(&model.show_label(*label));
        let mut longer = Vec::new();
        for (path, here) in paths {
            for (command, target) in walks.steps(here) {
                let label = model.command(*command).label;
                if same.contains(&label) {
                    let mut path = path.clone();
                    path.push((here, label));
                    longer.push((path, *target));
                }
            }
        }
        paths = longer;
    }
    let end = |(mut path, last): (Vec<(usize, LabelId)>, usize)| {
        path.push((last, LabelId(u32::MAX)));
        path
    };
    paths.into_iter().map(end).collect()
}

/// What stands behind `A`.
fn path_formula(formula: &Formula) -> Option<&Formula> {
    match formula.kind() {
        Kind::Unary(Unary::ForAll, inner) => Some(inner),
        _ => None,
    }
}

#[test]
fn a_slice_that_ends_stands_still() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::DOES | Features::LINEAR_PAST;
    Trials::from_environment(2500).run(&cases(features, 4), |case| {
        let mut case = case.clone();
        case.silent = 0;
        case.outline.step_fairness = Vec::new();
        case.outline = case.outline.without_fairness();
        let protocol = case.load();
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 60) else { return Ok(Tried::Skipped) };
        let Ok(mut judge) = Judge::new(model, &protocol.properties, &case.terms(model), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let word = case.word(&walks, model);
        let letters = letters(&mut judge, &word);
        let standings = standings(&mut judge, &letters);
        let mut compared = 0;
        for (length, at) in standings.iter().enumerate() {
            let end = judge.end(*at);
            for (number, property) in protocol.properties.iter().enumerate() {
                let Some(formula) = path_formula(&property.formula) else { continue };
                let (mut some_true, mut some_false) = (false, false);
                for path in paths(&walks, model, &word[..length]) {
                    let position = |(state, label): &(usize, LabelId)| Position {
                        state: walks.state(*state),
                        label: model.labels.get(label.index()),
                    };
                    let positions: Vec<Position<'_>> = path.iter().map(position).collect();
                    let lasso = Lasso { back: positions.len() - 1, positions };
                    match lasso.satisfies(model, formula) {
                        Some(true) => some_true = true,
                        Some(false) => some_false = true,
                        None => return Ok(Tried::Skipped),
                    }
                }
                let expected = match (some_true, some_false) {
                    (true, true) => Verdict::Open,
                    (true, false) => Verdict::True,
                    (false, true) => Verdict::False,
                    (false, false) => Verdict::Left,
                };
                compared += 1;
                if end.verdicts[number] != expected {
                    let word: Vec<String> =
                        word[..length].iter().map(|label| model.show_label(*label)).collect();
                    return Err(format!(
                        "{}: {:?} instead of {expected:?} at the end of {word:?}\n{}",
                        property.name,
                        end.verdicts[number],
                        case.text()
                    ));
                }
            }
        }
        Ok(if compared > 0 { Tried::Holds } else { Tried::Skipped })
    });
}
