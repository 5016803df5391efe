//! Deciding properties.

use servanda_engine::{Options, Progress, Verdict};
use servanda_enumerate::{Explored, Halt};
use servanda_report::{CheckReport, PropertyReport, Space};

use crate::halt::{self, Asked};
use crate::size::counts;
use crate::{ENGINE, Loaded, Question, Watch, warnings};

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
    /// The readings of SEMANTICS.md.
    pub readings: Options,
    /// Whether a reachable deadlock is a failure.
    pub reached_deadlock: ReachedDeadlock,
}

/// Decides every question and looks for what is suspicious about the model. A run that is stopped still reports the
/// verdicts it has; the others are unknown, with the reason.
pub fn check(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let mut report = CheckReport::new(loaded.source.name(), ENGINE);
    report.run.findings.clone_from(&loaded.findings);
    let mut model = loaded.model_report();
    let mut phases = Vec::new();

    let explored = watch.phase(&mut phases, "exploring", || {
        not_yet_stopped(watch)?;
        Explored::new(loaded.model(), options.readings, watch.monitor)
    });
    match explored {
        Err(halt) => {
            let (space, reason) = halt::partial_space(halt, &loaded.source, &mut report.run);
            model.space = space;
            report.properties = questions
                .iter()
                .map(|question| answer(question, Verdict::Unknown(reason.clone()), 0.0))
                .collect();
        }
        Ok(mut explored) => {
            let counted = counts(&explored.counts());
            model.space = Space::Whole(counted);
            watch.phase(&mut phases, "deciding", || decide_all(&mut explored, questions, watch, &mut report));
            watch.phase(&mut phases, "looking for warnings", || {
                report.run.findings.extend(warnings::deadlocks(&explored, options.reached_deadlock));
                warnings::add(&mut explored, loaded, questions, watch, &mut report);
            });
            report.forbidden_deadlock =
                counted.deadlocks > 0 && options.reached_deadlock == ReachedDeadlock::Failure;
        }
    }
    report.run.phases = phases;
    report.model = Some(model);
    report
}

fn decide_all(
    explored: &mut Explored<'_>,
    questions: &[Question],
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    for question in questions {
        let (decided, seconds) = watch.timed(|| {
            not_yet_stopped(watch)?;
            explored.decide(&question.property.formula, watch.monitor)
        });
        let verdict = decided.unwrap_or_else(|halt| {
            let asked = Asked { source: &question.source, span: question.property.span };
            Verdict::Unknown(halt::reason(halt, &asked, &mut report.run))
        });
        report.properties.push(answer(question, verdict, seconds));
    }
}

fn answer(question: &Question, verdict: Verdict, seconds: f64) -> PropertyReport {
    let property = &question.property;
    PropertyReport {
        name: property.name.clone(),
        formula: property.text.clone(),
        verdict,
        expected: property.expected,
        engine: ENGINE,
        seconds,
    }
}

/// Engines ask now and then whether to stop; a small model may be done before they do. Asking first makes a run that
/// has no time left stop whatever the size of the model.
pub(crate) fn not_yet_stopped(watch: Watch<'_>) -> Result<(), Halt> {
    let nothing = Progress::Exploring { states: 0, transitions: 0 };
    watch.monitor.progress(nothing).map_err(|stop| Halt::Stopped { stop, states: 0, transitions: 0 })
}
