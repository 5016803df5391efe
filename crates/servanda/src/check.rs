//! Deciding properties.

use num_bigint::BigUint;
use servanda_engine::{Halt, Options, Verdict};
use servanda_report::{CheckReport, Finding, Location, Phase, PropertyReport, Space, Statistics, Trace};
use servanda_syntax::{Code, Diagnostic};

use crate::engine::{self, Answer, Engine, Extent, Lane, Lead, Race, Ready, Second};
use crate::halt::{self, Asked};
use crate::watch::not_yet_stopped;
use crate::{Loaded, Means, Question, Watch, trace, warnings};

/// What a reachable deadlock means for the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReachedDeadlock {
    /// It is worth a note.
    #[default]
    Noted,
    /// It is a failure.
    Failure,
}

/// Are verdicts shown with evidence?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Traces {
    /// No.
    #[default]
    Hidden,
    /// Yes, where there is something to show.
    Shown,
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
    /// Whether verdicts are shown with evidence.
    pub traces: Traces,
}

/// Decides every question and looks for what is suspicious about the model. A run that is stopped still reports the
/// verdicts it has; the others are unknown, with the reason.
pub fn check(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let CheckOptions { readings, reached_deadlock, means, .. } = options;
    let counted = means.statistics == Statistics::Shown || reached_deadlock == ReachedDeadlock::Failure;
    let extent = if counted { Extent::Whole } else { Extent::Needed };
    let races = means.engine == Engine::Auto && extent == Extent::Needed && !questions.is_empty();
    let lead = if races { Lead::on(loaded.model()) } else { Lead::First };
    let race = Race::new(questions.len(), lead, watch);
    if !races {
        return run(loaded, questions, options, extent, &race, watch, || ());
    }
    let first = std::thread::current();
    std::thread::scope(|scope| {
        let second =
            scope.spawn(|| engine::second_in_race(loaded.model(), readings, questions, &race, &first));
        race.start_first();
        let thread = second.thread().clone();
        let report = run(loaded, questions, options, extent, &race, watch, || {
            race.first_is_done();
            second.thread().unpark();
            // What it could not say it has not entered.
            let _ = second.join();
        });
        race.end();
        // It may still be waiting for its turn.
        thread.unpark();
        report
    })
}

/// The first engine's part; `wait` lets the second one finish what is left.
fn run(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    extent: Extent,
    race: &Race<'_>,
    watch: Watch<'_>,
    wait: impl FnOnce(),
) -> CheckReport {
    let CheckOptions { readings, reached_deadlock, means, traces } = options;
    let mut report = CheckReport::new(loaded.source.name(), means.usual_engine(Some(loaded.language())));
    report.run.findings.clone_from(&loaded.findings);
    let mut model = loaded.model_report();
    let lane = Lane::new(race);
    let limited = Watch { monitor: &lane, ..watch };
    // The engine that decided, for what it can do beyond.
    let mut used: Option<Ready<'_>> = None;
    match engine::prepare(loaded, readings, means, extent, limited, &mut report.run) {
        Err(halt) => {
            if let Halt::TooLarge(_) = halt {
                wait();
            }
            let engine = report.run.engine;
            let reason = match halt {
                Halt::Stopped { .. } | Halt::TooLarge(_) if race.all_answered() => {
                    model.space = Space::NotNeeded;
                    report.run.findings.push(warnings::none_looked_for(engine));
                    String::new()
                }
                halt => {
                    let (space, reason) = halt::partial_space(halt, &loaded.source, &mut report.run);
                    model.space = space;
                    reason
                }
            };
            let unknown = || Answer { engine, verdict: Verdict::Unknown(reason.clone()), seconds: 0.0 };
            report.properties = questions.iter().map(|question| answer(question, unknown())).collect();
            take_answers(race, &mut report);
        }
        Ok(mut ready) => {
            let mut counts = ready.count(means.statistics, limited, &mut report.run);
            let mut second = Second::after(&ready, loaded, readings, means, limited);
            let decided_by =
                decide_all(&mut ready, &mut second, questions, (race, &lane), watch, &mut report);
            if !race.all_answered() {
                wait();
            }
            take_answers(race, &mut report);
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
                } else if reached_deadlock == ReachedDeadlock::Failure {
                    look_for_deadlock(&mut ready, watch, &mut report);
                }
                warnings::add(&mut ready, loaded, questions, watch, &mut report);
            });
            report.run.phases.push(Phase { name: "looking for warnings", seconds });
            report.run.diagrams = ready.diagrams();
            report.run.solving = ready.solving(decided_by);
            model.space = counts.map_or(Space::NotNeeded, Space::Whole);
            used = Some(ready);
        }
    }
    if traces == Traces::Shown {
        let checker = trace::checker(loaded, readings, means, used);
        trace::add(loaded, questions, checker, watch, &mut report);
    }
    for (index, one, other) in race.disagreements() {
        report.run.reject([disagreement(&questions[index], &one, &other)]);
    }
    report.model = Some(model);
    report
}

