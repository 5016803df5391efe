//! Whose turn it is: the lead engine works all the time, a challenger a share of it, and the lead changes on evidence only.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use servanda_engine::Progress;

use super::plan::NARROW;
use super::registry::Kind;

/// A challenger is let in for so long at least: less says nothing about it.
const SLICE: Duration = Duration::from_millis(7);

/// Who waits no longer than this has its first turn as soon as the lead has worked so long, whatever its share.
const SOON: Duration = Duration::from_millis(10);

/// While a challenger has its first turns the lead waits, also where there is a processor for each: most of what a challenger decides it
/// decides then, and what the lead does meanwhile would be for nothing.
const FIRST_TURNS: Duration = Duration::from_millis(130);

/// For so long the lead waits for an engine that does not say how far it is.
const SILENCE: Duration = Duration::from_millis(50);

/// So long a solver is tried in earnest: what it decides far sooner than others it mostly decides by then. If it has answered more than the
/// lead it works as much as that one.
const SOLVER_TRIES: Duration = Duration::from_millis(200);

/// So long sets are tried in earnest, whatever they have shown by then: what they decide far sooner than others they mostly decide by then, and
/// they show nothing before it.
const SETS_TRY: Duration = Duration::from_millis(40);

/// Where there are many states, though nobody knows how many, sets have a second turn that ends when they have worked so long: to visit the
/// states takes longer anyway, and sets mostly have all of them by then or not for long.
const SETS_TRY_FOR_MANY: Duration = Duration::from_millis(130);

/// Until then the lead may yet find what it looks for, however many states there are.
const LEAD_TRIES_FIRST: Duration = Duration::from_millis(20);

/// Those who suit the model have one part in so many at least; a solver that does not has fewer than this.
const EAGER: u32 = 4;
const PATIENT: u32 = 10;

/// When the others have worked for so long, the answers are no near ones, and a solver is worth twice as much.
const NOT_NEAR: Duration = Duration::from_millis(300);

/// To take the lead from the engine that suits the model, another must see states so many times as fast.
const FAR_AHEAD: f64 = 4.0;

/// Who needs no more seconds than this will be done before the others have shown anything.
const NEARLY_DONE: f64 = 0.02;

/// A challenger that knows all states after its first turn, where the lead does not, or has answered something in it, has a second one at
/// once, if it works no longer than this in all: most of what diagrams decide sooner than others they decide by then.
const SHORT: Duration = Duration::from_millis(25);

/// To decide something on all states that are known takes about this part of the time that it takes to see them.
const DECIDING: f64 = 0.5;

/// The same where agents act in rounds: to make a round takes far longer than to go along one that is known.
const DECIDING_ROUNDS: f64 = 0.05;

/// How fast an engine sees states is well known when it has worked for so long.
const WELL_KNOWN: Duration = Duration::from_millis(30);

/// Who suits the model, and knows all states as another does, gives way after so many seconds without an answer; the other after so many.
const FIRST_TRIES: f64 = 0.012;
const OTHER_TRIES: f64 = 0.02;

/// After so many reports, each after twice as many steps as the one before, many steps have been taken.
const MANY_STEPS: u64 = 9;

/// A lead that has not said how many states it sees is given so long before it is compared with others.
const UNHEARD: Duration = Duration::from_millis(20);

/// When an engine that does not lead is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entrance {
    /// So long the lead works alone.
    pub(crate) after: Duration,
    /// From then on one part in so many of what the lead works.
    pub(crate) share: u32,
}

/// What is known of an engine at work.
#[derive(Debug)]
pub(crate) struct Runner {
    kind: Kind,
    entrance: Entrance,
    /// Is it worth more of a try, since there are many states?
    many: bool,
    /// Microseconds of work until it was last heard of.
    worked: AtomicU64,
    /// When it was last heard of, in microseconds.
    heard: AtomicU64,
    /// It has its turn until it has worked so long.
    until: AtomicU64,
    /// The work done when the lead last changed; shares are counted from there.
    counted_from: AtomicU64,
    /// The states seen, as the bits of a number that may be large.
    seen: AtomicU64,
    /// How often it was said how many states sets have: after the first step, and whenever there were twice as many.
    told: AtomicU64,
    /// The nodes made for the question at hand, and for those before it.
    nodes: AtomicU64,
    nodes_before: AtomicU64,
    /// Have all states been seen, and after how much work? `u64::MAX` before.
    complete: AtomicU64,
    /// How many questions it was the first to answer, and after how much work the last of them.
    answered: AtomicUsize,
    answered_after: AtomicU64,
    /// It has nothing more to say.
    done: AtomicBool,
}

