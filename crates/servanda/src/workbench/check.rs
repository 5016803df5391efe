//! Deciding properties, with what is known told as soon as it is known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use servanda_engine::{Budget, Options, Progress as Work, Stop, Verdict as Decision};
use servanda_lower::Lowering;
use servanda_messages::{Event, ModelSize, Progress, Subject, Verdict, Word};
use servanda_report::{CheckReport, Finding, PropertyReport};
use servanda_syntax::{Code, nearest};

use super::desk::Desk;
use super::{explain, places, subject};
use crate::watch::not_yet_stopped;
use crate::{EngineChoice, Loaded, Question, Rate, Watch, engine_names};

/// How often it is told how far the work has come.
pub(super) const INTERVAL: Duration = Duration::from_millis(200);

/// Decides properties and formulas, all properties where none is named.
pub(super) fn run(
    subject: &Subject,
    (names, formulas): (&[String], &[String]),
    (engine, explained): (Option<&str>, usize),
    desk: Desk<'_>,
) {
    let Some(loaded) = subject::load(subject, desk) else { return };
    let questions = match loaded.questions(names, formulas) {
        Ok(questions) => questions,
        Err(findings) => return desk.refuse_for("what is asked has no meaning in this model", &findings),
    };
    let mut options = desk.options(&loaded);
    options.engine.engine = match engine_choice(engine) {
        Ok(choice) => choice,
        Err(finding) => return desk.refuse_for("there is no such engine", &[*finding]),
    };
    subject::tell_asked(&questions, desk);
    let observer = Observer::new(&loaded, &questions, options.readings, desk);
    let report = observer.while_telling(|watch| crate::check(&loaded, &questions, options, watch));
    observer.tell_rest(&report);
    let unwanted = report.properties.iter().zip(&questions).filter(|(property, _)| {
        property.verdict.decided().is_some_and(|decided| decided != property.expected.unwrap_or(true))
    });
    for (_, question) in unwanted.take(explained) {
        if not_yet_stopped(desk.watch).is_err() {
            return;
        }
        explain::tell(&loaded, question, options, (true, &report.run.findings), desk);
    }
}

/// The engine that is asked for.
fn engine_choice(name: Option<&str>) -> Result<EngineChoice, Box<Finding>> {
    let Some(name) = name.filter(|name| *name != "auto") else { return Ok(EngineChoice::Auto) };
    engine_names().find(|known| *known == name).map(EngineChoice::Only).ok_or_else(|| {
        let error = Finding::error(Code::UnknownName, format!("no engine is called `{name}`"));
        let names: Vec<&str> = engine_names().collect();
        Box::new(match nearest(name, names.iter().copied()) {
            Some(best) => error.help(format!("did you mean `{best}`?")),
            None => error.help(format!("the engines are {}", names.join(", "))),
        })
    })
}

/// Tells verdicts when they are known, and now and then how far the work has come.
pub(super) struct Observer<'o> {
    questions: &'o [Question],
    desk: Desk<'o>,
    readings: Options,
    /// Says whether a verdict can be shown; `None` where the model has no meaning.
    lowering: Mutex<Option<Lowering<'o>>>,
    /// Is anything told but how far the work has come?
    tells_verdicts: bool,
    /// What was told, by question.
    told: Mutex<Vec<Option<Verdict>>>,
    states: AtomicU64,
    nodes: AtomicU64,
    is_exploring: AtomicBool,
}

impl<'o> Observer<'o> {
    pub(super) fn new(
        loaded: &'o Loaded,
        questions: &'o [Question],
        readings: Options,
        desk: Desk<'o>,
    ) -> Self {
        let lowering = Lowering::new(loaded.model(), readings.acts, readings.deadlock).ok();
        Observer {
            questions,
            desk,
            readings,
            lowering: Mutex::new(lowering),
            tells_verdicts: true,
            told: Mutex::new(vec![None; questions.len()]),
            states: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            is_exploring: AtomicBool::new(true),
        }
    }

    /// One that tells nothing but how far the work has come.
    pub(super) fn of_progress(self) -> Self {
        Observer { tells_verdicts: false, ..self }
    }