fn decide_all(
    ready: &mut Ready<'_>,
    second: &mut Second<'_, '_>,
    questions: &[Question],
    (race, lane): (&Race<'_>, &Lane<'_, '_>),
    watch: Watch<'_>,
    report: &mut CheckReport,
) -> Vec<(String, String)> {
    let mut decided_by = Vec::new();
    // A second engine that is made ready meanwhile enters its own phase.
    let (mut deciding, before) = (0.0, report.run.phases.len());
    for (index, question) in questions.iter().enumerate() {
        let formula = &question.property.formula;
        lane.at(index);
        let ((engine, decided), seconds) = watch.timed(|| {
            match not_yet_stopped(Watch { monitor: lane, ..watch }).and_then(|()| ready.decide(formula, lane))
            {
                Ok(Verdict::Unknown(reason)) => second.ask(formula, ready, reason, &mut report.run),
                decided => (ready.name(), decided),
            }
        });
        deciding += seconds;
        decided_by.extend(ready.techniques().map(|words| (question.property.name.clone(), words)));
        let verdict = decided.unwrap_or_else(|halt| {
            let asked = Asked { source: &question.source, span: question.property.span };
            Verdict::Unknown(halt::reason(halt, &asked, &mut report.run))
        });
        let given = Answer { engine, verdict, seconds };
        race.enter(index, given.clone());
        report.properties.push(answer(question, given));
    }
    let others: f64 = report.run.phases[before..].iter().map(|phase| phase.seconds).sum();
    report.run.phases.push(Phase { name: "deciding", seconds: (deciding - others).max(0.0) });
    decided_by
}

/// Takes over what the other engine has found out where this one does not know.
fn take_answers(race: &Race<'_>, report: &mut CheckReport) {
    for (index, property) in report.properties.iter_mut().enumerate() {
        if let (None, Some(Answer { engine, verdict, seconds })) =
            (property.verdict.decided(), race.answer(index))
        {
            *property = PropertyReport { engine, verdict, seconds, ..property.clone() };
        }
    }
}

/// Engines that disagree are a mistake of this program, and nothing that either says can be trusted.
fn disagreement(question: &Question, one: &Answer, other: &Answer) -> Finding {
    let says = |answer: &Answer| format!("{} says {}", answer.engine, answer.verdict.word());
    let name = &question.property.name;
    let message = format!("internal error: `{name}`: {}, {}", says(one), says(other));
    let error = Diagnostic::error(Code::EnginesDisagree, message, question.property.span);
    let help = "this is a mistake of servanda and not of the file; please report it, with the file";
    Finding::placed(error.help(help), &question.source)
}

/// Where states are not counted a deadlock that must not be is looked for by itself.
fn look_for_deadlock(ready: &mut Ready<'_>, watch: Watch<'_>, report: &mut CheckReport) {
    match not_yet_stopped(watch).and_then(|()| ready.uncounted_deadlock(watch.monitor)) {
        Ok(None) => {}
        Ok(Some(state)) => {
            report.forbidden_deadlock = true;
            let found = warnings::deadlocks(&1_u32.into(), Some(state), ReachedDeadlock::Failure);
            report.run.findings.extend(found);
        }
        Err(halt) => report.run.findings.push(engine::not_known("whether a deadlock is reachable", &halt)),
    }
}

fn answer(question: &Question, given: Answer) -> PropertyReport {
    let Answer { engine, verdict, seconds } = given;
    let property = &question.property;
    PropertyReport {
        name: property.name.clone(),
        formula: property.text.clone(),
        verdict,
        expected: property.expected,
        engine,
        seconds,
        trace: Trace::NotAsked,
        location: Location::of(&question.source, property.span),
    }
}