impl Runner {
    pub(crate) fn new(kind: Kind, entrance: Entrance) -> Self {
        Runner {
            kind,
            entrance,
            many: false,
            worked: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            until: AtomicU64::new(0),
            counted_from: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            told: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            nodes_before: AtomicU64::new(0),
            complete: AtomicU64::new(u64::MAX),
            answered: AtomicUsize::new(0),
            answered_after: AtomicU64::new(0),
            done: AtomicBool::new(false),
        }
    }

    /// The same where there are many states, though nobody knows how many.
    pub(crate) fn where_there_are_many(self, many: bool) -> Self {
        Runner { many, ..self }
    }

    /// The work done.
    fn worked(&self) -> Duration {
        Duration::from_micros(self.worked.load(Ordering::Relaxed))
    }

    /// The work done since the lead last changed.
    fn worked_lately(&self) -> Duration {
        let from = Duration::from_micros(self.counted_from.load(Ordering::Relaxed));
        self.worked().saturating_sub(from)
    }

    /// Has it a turn that is not over?
    fn is_in_turn(&self) -> bool {
        self.worked.load(Ordering::Relaxed) < self.until.load(Ordering::Relaxed)
    }

    /// Has it not said how far it is for long?
    fn is_silent(&self, now: Duration) -> bool {
        micros(now).saturating_sub(self.heard.load(Ordering::Relaxed)) > micros(SILENCE)
    }

    fn seen(&self) -> f64 {
        f64::from_bits(self.seen.load(Ordering::Relaxed))
    }

    /// Has it taken many steps from all states at once, and seen few more with each?
    fn is_crawling(&self) -> bool {
        let told = self.told.load(Ordering::Relaxed);
        told >= MANY_STEPS && self.seen() <= NARROW as f64 * 2f64.powi(told as i32 - 1)
    }

    /// States seen in a second of work, and seen again for another question.
    fn rate(&self) -> f64 {
        let nodes = self.nodes_before.load(Ordering::Relaxed) + self.nodes.load(Ordering::Relaxed);
        self.seen().max(nodes as f64) / self.worked().as_secs_f64().max(1e-6)
    }

    /// How many seconds it will take to see so many states, and to decide so many questions on them.
    fn rest(&self, states: f64, open: Questions) -> f64 {
        let deciding = open.each * open.count as f64 * states;
        ((states - self.seen()).max(0.0) + deciding) / self.rate().max(1.0)
    }

    /// It does one part in so many of what the lead works: fewer and larger ones if it has answered what the lead has not, smaller ones if
    /// it was slower so far or has tried for long.
    fn share(&self, lead: &Runner, led: Duration) -> u32 {
        let share = self.entrance.share;
        if self.kind == Kind::Proofs {
            match (self.worked() < SOLVER_TRIES, self.answered() > lead.answered()) {
                (true, true) if share <= PATIENT => 1,
                (true, false) if led >= NOT_NEAR => share.div_ceil(2),
                (true, _) => share,
                (false, _) => 2 * share,
            }
        } else if self.is_complete() {
            3 * share
        } else if self.kind == Kind::Sets && share <= EAGER && !lead.is_complete() && self.is_tried() {
            share.min(2)
        } else if self.seen() > 0.0 && self.rate() < lead.rate() {
            2 * share
        } else {
            share
        }
    }

    /// How many questions it was the first to answer.
    fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    /// Are these sets still tried in earnest?
    fn is_tried(&self) -> bool {
        self.worked() < SETS_TRY
    }

