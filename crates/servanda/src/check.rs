//! Deciding properties.

use num_bigint::BigUint;
use servanda_engine::{Options, Verdict};
use servanda_report::{CheckReport, Location, Phase, PropertyReport, Space, Statistics};

use crate::engine::{self, Extent, Ready, Second};
use crate::halt::{self, Asked};
use crate::watch::not_yet_stopped;
use crate::{Loaded, Means, Question, Watch, warnings};

/// What a reachable deadlock means for the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReachedDeadlock {
    /// It is worth a note.
    #[default]
    Noted,
    /// It is a failure.
    Failure,
}

/// What to take for granted when deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// The readings of docs/formulas.md.
    pub readings: Options,
    /// Whether a reachable deadlock is a failure.
    pub reached_deadlock: ReachedDeadlock,
    /// With what to work.
    pub means: Means,
}

/// Decides every question and looks for what is suspicious about the model. A run that is stopped still reports the
/// verdicts it has; the others are unknown, with the reason.
pub fn check(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let CheckOptions { readings, reached_deadlock, means } = options;
    let mut report = CheckReport::new(loaded.source.name(), means.usual_engine(Some(loaded.language())));
    report.run.findings.clone_from(&loaded.findings);
    let mut model = loaded.model_report();
    let counted = means.statistics == Statistics::Shown || reached_deadlock == ReachedDeadlock::Failure;
    let extent = if counted { Extent::Whole } else { Extent::Needed };
    match engine::prepare(loaded, readings, means, extent, watch, &mut report.run) {
        Err(halt) => {
            let (space, reason) = halt::partial_space(halt, &loaded.source, &mut report.run);
            model.space = space;
            let engine = report.run.engine;
            let unknown = || Verdict::Unknown(reason.clone());
            report.properties =
                questions.iter().map(|question| answer(question, engine, unknown(), 0.0)).collect();
        }
        Ok(mut ready) => {
            let mut counts = ready.count(means.statistics, watch, &mut report.run);
            let mut second = Second::after(&ready, loaded, readings, means, watch);
            decide_all(&mut ready, &mut second, questions, watch, &mut report);
            // To decide a property it may have taken all states; then they are counted.
            if counts.is_none() {
                counts = ready.count(means.statistics, watch, &mut report.run);
            }
            let ((), seconds) = watch.timed(|| {
                if let Some(counts) = &counts {
                    report.forbidden_deadlock =
                        counts.deadlocks != BigUint::ZERO && reached_deadlock == ReachedDeadlock::Failure;
                    let found =
                        warnings::deadlocks(&counts.deadlocks, ready.deadlock_example(), reached_deadlock);
                    report.run.findings.extend(found);
                }
                warnings::add(&mut ready, loaded, questions, watch, &mut report);
            });
            report.run.phases.push(Phase { name: "looking for warnings", seconds });
            report.run.diagrams = ready.diagrams();
            model.space = counts.map_or(Space::NotNeeded, Space::Whole);
        }
    }
    report.model = Some(model);
    report
}

fn decide_all(
    ready: &mut Ready<'_>,
    second: &mut Second<'_, '_>,
    questions: &[Question],
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    // A second engine that is made ready meanwhile enters its own phase.
    let (mut deciding, before) = (0.0, report.run.phases.len());
    for question in questions {
        let formula = &question.property.formula;
        let ((engine, decided), seconds) = watch.timed(|| {
            match not_yet_stopped(watch).and_then(|()| ready.decide(formula, watch.monitor)) {
                Ok(Verdict::Unknown(reason)) => second.ask(formula, ready, reason, &mut report.run),
                decided => (ready.name(), decided),
            }
        });
        let verdict = decided.unwrap_or_else(|halt| {
            let asked = Asked { source: &question.source, span: question.property.span };
            Verdict::Unknown(halt::reason(halt, &asked, &mut report.run))
        });
        deciding += seconds;
        report.properties.push(answer(question, engine, verdict, seconds));
    }
    let others: f64 = report.run.phases[before..].iter().map(|phase| phase.seconds).sum();
    report.run.phases.push(Phase { name: "deciding", seconds: (deciding - others).max(0.0) });
}

fn answer(question: &Question, engine: &'static str, verdict: Verdict, seconds: f64) -> PropertyReport {
    let property = &question.property;
    PropertyReport {
        name: property.name.clone(),
        formula: property.text.clone(),
        verdict,
        expected: property.expected,
        engine,
        seconds,
        location: Location::of(&question.source, property.span),
    }
}