    /// Works, and tells meanwhile.
    pub(super) fn while_telling<T>(&self, work: impl FnOnce(Watch<'_>) -> T) -> T {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let teller = scope.spawn(|| {
                let (mut rate, mut last) = (Rate::default(), self.desk.watch.clock.elapsed());
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(INTERVAL);
                    let now = self.desk.watch.clock.elapsed();
                    if !over.load(Ordering::Relaxed) && now.saturating_sub(last) >= INTERVAL {
                        last = now;
                        self.tell_progress(&mut rate, now);
                    }
                }
            });
            // Also where the work panics the other thread must come to its end.
            let _over = Over(&over, teller.thread().clone());
            work(Watch { budget: self, ..self.desk.watch })
        })
    }

    fn tell_progress(&self, rate: &mut Rate, now: Duration) {
        let (states, nodes) = (self.states.load(Ordering::Relaxed), self.nodes.load(Ordering::Relaxed));
        let exploring = self.is_exploring.load(Ordering::Relaxed);
        let decided = self.told().iter().flatten().count();
        self.desk.page.tell(Event::Progress(Progress {
            phase: if exploring { "exploring" } else { "deciding" }.to_owned(),
            states: (states > 0).then_some(states),
            nodes: (nodes > 0).then_some(nodes),
            rate: rate.after(if exploring { states } else { nodes }, now),
            seconds: now.as_secs_f64(),
            decided,
            of: self.questions.len(),
        }));
    }

    fn told(&self) -> MutexGuard<'_, Vec<Option<Verdict>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a verdict, unless just that was told.
    fn tell(&self, question: usize, verdict: Verdict) {
        let mut told = self.told();
        let Some(place) = told.get_mut(question) else { return };
        if place.as_ref() != Some(&verdict) {
            *place = Some(verdict.clone());
            if self.tells_verdicts {
                self.desk.page.tell(Event::Verdict { verdict });
            }
        }
    }

    /// Can a verdict be shown? How far runs get in a scenario that none has is known later.
    fn can_be_shown(&self, question: &Question, verdict: bool) -> bool {
        if let Some(scenario) = &question.property.scenario {
            return verdict || scenario.steps.len() > 1;
        }
        let mut lowering = self.lowering.lock().unwrap_or_else(PoisonError::into_inner);
        lowering.as_mut().is_some_and(|lowering| {
            let decided = (&question.property.formula, verdict);
            servanda_witness::can_be_shown(lowering, decided, self.readings).unwrap_or(false)
        })
    }

    /// A verdict in the words of the page.
    pub(super) fn verdict(&self, question: &Question, property: &PropertyReport) -> Verdict {
        let decided = property.verdict.decided();
        let reached = property.scenario.as_ref().and_then(|scenario| scenario.reached.as_ref());
        Verdict {
            name: property.name.clone(),
            verdict: word(&property.verdict, question.property.scenario.is_some()),
            reason: reason(&property.verdict),
            expected: property.expected,
            as_wanted: decided == Some(property.expected.unwrap_or(true)),
            level: Some(places::level(property.level)),
            engine: property.engine.to_owned(),
            seconds: property.seconds,
            has_evidence: match (decided, reached) {
                (Some(false), Some(reached)) => reached.run.is_some(),
                (Some(decided), _) => self.can_be_shown(question, decided),
                (None, _) => false,
            },
        }
    }

    /// Tells what the end of the work brought: verdicts that are missing or turned out to be others, findings, and how large the model is.
    fn tell_rest(&self, report: &CheckReport) {
        for (index, (question, property)) in self.questions.iter().zip(&report.properties).enumerate() {
            self.tell(index, self.verdict(question, property));
        }
        self.desk.tell_findings(&report.run.findings);
        if let Some(counts) = report.model.as_ref().and_then(|model| model.counts()) {
            self.desk.page.tell(Event::Model(ModelSize {
                states: counts.states.to_string(),
                transitions: counts.transitions.as_ref().map(ToString::to_string),
                deadlocks: Some(counts.deadlocks.to_string()),
                seconds: self.desk.seconds(),
            }));
        }
    }
}

impl Budget for Observer<'_> {
    fn progress(&self, progress: Work) -> Result<(), Stop> {
        match progress {
            Work::Exploring { states, .. } => {
                self.states.fetch_max(states, Ordering::Relaxed);
                self.is_exploring.store(true, Ordering::Relaxed);
            }
            // Who has done nothing yet only asks whether to go on, and no log is read here.
            Work::Deciding { nodes: 0 } | Work::Reading { .. } => {}
            Work::Deciding { nodes } => {
                self.nodes.store(nodes, Ordering::Relaxed);
                self.is_exploring.store(false, Ordering::Relaxed);
            }
        }
        self.desk.watch.budget.progress(progress)
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        self.desk.watch.budget.room(bytes)
    }

    fn reached(&self, states: f64) {
        self.states.fetch_max(states as u64, Ordering::Relaxed);
        self.desk.watch.budget.reached(states);
    }

    fn decided(&self, index: usize, engine: &'static str, verdict: &Decision, seconds: f64) {
        let Some(question) = self.questions.get(index) else { return };
        let Some(decided) = verdict.decided() else { return };
        if self.told()[index].is_some() {
            return;
        }
        let property = &question.property;
        self.tell(
            index,
            Verdict {
                name: property.name.clone(),
                verdict: word(verdict, property.scenario.is_some()),
                reason: None,
                expected: property.expected,
                as_wanted: decided == property.expected.unwrap_or(true),
                level: Some(places::level(property.level)),
                engine: engine.to_owned(),
                seconds,
                has_evidence: self.can_be_shown(question, decided),
            },
        );
    }
}

/// Ends the telling.
struct Over<'f>(&'f AtomicBool, std::thread::Thread);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

fn word(verdict: &Decision, is_scenario: bool) -> Word {
    match (verdict, is_scenario) {
        (Decision::True, false) => Word::True,
        (Decision::False, false) => Word::False,
        (Decision::True, true) => Word::Possible,
        (Decision::False, true) => Word::Impossible,
        (Decision::Unknown(_), _) => Word::Unknown,
    }
}

fn reason(verdict: &Decision) -> Option<String> {
    match verdict {
        Decision::Unknown(reason) => Some(reason.clone()),
        Decision::True | Decision::False => None,
    }
}
