//! Engines at work on the same questions: the first answer counts, and what one finds out the others need not.

use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use servanda_engine::{Budget as _, Halt, Progress, Stop, Verdict};
use servanda_report::Phase;
use servanda_symbolic::TRIAL_NODES;

use super::board::{Answer, Board, Disagreement, Lane};
use super::look::Look;
use super::plan::Plan;
use super::registry::{Entry, Kind, Ready, Setup, TABLEAU};
use super::turns::{Runner, Turns};
use crate::watch::not_yet_stopped;
use crate::{Question, Watch};

/// So many nodes take less room than the pages in which systems hand out memory for large tables.
const FEW_NODES: usize = 1 << 16;

/// Sets that do not lead put a question aside when they have worked on it for so long, as long as others are open. What was computed is mostly
/// still known when they come back to it.
const FIRST_TRY: Duration = Duration::from_millis(8);

/// What is to be found out.
#[derive(Clone, Copy)]
pub(crate) struct Task<'q> {
    pub(crate) questions: &'q [Question],
    /// By question: is it not to be answered? Nothing is said of those that come behind.
    pub(crate) skipped: &'q [bool],
    /// Do all states have to be found, whether or not the answers need them?
    pub(crate) whole: bool,
}

/// What one engine has done.
pub(crate) struct Worked<'m> {
    pub(crate) name: &'static str,
    /// The engine, or why it could not be made ready.
    pub(crate) engine: Result<Ready<'m>, Halt>,
    pub(crate) phases: Vec<Phase>,
    /// For each question why this engine does not know the answer, if it was asked and does not.
    pub(crate) unknown: Vec<Option<String>>,
    /// For each question how it was decided, where that can be said.
    pub(crate) techniques: Vec<Option<String>>,
}

/// What all engines have done.
pub(crate) struct Outcome<'m> {
    pub(crate) answers: Vec<Option<Answer>>,
    pub(crate) disagreements: Vec<Disagreement>,
    /// The engines that had a turn, in the order of the plan.
    pub(crate) worked: Vec<Worked<'m>>,
    /// Who led at the end.
    pub(crate) lead: &'static str,
}

impl Outcome<'_> {
    /// Who led, who took over, and why.
    pub(crate) fn choice(&self, plan: &Plan) -> String {
        let (first, last) = (plan.lead(), self.lead);
        if first == last {
            format!("{first}: {}", plan.reason)
        } else {
            format!("{last}, which got ahead of {first}")
        }
    }

    /// One engine that was not even begun with.
    pub(crate) fn halted(name: &'static str, halt: Halt, questions: usize) -> Self {
        let (unknown, techniques) = (vec![None; questions], vec![None; questions]);
        let worked = Worked { name, engine: Err(halt), phases: Vec::new(), unknown, techniques };
        Outcome {
            answers: vec![None; questions],
            disagreements: Vec::new(),
            worked: vec![worked],
            lead: name,
        }
    }
}

