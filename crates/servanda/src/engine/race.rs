//! Two engines at work on the same questions at the same time: the first answer wins and the other stops.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use servanda_engine::{Monitor, Options, Progress, Stop, Verdict};
use servanda_model::Model;
use servanda_sat::{Sat, SatOptions};

use super::{SAT, shape};
use crate::{Question, Watch};

/// How long the first engine works alone. Most models are decided by then, and a second engine would only take time.
const HEAD_START: Duration = Duration::from_secs(1);

/// How often an engine that waits looks whether its time has come, unless it is woken.
const NAP: Duration = Duration::from_millis(5);

/// The second engine may work for one part in so many of the time, as long as the first is at work: where that one is the
/// better, little is lost.
const SHARE: u32 = 10;

/// After so long it works all the time, unless it would take that time from the first: by now it is as likely to be the better.
const SHARE_ENDS: Duration = Duration::from_secs(5);

/// Which engine works alone at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// The first, for as long as most models take.
    First,
    /// The second, for so long: the shape of the model says that the first will need more.
    Second(Duration),
}

impl Lead {
    /// Who leads on a model.
    pub(crate) fn on(model: &Model) -> Lead {
        shape::patience(model).map_or(Lead::First, Lead::Second)
    }
}

/// An answer, and who gave it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) engine: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
}

/// What has been answered so far.
pub(crate) struct Race<'w> {
    watch: Watch<'w>,
    lead: Lead,
    /// When the race began.
    begin: Duration,
    answers: Mutex<Vec<Option<Answer>>>,
    /// The questions on which the engines disagree, with both answers.
    disagreements: Mutex<Vec<(usize, Answer, Answer)>>,
    /// The first engine has nothing more to say.
    first_is_done: AtomicBool,
    /// The second engine has nothing more to say.
    second_is_done: AtomicBool,
    /// Nothing more is wanted.
    over: AtomicBool,
}

impl<'w> Race<'w> {
    pub(crate) fn new(questions: usize, lead: Lead, watch: Watch<'w>) -> Self {
        Race {
            watch,
            lead,
            begin: watch.clock.elapsed(),
            answers: Mutex::new(vec![None; questions]),
            disagreements: Mutex::new(Vec::new()),
            first_is_done: AtomicBool::new(false),
            second_is_done: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    /// The answer to a question, if there is one.
    pub(crate) fn answer(&self, question: usize) -> Option<Answer> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(question).cloned().flatten()
    }

    /// Were there questions, and have all been answered?
    pub(crate) fn all_answered(&self) -> bool {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        !answers.is_empty() && answers.iter().all(Option::is_some)
    }

    /// Enters an answer; one that is there stays. Only what is decided is an answer.
    pub(crate) fn enter(&self, question: usize, answer: Answer) {
        if answer.verdict.decided().is_none() {
            return;
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = answers.get_mut(question) else { return };
        match place {
            None => *place = Some(answer),
            Some(known) if known.verdict != answer.verdict => {
                let both = (question, known.clone(), answer);
                self.disagreements.lock().unwrap_or_else(PoisonError::into_inner).push(both);
            }
            Some(_) => {}
        }
    }

    /// The questions on which the engines disagree.
    pub(crate) fn disagreements(&self) -> Vec<(usize, Answer, Answer)> {
        self.disagreements.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets the second engine answer what is left.
    pub(crate) fn first_is_done(&self) {
        self.first_is_done.store(true, Ordering::Relaxed);
    }

    /// Stops everybody.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The time since the race began.
    fn elapsed(&self) -> Duration {
        self.watch.clock.elapsed().saturating_sub(self.begin)
    }

    /// Waits until it is the second engine's turn; `false` where it never is.
    fn start_second(&self) -> bool {
        while self.lead == Lead::First && !self.first_is_done.load(Ordering::Relaxed) {
            if self.over.load(Ordering::Relaxed) {
                return false;
            }
            if self.elapsed() >= HEAD_START {
                return true;
            }
            std::thread::park_timeout(NAP);
        }
        !self.over.load(Ordering::Relaxed)
    }

    /// Waits until it is the first engine's turn: the second has had its time, is done, or nobody wants to wait any longer.
    pub(crate) fn start_first(&self) {
        let Lead::Second(patience) = self.lead else { return };
        let waiting = Progress::Deciding { nodes: 0 };
        while !self.second_is_done.load(Ordering::Relaxed)
            && self.elapsed() < patience
            && self.watch.monitor.progress(waiting).is_ok()
        {
            std::thread::park_timeout(NAP);
        }
    }
}

/// Lets the second engine rest when it has had its share.
struct Pace {
    /// When it began.
    begin: Duration,
    /// How long it has rested, in microseconds.
    rested: AtomicU64,
    /// There is a processor for each of the two.
    beside: bool,
}

impl Pace {
    fn keep(&self, race: &Race<'_>) {
        loop {
            let now = race.elapsed();
            let rested = Duration::from_micros(self.rested.load(Ordering::Relaxed));
            let busy = now.saturating_sub(self.begin).saturating_sub(rested);
            let free = self.beside && now >= SHARE_ENDS;
            let alone = race.first_is_done.load(Ordering::Relaxed) || race.over.load(Ordering::Relaxed);
            if free || alone || busy * SHARE <= now || race.all_answered() {
                return;
            }
            std::thread::park_timeout(NAP);
            let slept = race.elapsed().saturating_sub(now).as_micros() as u64;
            self.rested.fetch_add(slept, Ordering::Relaxed);
        }
    }
}

/// The limits of one engine in a race: those of the user, and the answers of the other.
pub(crate) struct Lane<'r, 'w> {
    race: &'r Race<'w>,
    question: AtomicUsize,
    pace: Option<Pace>,
}

impl<'r, 'w> Lane<'r, 'w> {
    pub(crate) fn new(race: &'r Race<'w>) -> Self {
        Lane { race, question: AtomicUsize::new(usize::MAX), pace: None }
    }

    /// For the second engine, which does not take more than its share unless it leads.
    fn second(race: &'r Race<'w>) -> Self {
        let beside = std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        let pace = Pace { begin: race.elapsed(), rested: AtomicU64::new(0), beside };
        Lane { pace: (race.lead == Lead::First).then_some(pace), ..Lane::new(race) }
    }

    /// Says which question is worked on.
    pub(crate) fn at(&self, question: usize) {
        self.question.store(question, Ordering::Relaxed);
    }
}

impl Monitor for Lane<'_, '_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.race.watch.monitor.progress(progress)?;
        if let Some(pace) = &self.pace {
            pace.keep(self.race);
        }
        let question = self.question.load(Ordering::Relaxed);
        let answered = match question {
            usize::MAX => self.race.all_answered(),
            question => self.race.answer(question).is_some(),
        };
        if answered || self.race.over.load(Ordering::Relaxed) { Err(Stop::Interrupted) } else { Ok(()) }
    }
}

/// The second engine: answers what is not answered yet, until everything is. Whoever waits for it is woken.
pub(crate) fn second(
    model: &Model,
    readings: Options,
    questions: &[Question],
    race: &Race<'_>,
    waiting: &Thread,
) {
    if !questions.is_empty() && race.start_second() {
        answer_the_rest(model, readings, questions, race);
    }
    race.second_is_done.store(true, Ordering::Relaxed);
    waiting.unpark();
}

fn answer_the_rest(model: &Model, readings: Options, questions: &[Question], race: &Race<'_>) {
    let lane = Lane::second(race);
    let Ok(mut sat) = Sat::new(model, readings, SatOptions::default(), &lane) else { return };
    for (index, question) in questions.iter().enumerate() {
        if race.answer(index).is_some() {
            continue;
        }
        lane.at(index);
        let (decided, seconds) = race.watch.timed(|| sat.decide(&question.property.formula, &lane));
        if let Ok(verdict) = decided {
            race.enter(index, Answer { engine: SAT, verdict, seconds });
        }
    }
}

#[cfg(test)]
mod tests {
    use servanda_engine::NoLimits;

