//! What engines that work on the same questions tell each other.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use servanda_engine::{Budget, Halt, Progress, Spread, Stop, Verdict};

use super::turns::Turns;
use crate::Watch;

/// How often an engine that waits looks whether its time has come, unless it is woken.
const NAP: Duration = Duration::from_millis(2);

/// So often the work of an engine is measured.
const MEASURED: Duration = Duration::from_micros(500);

/// Before the lead has worked so long nobody else has a turn.
const ALONE: Duration = Duration::from_millis(5);

/// An answer, and who gave it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) engine: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
    /// What is wrong with the input, where that is why there is no verdict.
    pub(crate) fault: Option<Halt>,
}

/// A question on which two engines disagree, with both answers.
pub(crate) type Disagreement = (usize, Answer, Answer);

/// The answers so far, and whose turn it is.
pub(crate) struct Board<'w> {
    pub(crate) watch: Watch<'w>,
    pub(crate) turns: Turns,
    begin: Duration,
    answers: Mutex<Vec<Option<Answer>>>,
    /// By question: does nobody want to know?
    skipped: Vec<bool>,
    /// The questions on which engines disagree, with both answers.
    disagreements: Mutex<Vec<Disagreement>>,
    /// Do all states have to be found as well, and has nobody yet?
    space_is_open: AtomicBool,
    /// So long the lead works alone.
    alone: Duration,
}

impl<'w> Board<'w> {
    pub(crate) fn new(
        (questions, skipped): (usize, &[bool]),
        whole: bool,
        turns: Turns,
        watch: Watch<'w>,
    ) -> Self {
        let is_skipped = |question: usize| skipped.get(question).copied().unwrap_or(false);
        Board {
            skipped: (0..questions).map(is_skipped).collect(),
            watch,
            turns,
            begin: watch.clock.elapsed(),
            answers: Mutex::new(vec![None; questions]),
            disagreements: Mutex::default(),
            space_is_open: AtomicBool::new(whole),
            alone: ALONE,
        }
    }

    /// The same where the lead has worked alone before.
    pub(crate) fn after(self, work: Duration) -> Self {
        Board { alone: ALONE.saturating_sub(work), ..self }
    }

