//! The runs that engines show: a counterexample of `A ψ`, written as a word, never looks as if `ψ` held, and a run of which `ψ` holds never
//! as if it failed.

use std::cell::Cell;

use servanda_audit::judge::{Judge, Step, Verdict};
use servanda_engine::{Limited, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_evidence::{Because, Path};
use servanda_logic::{Features, Formula, Kind, Unary};
use servanda_model::{Model, StepKind};
use servanda_testkit::{Trials, Tried, Walks};
use servanda_witness::{Checker, Decided, Shown};

use super::words::cases;

/// The path that shows a verdict, where one path does.
fn path(model: &Model, formula: &Formula, verdict: bool) -> Option<Path> {
    let mut checker = Checker::new(model, Options::default());
    let text = formula.to_string();
    let decided = Decided { formula, text: &text, verdict };
    let budget = Limited::new(&NoLimits).nodes(1 << 16);
    let Ok(Shown::Evidence(evidence)) = checker.show(decided, &budget) else { return None };
    // What leads to the point where the path begins comes first, and here it is where runs begin.
    match evidence.claim.because {
        Because::Path(shown) if evidence.start.steps.is_empty() => Some(shown.path),
        _ => None,
    }
}

/// The verdicts along a path, whose loop is gone round twice, and the one at its end where it stands still.
fn along(judge: &mut Judge<'_>, path: &Path) -> Result<Vec<Verdict>, String> {
    let model = judge.model();
    let round = path.loop_to.map_or(path.steps.len(), |back| back);
    let steps = path.steps.iter().chain(path.steps.iter().skip(round));
    let mut at = judge.begin().standing;
    let mut found = vec![judge.verdict(at, 0)];
    let mut rests = false;
    for step in steps {
        match &step.kind {
            StepKind::Labelled(label) => {
                let letter = judge.letter(&model.show_label(*label));
                match judge.step(at, letter, &NoLimits).map_err(|halt| halt.to_string())? {
                    Step::Went { to, .. } => at = to,
                    other => return Err(format!("{other:?} at {}", step.label)),
                }
                found.push(judge.verdict(at, 0));
            }
            StepKind::Stutter => rests = true,
            StepKind::Joint(_) => return Err("a round".to_owned()),
        }
    }
    if rests {
        found.push(judge.end(at).verdicts[0]);
    }
    Ok(found)
}

#[test]
fn runs_that_engines_show() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::DOES;
    let (shown, decided) = (Cell::new(0), Cell::new(0));
    Trials::from_environment(1500).run(&cases(features, 0), |case| {
        let protocol = case.load();
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 60) else { return Ok(Tried::Skipped) };
        if walks.initial().len() != 1 {
            return Ok(Tried::Holds);
        }
        for property in &protocol.properties {
            let Kind::Unary(Unary::ForAll, inner) = property.formula.kind() else { continue };
            let some = Formula::new(Kind::Unary(Unary::Exists, inner.clone()), property.formula.span());
            let (Ok(mut judge), Ok(mut explored)) = (
                Judge::new(model, std::slice::from_ref(property), &Default::default(), &NoLimits),
                Explored::new(model, Options::default(), &NoLimits),
            ) else {
                return Ok(Tried::Skipped);
            };
            for (formula, verdict) in [(&property.formula, false), (&some, true)] {
                let Ok(found) = explored.decide(formula, &NoLimits) else { continue };
                if found.decided() != Some(verdict) {
                    continue;
                }
                let Some(path) = path(model, formula, verdict) else { continue };
                let verdicts =
                    along(&mut judge, &path).map_err(|wrong| format!("{wrong}\n{}", case.text()))?;
                shown.set(shown.get() + 1);
                let wrong = if verdict { Verdict::False } else { Verdict::True };
                decided.set(decided.get() + u32::from(verdicts.iter().any(|verdict| verdict.is_decided())));
                if verdicts.contains(&wrong) || verdicts.contains(&Verdict::Left) {
                    return Err(format!("{formula} is {verdict}, its run {verdicts:?}\n{}", case.text()));
                }
            }
        }
        Ok(Tried::Holds)
    });
    assert!(shown.get() > 500 && decided.get() > 200, "{} shown, {} decided", shown.get(), decided.get());
}
