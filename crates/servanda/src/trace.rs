//! Evidence with the verdicts.

use servanda_engine::{Options, Verdict};
use servanda_lower::Lowering;
use servanda_report::{CheckReport, Finding, Phase, PropertyReport, Trace};
use servanda_syntax::Code;
use servanda_witness::{Checker, Decided, Failure, Shown};

use crate::engine::{BDD, Ready};
use crate::origins::Origins;
use crate::slices::Searchers;
use crate::watch::not_yet_stopped;
use crate::{EngineOptions, Loaded, Question, Watch};

/// Who looks for evidence and checks it. What the engines know need not be found out again: the diagrams are taken over where these
/// decided (otherwise they may or may not be there, and what is shown must not depend on that), and the states.
pub(crate) fn checker<'m>(
    lowering: &Lowering<'m>,
    readings: Options,
    chosen: EngineOptions,
    engines: Vec<Ready<'m>>,
    decided: &str,
) -> Checker<'m> {
    let checker = Checker::new(lowering.model, readings).with_formulas(lowering);
    let mut checker = checker.with_room_for(chosen.nodes);
    for engine in engines {
        if engine.name() == BDD && decided == BDD {
            checker = match engine.into_diagrams() {
                Some(symbolic) => checker.with_diagrams(*symbolic),
                None => checker,
            };
        } else if let Some(space) = engine.into_space() {
            checker = checker.with_space(space);
        }
    }
    checker
}

/// By question the states on a run that decides it, where an engine can name them.
pub(crate) type Routes = Vec<Option<Vec<Vec<u64>>>>;

/// Asks the engines for the runs that they have found.
pub(crate) fn routes(
    engines: &mut [Ready<'_>],
    questions: &[Question],
    report: &CheckReport,
    watch: Watch<'_>,
) -> Routes {
    let of_question = |(question, property): (&Question, &PropertyReport)| {
        property.verdict.decided()?;
        let formula = &question.property.formula;
        engines.iter_mut().find_map(|engine| engine.route(formula, watch.budget))
    };
    questions.iter().zip(&report.properties).map(of_question).collect()
}

/// Looks for evidence for every verdict that can be shown. Evidence is replayed and decided again before it enters the report; where
/// that fails the program contradicts itself, and the report says so instead.
pub(crate) fn add(
    loaded: &Loaded,
    questions: &[Question],
    (mut checker, mut slices, routes): (Checker<'_>, Searchers<'_>, &Routes),
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    let mut origins = Origins::new(loaded);
    let ((), seconds) = watch.timed(|| {
        for (number, (question, property)) in questions.iter().zip(&mut report.properties).enumerate() {
            let Some(verdict) = property.verdict.decided() else { continue };
            let formula = &question.property.formula;
            let decided = Decided { formula, text: &property.formula, verdict };
            let shown =
                not_yet_stopped(watch).map_err(Failure::from).and_then(|()| match routes.get(number) {
                    Some(Some(route)) => checker.show_along(route, decided, watch.budget),
                    _ => slices.show(number, decided, &mut checker, watch),
                });
            property.trace = match shown {
                Ok(Shown::Evidence(evidence)) => {
                    let origins = origins.of_path(&evidence.line().path);
                    Trace::Evidence { evidence, origins }
                }
                Ok(Shown::Nothing(reason)) => Trace::Nothing(reason),
                Err(Failure::Halt(halt)) => {
                    Trace::GivenUp(format!("the search for what shows it did not end: {halt}"))
                }
                Err(Failure::Internal(wrong)) => {
                    property.verdict = Verdict::Unknown("the program contradicts itself".to_owned());
                    report.run.reject([internal_error(&wrong)]);
                    return;
                }
            };
        }
    });
    report.run.phases.push(Phase { name: "looking for evidence", seconds });
}

/// What is said where evidence does not stand up to being replayed.
fn internal_error(wrong: &str) -> Finding {
    let help =
        "this is a mistake of servanda, and no verdict of this run should be relied on; please report it";
    Finding::error(Code::InternalError, format!("internal error: {wrong}")).help(help)
}