    /// The time since the work began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.clock.elapsed().saturating_sub(self.begin)
    }

    fn with_answers<T>(&self, look: impl FnOnce(&mut Vec<Option<Answer>>) -> T) -> T {
        look(&mut self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Is there an answer to a question, or none wanted?
    pub(crate) fn is_answered(&self, question: usize) -> bool {
        self.skipped.get(question) == Some(&true)
            || self.with_answers(|answers| answers.get(question).is_some_and(Option::is_some))
    }

    /// Is there more than one question without an answer that is wanted?
    fn are_several_open(&self) -> bool {
        self.with_answers(|answers| {
            let open =
                answers.iter().zip(&self.skipped).filter(|(answer, skipped)| answer.is_none() && !**skipped);
            open.take(2).count() > 1
        })
    }

    /// Is nothing left to be found out?
    pub(crate) fn is_over(&self) -> bool {
        !self.space_is_open.load(Ordering::Relaxed)
            && self.with_answers(|answers| {
                answers.iter().zip(&self.skipped).all(|(answer, skipped)| *skipped || answer.is_some())
            })
    }

    /// All states have been found.
    pub(crate) fn space_is_known(&self) {
        self.space_is_open.store(false, Ordering::Relaxed);
    }

    /// Enters an answer; one that is there stays. Only what is decided is an answer, and what is wrong with the input.
    pub(crate) fn enter(&self, question: usize, runner: usize, answer: Answer) {
        if answer.verdict.decided().is_none() && answer.fault.is_none() {
            return;
        }
        self.watch.budget.decided(question, answer.engine, &answer.verdict, answer.seconds);
        self.with_answers(|answers| match answers.get_mut(question) {
            None => {}
            Some(place @ None) => {
                *place = Some(answer);
                self.turns.answers(runner);
            }
            Some(Some(known)) => {
                let both = (known.verdict.decided(), answer.verdict.decided());
                if matches!(both, (Some(one), Some(other)) if one != other) {
                    let both = (question, known.clone(), answer);
                    self.disagreements.lock().unwrap_or_else(PoisonError::into_inner).push(both);
                }
            }
        });
    }

    /// Nobody need look for an answer to a question that could not be read.
    pub(crate) fn refuse(&self, question: usize, engine: &'static str, reason: &str) {
        let verdict = Verdict::Unknown(reason.to_owned());
        self.with_answers(|answers| {
            if let Some(place) = answers.get_mut(question) {
                *place = Some(Answer { engine, verdict, seconds: 0.0, fault: None });
            }
        });
    }

    /// All answers, and the questions on which engines disagree.
    pub(crate) fn results(self) -> (Vec<Option<Answer>>, Vec<Disagreement>) {
        let answers = self.answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        (answers, self.disagreements.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The limits of one engine among several: those of the user, its turns, and the answers of the others.
pub(crate) struct Lane<'r, 'w> {
    pub(crate) board: &'r Board<'w>,
    pub(crate) runner: usize,
    question: AtomicUsize,
    /// The question is put aside for others at this time, in microseconds.
    share_ends: AtomicU64,
    /// The same when so much work is done.
    try_ends: AtomicU64,
    /// When the work was last measured, and how much had been done by then, in microseconds.
    measured: AtomicU64,
    work: AtomicU64,
    /// Makes sure that the others are there.
    call: Option<&'r (dyn Fn() + Sync)>,
}

impl<'r, 'w> Lane<'r, 'w> {
    /// At work on no question in particular.
    const PREPARING: usize = usize::MAX;

    pub(crate) fn new(board: &'r Board<'w>, runner: usize) -> Self {
        let (question, measured) = (AtomicUsize::new(Self::PREPARING), AtomicU64::new(0));
        let [share_ends, try_ends] = [u64::MAX; 2].map(AtomicU64::new);
        Lane { board, runner, question, share_ends, try_ends, measured, work: AtomicU64::new(0), call: None }
    }

    /// The same for the lead, which calls the others when it has worked for a while.
    pub(crate) fn calling(self, call: &'r (dyn Fn() + Sync)) -> Self {
        Lane { call: Some(call), ..self }
    }

    /// Says which question is worked on, and while others wait for how long, with how much work; without either, for as long as it takes.
    pub(crate) fn at(&self, question: usize, share: Option<Duration>, work: Option<Duration>) {
        self.question.store(question, Ordering::Relaxed);
        let ends = share.map_or(u64::MAX, |share| (self.board.elapsed() + share).as_micros() as u64);
        self.share_ends.store(ends, Ordering::Relaxed);
        let worked = self.board.turns.worked(self.runner);
        let ends = work.map_or(u64::MAX, |work| (worked + work).as_micros() as u64);
        self.try_ends.store(ends, Ordering::Relaxed);
        self.board.watch.budget.deciding(question, self.board.with_answers(|answers| answers.len()));
    }

    /// Has the question had its share, while others wait?
    fn has_had_its_share(&self, now: Duration) -> bool {
        let is_over = |ends: &AtomicU64, at: Duration| at.as_micros() as u64 >= ends.load(Ordering::Relaxed);
        (is_over(&self.share_ends, now) || is_over(&self.try_ends, self.board.turns.worked(self.runner)))
            && self.board.are_several_open()
    }

    /// This engine's thread begins to work.
    pub(crate) fn begin(&self) {
        self.work.store(self.board.watch.clock.work().as_micros() as u64, Ordering::Relaxed);
    }

    /// Measures the work done now and then; says what time it is.
    fn measure(&self) -> Duration {
        let now = self.board.elapsed();
        if now.saturating_sub(Duration::from_micros(self.measured.load(Ordering::Relaxed))) >= MEASURED {
            self.measured.store(now.as_micros() as u64, Ordering::Relaxed);
            let work = self.board.watch.clock.work().as_micros() as u64;
            let before = self.work.swap(work, Ordering::Relaxed);
            self.board.turns.works(self.runner, Duration::from_micros(work.saturating_sub(before)), now);
        }
        now
    }

    /// Waits until it is this engine's turn.
    ///
    /// # Errors
    ///
    /// When its work is no longer wanted.
    pub(crate) fn turn(&self) -> Result<(), Stop> {
        let mut now = self.measure();
        if now >= self.board.alone {
            if let Some(call) = self.call {
                call();
            }
            self.board.turns.lets_in(self.runner, now);
        }
        loop {
            let question = self.question.load(Ordering::Relaxed);
            if self.board.is_over() || self.board.is_answered(question) {
                return Err(Stop::Answered);
            }
            if self.has_had_its_share(now) {
                return Err(Stop::Share);
            }
            if self.board.turns.may_work(self.runner, now) {
                return Ok(());
            }
            std::thread::park_timeout(NAP);
            // Waiting is no work, also where the system tells the time and nothing else.
            self.begin();
            now = self.board.elapsed();
            self.board.watch.budget.progress(Progress::Deciding { nodes: 0 })?;
        }
    }
}

impl Budget for Lane<'_, '_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.board.watch.budget.progress(progress)?;
        self.board.turns.hears(self.runner, progress);
        self.turn()
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        self.board.watch.budget.room(bytes)
    }

    fn reached(&self, states: f64) {
        self.board.turns.reaches(self.runner, states);
    }

    fn spread(&self, spread: &Spread) {
        self.board.watch.budget.spread(spread);
    }
}