    /// The seconds of work until all states were seen.
    fn complete_after(&self) -> f64 {
        Duration::from_micros(self.complete.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// The seconds of work since all states were seen and the last answer was given.
    fn tries_for(&self) -> f64 {
        let since = self.answered_after.load(Ordering::Relaxed).max(self.complete.load(Ordering::Relaxed));
        self.worked().as_secs_f64() - Duration::from_micros(since).as_secs_f64()
    }

    /// Is an engine that has seen all states to go before one that has yet to see the rest? Not where the rest is little, and for no
    /// longer than it took to see the states, or than a part of what the rest takes, without an answer. Who led at first is given more time:
    /// as long as the rest takes, so that whoever is right no more than twice the time is spent; longer only where little is known of that.
    fn is_worth_waiting_for(&self, other: &Runner, led_first: bool, open: Questions) -> bool {
        let (rest, taken) = (other.rest(self.seen(), open), self.complete_after());
        let spent = self.tries_for();
        let usual = NEARLY_DONE + 3.0 * taken;
        if led_first {
            let least = if other.worked() < WELL_KNOWN { usual } else { NEARLY_DONE };
            return spent < least.max(rest);
        }
        rest > NEARLY_DONE + 2.0 * taken && spent < usual.max(rest / 8.0).min(rest / 2.0)
    }

    fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Relaxed) != u64::MAX
    }
}

/// The questions that have no answer yet.
#[derive(Clone, Copy, Debug)]
struct Questions {
    count: usize,
    /// What each takes, as a part of the time that it takes to see all states.
    each: f64,
}

/// Engines side by side.
#[derive(Debug)]
pub(crate) struct Turns {
    runners: Vec<Runner>,
    lead: AtomicUsize,
    /// So long the first works alone, whatever the others' entrances are.
    alone: Duration,
    /// How many questions have no answer.
    open: AtomicUsize,
    /// What each of them takes on states that are known, as a part of the time that it takes to see these.
    deciding: f64,
    /// Is there a processor for each of two? Asked when it matters: the system takes longer to tell than many models take.
    beside: OnceLock<bool>,
}

impl Turns {
    /// The first of the engines leads. So many questions are asked.
    pub(crate) fn new(runners: Vec<Runner>, alone: Duration, open: usize) -> Self {
        let (lead, open) = (AtomicUsize::new(0), AtomicUsize::new(open));
        Turns { runners, lead, alone, open, deciding: DECIDING, beside: OnceLock::new() }
    }

    /// The same where agents act in rounds.
    pub(crate) fn of_rounds(self) -> Self {
        Turns { deciding: DECIDING_ROUNDS, ..self }
    }

    fn has_processors_for_two(&self) -> bool {
        let several = || std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        *self.beside.get_or_init(several)
    }

    /// An engine has seen so many states, or more than that before.
    pub(crate) fn sees(&self, runner: usize, states: f64) {
        let runner = &self.runners[runner];
        runner.seen.store(states.max(runner.seen()).to_bits(), Ordering::Relaxed);
    }

    /// The same for one that takes steps from all states at once, and tells it more and more seldom.
    pub(crate) fn reaches(&self, runner: usize, states: f64) {
        self.runners[runner].told.fetch_add(1, Ordering::Relaxed);
        self.sees(runner, states);
    }

    /// An engine says how far it is.
    pub(crate) fn hears(&self, runner: usize, progress: Progress) {
        match (self.runners[runner].kind, progress) {
            (_, Progress::Exploring { states, .. }) => self.sees(runner, states as f64),
            (Kind::OnTheFly, Progress::Deciding { nodes }) => {
                self.sees(runner, nodes as f64);
                let last = self.runners[runner].nodes.swap(nodes, Ordering::Relaxed);
                // Every question begins with none.
                if nodes < last {
                    self.runners[runner].nodes_before.fetch_add(last, Ordering::Relaxed);
                }
            }
            (Kind::Sets | Kind::Proofs, Progress::Deciding { .. }) | (_, Progress::Reading { .. }) => {}
        }
    }

    /// An engine has worked for so long since it was last heard of.
    pub(crate) fn works(&self, runner: usize, work: Duration, now: Duration) {
        let runner = &self.runners[runner];
        runner.worked.fetch_add(micros(work), Ordering::Relaxed);
        runner.heard.store(micros(now), Ordering::Relaxed);
    }

    /// The work of an engine, as far as it is known.
    pub(crate) fn worked(&self, runner: usize) -> Duration {
        self.runners[runner].worked()
    }

    /// An engine has worked for so long before anybody else was there. Of what the lead has done the others have a share; to one that does
    /// not lead it is not reckoned.
    pub(crate) fn has_worked(&self, runner: usize, work: Duration) {
        let worked = self.runners[runner].worked.fetch_add(micros(work), Ordering::Relaxed) + micros(work);
        if runner != self.leader() {
            self.runners[runner].counted_from.store(worked, Ordering::Relaxed);
        }
    }