    use super::*;
    use crate::NoClock;

    const NOTHING: Progress = Progress::Deciding { nodes: 0 };

    fn says(engine: &'static str, verdict: Verdict) -> Answer {
        Answer { engine, verdict, seconds: 0.0 }
    }

    #[test]
    fn the_first_answer_wins_and_stops_the_other() {
        let race = Race::new(2, Lead::First, Watch { monitor: &NoLimits, clock: &NoClock });
        let lane = Lane::new(&race);
        lane.at(1);
        race.enter(1, says("bdd", Verdict::Unknown("too hard".to_owned())));
        assert!(race.answer(1).is_none() && lane.progress(NOTHING).is_ok());
        race.enter(1, says("sat", Verdict::False));
        race.enter(1, says("bdd", Verdict::False));
        assert_eq!(race.answer(1).map(|answer| answer.engine), Some("sat"));
        assert_eq!(lane.progress(NOTHING), Err(Stop::Interrupted));
        lane.at(0);
        assert!(lane.progress(NOTHING).is_ok() && !race.all_answered());
        assert!(race.disagreements().is_empty());
    }

    #[test]
    fn a_disagreement_is_kept() {
        let race = Race::new(1, Lead::First, Watch { monitor: &NoLimits, clock: &NoClock });
        race.enter(0, says("bdd", Verdict::True));
        race.enter(0, says("sat", Verdict::False));
        let found = race.disagreements();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].1.engine, found[0].2.engine), ("bdd", "sat"));
    }

    #[test]
    fn the_second_engine_waits_for_its_turn() {
        // The clock stands still, so the head start never ends by itself.
        let race = Race::new(1, Lead::First, Watch { monitor: &NoLimits, clock: &NoClock });
        race.first_is_done();
        assert!(race.start_second());
        race.end();
        assert!(!race.start_second());
    }

    #[test]
    fn the_first_engine_waits_where_the_second_leads() {
        let lead = Lead::Second(Duration::from_secs(1));
        let race = Race::new(1, lead, Watch { monitor: &NoLimits, clock: &NoClock });
        assert!(race.start_second());
        // Without a clock nobody's patience ends, but the second engine is done at last.
        race.second_is_done.store(true, Ordering::Relaxed);
        race.start_first();
    }
}