/// Lets the engines of a plan work until everything is answered, or nobody knows more. One of them may have had a look at the model.
pub(crate) fn run<'m>(
    plan: &Plan,
    setup: Setup<'m>,
    task: Task<'_>,
    look: Option<Look<'m>>,
    watch: Watch<'_>,
) -> Outcome<'m> {
    let runner = |(entry, entrance): &(&'static Entry, _)| {
        Runner::new(entry.kind, *entrance).where_there_are_many(plan.many)
    };
    let runners = plan.members.iter().map(runner).collect();
    let open = (0..task.questions.len()).filter(|index| task.skipped.get(*index) != Some(&true)).count();
    let turns = Turns::new(runners, plan.alone, open);
    let turns = if setup.is_rounds() { turns.of_rounds() } else { turns };
    let board = Board::new((task.questions.len(), task.skipped), task.whole, turns, watch);
    // Who has all states needs nobody else most likely.
    let work_before = look.as_ref().filter(|look| !look.is_all()).map_or(Duration::ZERO, |look| look.work);
    let board = board.after(work_before);
    for (index, question) in task.questions.iter().enumerate() {
        if let (Some(reason), false) = (&question.property.refused, board.is_answered(index)) {
            board.refuse(index, plan.lead(), reason);
        }
    }
    let looked = plan.members.iter().position(|(entry, _)| look.is_some() && entry.name == TABLEAU);
    if let (Some(runner), Some(look)) = (looked, &look) {
        board.turns.has_worked(runner, look.work);
    }
    let look = Mutex::new(look);
    let worker = |index: usize| {
        let look = (looked == Some(index)).then_some(&look);
        Worker { entry: plan.members[index].0, setup, task, plan, look }
    };
    let worked = match plan.members.len() {
        1 => vec![worker(0).run(&Lane::new(&board, 0))],
        members => std::thread::scope(|scope| {
            let (board, others) = (&board, Mutex::new(Vec::new()));
            // Most models are decided before anybody but the lead has a turn, and a thread costs more than many of these take.
            let (called, call_others) = (Once::new(), || {
                let work = move |index: usize| worker(index).run(&Lane::new(board, index));
                let threads = (1..members).map(|index| scope.spawn(move || work(index)));
                *others.lock().unwrap_or_else(PoisonError::into_inner) = threads.collect();
            });
            let call = || called.call_once(call_others);
            if !plan.on_call {
                call();
            }
            let mut worked = vec![worker(0).run(&Lane::new(board, 0).calling(&call))];
            if !board.is_over() {
                call();
            }
            for other in others.into_inner().unwrap_or_else(PoisonError::into_inner) {
                other.thread().unpark();
                match other.join() {
                    Ok(end) => worked.push(end),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            worked
        }),
    };
    let lead = plan.members[board.turns.leader()].0.name;
    let (answers, disagreements) = board.results();
    Outcome { answers, disagreements, worked: worked.into_iter().flatten().collect(), lead }
}

/// One engine and what it has to do.
struct Worker<'m, 'q> {
    entry: &'static Entry,
    setup: Setup<'m>,
    task: Task<'q>,
    plan: &'q Plan,
    /// What the engine has seen of the model before, to be taken once.
    look: Option<&'q Mutex<Option<Look<'m>>>>,
}

impl<'m> Worker<'m, '_> {
    /// Works until nothing is left to do; `None` where it never had a turn.
    fn run(&self, lane: &Lane<'_, '_>) -> Option<Worked<'m>> {
        let count = self.task.questions.len();
        let mut worked = Worked {
            name: self.entry.name,
            engine: Err(Halt::NotOffered),
            phases: Vec::new(),
            unknown: vec![None; count],
            techniques: vec![None; count],
        };
        lane.begin();
        let begun = lane.turn();
        if begun.is_ok() {
            for room in self.rooms(lane) {
                let is_short = self.work(Setup { nodes: room, ..self.setup }, lane, &mut worked);
                // Who has no room left because the user gives no more has none for another try.
                if !is_short || not_yet_stopped(lane.board.watch).is_err() {
                    break;
                }
            }
        }
        // Where nothing is left to be found out nobody takes over, so that it is said who led.
        if !lane.board.is_over() {
            lane.board.turns.is_done(lane.runner);
        }
        match begun {
            Err(Stop::Answered) => None,
            Err(stop) => {
                worked.engine = Err(Halt::Stopped { stop, states: 0, transitions: 0 });
                Some(worked)
            }
            Ok(()) => Some(worked),
        }
    }

    /// How many nodes diagrams may have, try after try. An operation on diagrams ends when there is no room, and at no other time before
    /// it is done; so a challenger is given little room at first. So is the lead where the model is small: to set up much room takes
    /// longer than to decide. Of several parts of a model, whose engines are kept, each has its part of the room, if that is enough.
    fn rooms(&self, lane: &Lane<'_, '_>) -> Vec<usize> {
        let few = match (self.entry.kind, lane.runner) {
            (Kind::Sets, 0) if self.plan.little_room => Some(FEW_NODES),
            (Kind::Sets, 1..) => Some(TRIAL_NODES),
            (Kind::Sets, 0) if self.plan.parts > 1 => {
                Some(TRIAL_NODES.max(self.setup.nodes / self.plan.parts))
            }
            _ => None,
        };
        few.filter(|few| *few < self.setup.nodes).into_iter().chain([self.setup.nodes]).collect()
    }

    /// One try: makes the engine ready and decides. Says whether it was short of room.
    fn work(&self, setup: Setup<'m>, lane: &Lane<'_, '_>, worked: &mut Worked<'m>) -> bool {
        worked.engine = self.prepare(setup, lane, &mut worked.phases);
        let Worked { engine, unknown, techniques, phases, .. } = worked;
        match engine {
            Err(halt) => is_short_of_room(halt),
            Ok(engine) => {
                let (is_short, seconds) =
                    lane.board.watch.timed(|| self.decide_all(engine, lane, unknown, techniques));
                if !self.task.questions.is_empty() {
                    phases.push(Phase { name: "deciding", seconds });
                }
                is_short
            }
        }
    }

    /// Makes the engine ready, with as many states as it needs to begin.
    fn prepare(
        &self,
        setup: Setup<'m>,
        lane: &Lane<'_, '_>,
        phases: &mut Vec<Phase>,
    ) -> Result<Ready<'m>, Halt> {
        let watch = lane.board.watch;
        let look = self.look.and_then(|look| look.lock().unwrap_or_else(PoisonError::into_inner).take());
        let has_looked = look.is_some();
        let (ready, seconds) = watch.timed(|| {
            // A small model may be done before an engine asks whether to stop.
            Progress::Exploring { states: 0, transitions: 0 }.tell(lane)?;
            match look {
                Some(look) => {
                    phases.extend(look.phases);
                    Ok(look.engine)
                }
                None => (self.entry.prepare)(setup, lane),
            }
        });
        if !self.entry.phase.is_empty() {
            phases.push(Phase { name: self.entry.phase, seconds });
        }
        let mut engine = ready?;
        let on_the_fly = self.entry.kind == Kind::OnTheFly;
        let explored = if !on_the_fly || engine.is_explored() || (has_looked && !self.task.whole) {
            Ok(())
        } else if self.task.whole && self.task.questions.is_empty() {
            watch.phase(phases, "exploring", || engine.count(lane))
        } else if self.task.whole {
            watch.phase(phases, "exploring", || engine.explore(lane))
        } else if let (true, Some(few)) = (self.plan.first_look, self.plan.few) {
            watch.phase(phases, "exploring", || few.visit(&mut engine, lane))
        } else {
            Ok(())
        };
        match explored {
            Ok(()) | Err(Halt::NotOffered | Halt::Stopped { stop: Stop::Bound | Stop::Answered, .. }) => {}
            Err(halt) => return Err(halt),
        }
        self.tell_space(&engine, lane);
        Ok(engine)
    }

    /// If all states are known, the others should know how many there are.
    fn tell_space(&self, engine: &Ready<'m>, lane: &Lane<'_, '_>) {
        if engine.is_explored() {
            // Who does not count states has said how many there are.
            if self.entry.kind == Kind::OnTheFly
                && let Some(counts) = engine.counts()
            {
                lane.reached(counts.states.to_string().parse().unwrap_or(f64::INFINITY));
            }
            lane.board.turns.completes(lane.runner);
            lane.board.space_is_known();
        }
    }

    /// Decides what nobody has decided yet. Who does not lead begins at the end, so that not everything is done twice. Where time is
    /// limited, half of it is shared among all: a question that takes more than its share waits until the others have had theirs, and
    /// then has what is left. Sets that do not lead first look for questions that are easy for them in the same way: these are often the hard
    /// ones for the lead.
    /// Says whether there was too little room for something.
    fn decide_all(
        &self,
        engine: &mut Ready<'m>,
        lane: &Lane<'_, '_>,
        unknown: &mut [Option<String>],
        techniques: &mut [Option<String>],
    ) -> bool {
        let mut is_short = false;
        let count = self.task.questions.len();
        let mut open: Vec<usize> = (0..count).collect();
        if lane.runner > 0 {
            open.reverse();
        }
        let mut spent = vec![0.0; count];
        let left = lane.board.watch.clock.left().filter(|_| count > 1);
        let mut share = left.map(|left| left / (2 * count as u32));
        let mut work = (lane.runner > 0 && self.entry.kind == Kind::Sets).then_some(FIRST_TRY);
        while !open.is_empty() {
            open.retain(|&index| {
                lane.at(index, share, work);
                let (decided, seconds) = lane.board.watch.timed(|| self.decide_one(engine, index, lane));
                spent[index] += seconds;
                let (verdict, fault) = match decided {
                    Ok(verdict) => (verdict, None),
                    Err(Halt::Stopped { stop: Stop::Share, .. }) => return true,
                    Err(Halt::Stopped { stop: Stop::Answered, .. }) => return false,
                    Err(halt @ (Halt::Fault(_) | Halt::Invalid(_))) => {
                        (Verdict::Unknown(halt.to_string()), Some(halt))
                    }
                    Err(halt) => {
                        is_short |= is_short_of_room(&halt);
                        (Verdict::Unknown(halt.to_string()), None)
                    }
                };
                techniques[index] = engine.techniques();
                if let Verdict::Unknown(reason) = &verdict {
                    unknown[index] = Some(reason.clone());
                }
                let answer = Answer { engine: self.entry.name, verdict, seconds: spent[index], fault };
                lane.board.enter(index, lane.runner, answer);
                if self.entry.kind == Kind::OnTheFly {
                    self.tell_space(engine, lane);
                }
                false
            });
            (share, work) = (None, None);
        }
        is_short
    }

    fn decide_one(&self, engine: &mut Ready<'m>, index: usize, lane: &Lane<'_, '_>) -> Result<Verdict, Halt> {
        Progress::Deciding { nodes: 0 }.tell(lane)?;
        engine.decide(&self.task.questions[index].property.formula, lane)
    }
}

fn is_short_of_room(halt: &Halt) -> bool {
    matches!(halt, Halt::Stopped { stop: Stop::Memory, .. })
}