    /// An engine has seen all states.
    pub(crate) fn completes(&self, runner: usize) {
        let runner = &self.runners[runner];
        if !runner.is_complete() {
            runner.complete.store(runner.worked.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// An engine was the first to answer a question.
    pub(crate) fn answers(&self, runner: usize) {
        let runner = &self.runners[runner];
        let _ = self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| open.checked_sub(1));
        runner.answered.fetch_add(1, Ordering::Relaxed);
        runner.answered_after.store(runner.worked.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// An engine has nothing more to say.
    pub(crate) fn is_done(&self, runner: usize) {
        self.runners[runner].done.store(true, Ordering::Relaxed);
    }

    /// Which engine leads.
    pub(crate) fn leader(&self) -> usize {
        self.lead.load(Ordering::Relaxed)
    }

    /// May an engine go on? One that may not is asked again later.
    pub(crate) fn may_work(&self, me: usize, now: Duration) -> bool {
        let lead = self.find_lead();
        if me == lead { self.lead_may_work(me, now) } else { self.entitled(me, lead, now) }
    }

    /// Lets those in who have a right to work, on behalf of the lead: it waits for them, so that it makes no difference how soon the system
    /// wakes them.
    pub(crate) fn lets_in(&self, me: usize, now: Duration) {
        let lead = self.find_lead();
        if me == lead {
            for index in (0..self.runners.len()).filter(|index| *index != lead && !self.is_out(*index)) {
                self.entitled(index, lead, now);
            }
        }
    }

    /// On one processor the lead waits while another has its turn, and everywhere while a challenger has its first turns.
    fn lead_may_work(&self, me: usize, now: Duration) -> bool {
        let waits_for = |(index, runner): (usize, &Runner)| {
            let first = runner.worked() < FIRST_TURNS;
            index != me
                && !self.is_out(index)
                && runner.is_in_turn()
                && !runner.is_silent(now)
                && (first || !self.has_processors_for_two())
        };
        !self.runners.iter().enumerate().any(waits_for)
    }

    /// May an engine that does not lead work? Each of its turns is as long as all before, or half as long.
    fn entitled(&self, me: usize, lead: usize, now: Duration) -> bool {
        let runner = &self.runners[me];
        if runner.is_in_turn() {
            return true;
        }
        let worked = runner.worked();
        // A solver sees nothing of what the others compete in, so it has a share of the work of all, whoever leads.
        let (lately, led) = if runner.kind == Kind::Proofs {
            let all: Duration = self.runners.iter().map(Runner::worked).sum();
            (worked, all - worked)
        } else {
            (runner.worked_lately(), self.runners[lead].worked_lately())
        };
        let after = runner.entrance.after;
        // What a solver does in its turn is lost where it fails, and it mostly fails; so its turns grow by less.
        let grown = if runner.kind == Kind::Proofs { lately / 2 } else { lately };
        let begins = worked.is_zero();
        let lead_knows_all = self.runners[lead].is_complete();
        let whole = runner.many
            && runner.kind == Kind::Sets
            && !begins
            && worked < SETS_TRY_FOR_MANY
            && led >= LEAD_TRIES_FIRST
            && !lead_knows_all;
        let slice = if whole { SETS_TRY_FOR_MANY - worked } else { grown.max(SLICE) };
        // Who has worked before is in already, and who need not wait long has the first turn at once.
        let waits = begins && led < after;
        let first = begins && after <= SOON;
        let second = runner.kind == Kind::Sets
            && !begins
            && worked + slice <= SHORT
            && (runner.answered() > 0 || runner.is_complete() && !lead_knows_all);
        // Challengers have their first turns one after the other: what one answers in it the next need not work on.
        let is_first =
            |other: &Runner| other.is_in_turn() && other.worked() < FIRST_TURNS && !other.is_silent(now);
        let others = || (0..self.runners.len()).filter(|other| *other != me && *other != lead);
        if begins && others().any(|other| !self.is_out(other) && is_first(&self.runners[other])) {
            return false;
        }
        if waits
            || (!first
                && !second
                && !whole
                && (lately + slice) * runner.share(&self.runners[lead], led) > led)
        {
            return false;
        }
        runner.until.store(micros(worked + slice), Ordering::Relaxed);
        runner.heard.store(micros(now), Ordering::Relaxed);
        true
    }

    /// Looks whether the lead should change.
    fn find_lead(&self) -> usize {
        let lead = self.leader();
        let better = if self.is_out(lead) {
            (0..self.runners.len()).find(|index| !self.is_out(*index))
        } else if self.runners[lead].kind == Kind::Proofs {
            let over = self.runners[lead].worked() >= self.alone;
            (0..self.runners.len()).find(|index| over && *index != lead && !self.is_out(*index))
        } else {
            self.challenger(lead)
        };
        let Some(better) = better else { return lead };
        // Who loses the lead keeps what is left of its turn: most of what it decides it would decide soon.
        for runner in &self.runners {
            runner.counted_from.store(runner.worked.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.lead.store(better, Ordering::Relaxed);
        better
    }

    fn is_out(&self, index: usize) -> bool {
        self.runners[index].done.load(Ordering::Relaxed)
    }

    /// An engine that promises to be done before the lead.
    fn challenger(&self, lead: usize) -> Option<usize> {
        let open = Questions { count: self.open.load(Ordering::Relaxed), each: self.deciding };
        (0..self.runners.len()).find(|&index| {
            let (mine, other) = (&self.runners[lead], &self.runners[index]);
            index != lead
                && !self.is_out(index)
                && other.kind != Kind::Proofs
                && mine.kind != other.kind
                && is_ahead(other, mine, index == 0, open)
        })
    }
}

/// Does an engine promise to be done before the lead? Who led at first because the model suits it needs less evidence than another.
fn is_ahead(other: &Runner, lead: &Runner, led_first: bool, open: Questions) -> bool {
    if other.worked().is_zero() || lead.worked().is_zero() {
        return false;
    }
    match (other.is_complete(), lead.is_complete()) {
        // Nobody knows how many states there are: who sees them fastest? Sets see few at first and many in the end, so where the model
        // suits them their pace says nothing.
        (false, false) if led_first => other.rate() > lead.rate(),
        (false, false) => {
            let is_heard = lead.seen() > 0.0 || lead.worked() >= UNHEARD;
            let may_lead = lead.kind != Kind::Sets || lead.is_crawling();
            may_lead && is_heard && other.rate() > FAR_AHEAD * lead.rate()
        }
        // The number of states is known: how long will the lead take to see the rest, and to decide?
        (true, false) => other.is_worth_waiting_for(lead, led_first, open),
        (false, true) => lead.kind == Kind::Sets && !lead.is_worth_waiting_for(other, !led_first, open),
        // Both have seen everything; who tries longer without an answer gives way, and who led at first does so later.
        (true, true) if led_first => lead.tries_for() > OTHER_TRIES + other.tries_for() / 2.0,
        (true, true) => {
            // Who has answered what the other has not is more likely to answer the rest.
            let least = if other.answered() > lead.answered() { FIRST_TRIES / 2.0 } else { FIRST_TRIES };
            lead.tries_for() > least + 2.0 * other.tries_for()
        }
    }
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn two() -> Turns {
        let entrance = Entrance { after: MS(10), share: 4 };
        let turns = vec![Runner::new(Kind::OnTheFly, entrance), Runner::new(Kind::Sets, entrance)];
        Turns { beside: OnceLock::from(true), ..Turns::new(turns, Duration::ZERO, 1) }
    }

    #[test]
    fn the_lead_works_and_the_other_waits_for_its_share() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && !turns.may_work(1, MS(0)));
        turns.works(0, MS(10), MS(10));
        // While the other has its first turn the lead waits.
        assert!(turns.may_work(1, MS(10)) && !turns.may_work(0, MS(10)));
        turns.works(1, MS(7), MS(17));
        assert!(!turns.may_work(1, MS(17)) && turns.may_work(0, MS(17)));
        // It has a right to as much again when the lead has worked twice as much, for a while.
        turns.works(0, MS(17), MS(34));
        assert!(!turns.may_work(1, MS(34)));
        turns.works(0, MS(1), MS(35));
        assert!(turns.may_work(1, MS(35)));
        // Nobody waits for long for one that says nothing.
        assert!(!turns.may_work(0, MS(60)) && turns.may_work(0, MS(110)));
        // Later the lead must have worked four times as much.
        turns.works(1, MS(33), MS(110));
        turns.works(0, MS(291), MS(401));
        assert!(!turns.may_work(1, MS(401)));
        turns.works(0, MS(1), MS(402));
        assert!(turns.may_work(1, MS(402)));
    }

    #[test]
    fn challengers_have_their_first_turns_one_after_the_other() {
        let entrance = |after| Entrance { after: MS(after), share: 4 };
        let kinds = [Kind::OnTheFly, Kind::Proofs, Kind::Sets];
        let runners =
            kinds.into_iter().zip([0, 8, 8]).map(|(kind, after)| Runner::new(kind, entrance(after)));
        let turns =
            Turns { beside: OnceLock::from(true), ..Turns::new(runners.collect(), Duration::ZERO, 1) };
        turns.works(0, MS(10), MS(10));
        assert!(turns.may_work(1, MS(10)) && !turns.may_work(2, MS(10)));
        turns.works(1, MS(10), MS(20));
        assert!(turns.may_work(2, MS(20)) && !turns.may_work(1, MS(20)));
    }

    #[test]
    fn sets_have_no_more_than_their_share_where_the_lead_knows_all_states() {
        let second_turn = |knows: bool| {
            let turns = two();
            turns.works(0, MS(10), MS(10));
            assert!(turns.may_work(1, MS(10)));
            turns.works(1, MS(10), MS(20));
            if knows {
                turns.completes(0);
            }
            turns.works(0, MS(30), MS(50));
            turns.may_work(1, MS(50))
        };
        assert_eq!([second_turn(false), second_turn(true)], [true, false]);
    }

    #[test]
    fn sets_have_a_long_turn_where_many_states_are_expected() {
        let still_works = |many: bool, knows: bool| {
            let entrance = Entrance { after: MS(10), share: 4 };
            let runner = |kind| Runner::new(kind, entrance).where_there_are_many(many);
            let runners = vec![runner(Kind::OnTheFly), runner(Kind::Sets)];
            let turns = Turns { beside: OnceLock::from(true), ..Turns::new(runners, Duration::ZERO, 1) };
            turns.works(0, MS(10), MS(10));
            assert!(turns.may_work(1, MS(10)));
            turns.works(1, MS(7), MS(17));
            assert!(!turns.may_work(1, MS(17)), "the lead tries first");
            turns.works(0, MS(10), MS(27));
            if knows {
                turns.completes(0);
            }
            let begins = turns.may_work(1, MS(27));
            turns.works(1, MS(100), MS(127));
            begins && turns.may_work(1, MS(127))
        };
        let cases = [(true, false), (true, true), (false, false)];
        assert_eq!(cases.map(|(many, knows)| still_works(many, knows)), [true, false, false]);
    }

    /// Both have worked, and seen so many states.
    fn both_seen(states: [f64; 2]) -> Turns {
        let turns = two();
        for (runner, seen) in states.into_iter().enumerate() {
            assert!(turns.may_work(runner, MS(0)));
            turns.works(runner, MS(14), MS(14));
            turns.sees(runner, seen);
        }
        turns
    }

    #[test]
    fn who_sees_states_far_faster_leads() {
        let turns = both_seen([10_000.0, 30_000.0]);
        assert!(turns.may_work(0, MS(20)) && turns.leader() == 0);
        turns.sees(1, 1e9);
        assert!(turns.may_work(1, MS(20)) && turns.leader() == 1);
        // From now on the other has the share.
        assert!(!turns.may_work(0, MS(20)));
    }

    #[test]
    fn who_is_nearly_done_keeps_the_lead() {
        let turns = both_seen([20_000.0, 40_000.0]);
        turns.completes(1);
        assert!(turns.may_work(0, MS(20)) && turns.leader() == 0);
    }

    #[test]
    fn who_knows_that_there_are_many_states_leads_for_a_while() {
        let turns = both_seen([20_000.0, 1_000_000.0]);
        turns.completes(1);
        assert!(turns.may_work(1, MS(20)) && turns.leader() == 1);
        // To visit all these states takes less than another second.
        turns.works(1, MS(1000), MS(1020));
        assert!(turns.may_work(0, MS(1020)) && turns.leader() == 0);
    }

    #[test]
    fn who_has_answered_in_its_first_turn_has_another_at_once() {
        for answered in [false, true] {
            let turns = two();
            turns.works(0, MS(10), MS(10));
            assert!(turns.may_work(1, MS(10)));
            turns.works(1, MS(10), MS(20));
            if answered {
                turns.answers(1);
            }
            assert_eq!(turns.may_work(1, MS(20)), answered);
        }
    }

    #[test]
    fn the_lead_waits_for_one_that_it_has_let_in() {
        let turns = two();
        turns.works(0, MS(10), MS(10));
        turns.lets_in(0, MS(10));
        assert!(!turns.may_work(0, MS(11)));
    }

    #[test]
    fn who_loses_the_lead_keeps_its_turn() {
        let turns = two();
        turns.works(0, MS(12), MS(12));
        turns.sees(0, 32_000.0);
        assert!(turns.may_work(1, MS(12)));
        turns.works(1, MS(2), MS(14));
        turns.sees(1, 34_000.0);
        assert!(turns.may_work(1, MS(14)) && turns.leader() == 1);
        turns.completes(1);
        turns.answers(0);
        assert!(turns.may_work(1, MS(15)) && turns.leader() == 0, "little is left for the other");
        assert!(!turns.may_work(0, MS(15)));
    }

    #[test]
    fn many_open_questions_are_part_of_what_is_left() {
        let seen = |open: usize| {
            let turns = Turns { open: AtomicUsize::new(open), ..both_seen([30_000.0, 34_000.0]) };
            turns.completes(1);
            turns.may_work(0, MS(20));
            turns.leader()
        };
        assert_eq!([seen(1), seen(20)], [0, 1]);
    }

    #[test]
    fn who_has_seen_everything_and_answers_nothing_gives_way_before_long() {
        let turns = both_seen([34_000.0, 34_000.0]);
        turns.completes(0);
        turns.completes(1);
        turns.works(0, MS(10), MS(30));
        assert!(turns.may_work(0, MS(30)) && turns.leader() == 0);
        turns.works(0, MS(5), MS(35));
        assert!(turns.may_work(1, MS(35)) && turns.leader() == 1);
        // The one that suits the model is tried again.
        turns.works(1, MS(30), MS(65));
        assert!(turns.may_work(0, MS(65)) && turns.leader() == 0);
    }

    #[test]
    fn sets_that_grow_by_little_with_each_step_leave_the_lead() {
        let lead = |width: f64| {
            let entrance = Entrance { after: MS(10), share: 4 };
            let runners = vec![Runner::new(Kind::Sets, entrance), Runner::new(Kind::OnTheFly, entrance)];
            let turns = Turns { beside: OnceLock::from(true), ..Turns::new(runners, Duration::ZERO, 1) };
            assert!(turns.may_work(0, MS(0)));
            turns.works(0, MS(60), MS(60));
            for step in 0..10 {
                turns.reaches(0, width * f64::from(1 << step));
            }
            assert!(turns.may_work(1, MS(60)));
            turns.works(1, MS(10), MS(70));
            turns.sees(1, 50_000.0);
            turns.may_work(1, MS(70));
            turns.leader()
        };
        assert_eq!([lead(2.0), lead(1e6)], [1, 0]);
    }

    #[test]
    fn sets_that_know_all_states_and_answer_nothing_give_way_when_the_rest_would_have_been_seen() {
        let lead_after = |spent: u64, rounds: bool| {
            let entrance = Entrance { after: MS(60), share: 8 };
            let runners = vec![Runner::new(Kind::Sets, entrance), Runner::new(Kind::OnTheFly, entrance)];
            let turns = Turns { beside: OnceLock::from(true), ..Turns::new(runners, Duration::ZERO, 22) };
            let turns = if rounds { turns.of_rounds() } else { turns };
            assert!(turns.may_work(0, MS(0)));
            turns.works(0, MS(600), MS(600));
            turns.sees(0, 14_000.0);
            turns.completes(0);
            // 50,000 states a second: 0.2 s for the rest, and 0.3 s for 22 questions on rounds that are known.
            turns.works(1, MS(80), MS(680));
            turns.sees(1, 4_000.0);
            turns.works(0, MS(spent), MS(680 + spent));
            turns.may_work(1, MS(680 + spent));
            turns.leader()
        };
        assert_eq!([lead_after(300, true), lead_after(700, true)], [0, 1]);
        assert_eq!(lead_after(700, false), 0, "questions take longer where commands take steps");
    }

    #[test]
    fn who_is_done_leaves_the_lead() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && !turns.may_work(1, MS(1)));
        turns.is_done(0);
        assert!(turns.may_work(1, MS(2)) && turns.leader() == 1);
    }
}
