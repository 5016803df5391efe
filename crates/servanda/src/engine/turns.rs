//! Whose turn it is: the lead engine works all the time, a challenger a share of it, and the lead changes on evidence only.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use servanda_engine::Progress;

/// A challenger is let in for so long at least: less says nothing about it.
const SLICE: Duration = Duration::from_millis(20);

/// While a challenger has its first turns the lead waits, also where there is a processor for each: most of what a challenger decides it
/// decides then, and what the lead does meanwhile would be for nothing.
const FIRST_TURNS: Duration = Duration::from_millis(100);

/// To take the lead from an engine that visits states one by one, another must see states so many times as fast.
const FAR_AHEAD: f64 = 4.0;

/// Who needs no more than this will be done before the others have shown anything.
const NEARLY_DONE: f64 = 0.08;

/// What an engine is good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Visits states one by one, as many as the answer needs.
    OnTheFly,
    /// Works on sets of states, and must have all reachable ones first.
    Sets,
    /// Does not look at reachable states as such.
    Proofs,
}

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
    /// Microseconds of work in turns that have ended.
    worked: AtomicU64,
    /// When the present turn began; `u64::MAX` outside of a turn.
    since: AtomicU64,
    /// It has its turn until it has worked so long.
    until: AtomicU64,
    /// The work done when the lead last changed; shares are counted from there.
    counted_from: AtomicU64,
    /// The states seen, as the bits of a number that may be large.
    seen: AtomicU64,
    /// Have all states been seen, and after how much work? `u64::MAX` before.
    complete: AtomicU64,
    /// It has nothing more to say.
    done: AtomicBool,
}

impl Runner {
    pub(crate) fn new(kind: Kind, entrance: Entrance) -> Self {
        Runner {
            kind,
            entrance,
            worked: AtomicU64::new(0),
            since: AtomicU64::new(u64::MAX),
            until: AtomicU64::new(0),
            counted_from: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            complete: AtomicU64::new(u64::MAX),
            done: AtomicBool::new(false),
        }
    }

    /// The work done until now.
    fn worked(&self, now: Duration) -> Duration {
        let now = micros(now);
        let turn = now.saturating_sub(self.since.load(Ordering::Relaxed));
        Duration::from_micros(self.worked.load(Ordering::Relaxed) + turn)
    }

    /// The work done since the lead last changed.
    fn worked_lately(&self, now: Duration) -> Duration {
        let from = Duration::from_micros(self.counted_from.load(Ordering::Relaxed));
        self.worked(now).saturating_sub(from)
    }

    fn seen(&self) -> f64 {
        f64::from_bits(self.seen.load(Ordering::Relaxed))
    }

    /// States seen in a second of work.
    fn rate(&self, now: Duration) -> f64 {
        self.seen() / self.worked(now).as_secs_f64().max(1e-6)
    }

    /// How many seconds it will take to see so many states.
    fn rest(&self, states: f64, now: Duration) -> f64 {
        (states - self.seen()).max(0.0) / self.rate(now).max(1.0)
    }

    /// The seconds of work until all states were seen.
    fn complete_after(&self) -> f64 {
        Duration::from_micros(self.complete.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// The seconds of work since all states were seen; `None` where they are not.
    fn since_complete(&self, now: Duration) -> Option<f64> {
        self.is_complete().then(|| self.worked(now).as_secs_f64() - self.complete_after())
    }

    fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Relaxed) != u64::MAX
    }

    fn begin_turn(&self, now: Duration) {
        self.since.store(micros(now), Ordering::Relaxed);
    }

    fn end_turn(&self, now: Duration) {
        let worked = self.worked(now);
        self.since.store(u64::MAX, Ordering::Relaxed);
        self.worked.store(micros(worked), Ordering::Relaxed);
    }
}

/// Engines side by side.
#[derive(Debug)]
pub(crate) struct Turns {
    runners: Vec<Runner>,
    lead: AtomicUsize,
    /// So long the first works alone, whatever the others' entrances are.
    alone: Duration,
    /// Is there a processor for each of two?
    beside: bool,
}

impl Turns {
    /// The first of the engines leads.
    pub(crate) fn new(runners: Vec<Runner>, alone: Duration) -> Self {
        let beside = std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        Turns { runners, lead: AtomicUsize::new(0), alone, beside }
    }

    /// An engine has seen so many states, or more than that before.
    pub(crate) fn sees(&self, runner: usize, states: f64) {
        let runner = &self.runners[runner];
        runner.seen.store(states.max(runner.seen()).to_bits(), Ordering::Relaxed);
    }

    /// An engine says how far it is.
    pub(crate) fn hears(&self, runner: usize, progress: Progress) {
        match (self.runners[runner].kind, progress) {
            (_, Progress::Exploring { states, .. }) => self.sees(runner, states as f64),
            (Kind::OnTheFly, Progress::Deciding { nodes }) => self.sees(runner, nodes as f64),
            (Kind::Sets | Kind::Proofs, Progress::Deciding { .. }) => {}
        }
    }

    /// What an engine is good at.
    pub(crate) fn kind(&self, runner: usize) -> Kind {
        self.runners[runner].kind
    }

    /// An engine has seen all states.
    pub(crate) fn completes(&self, runner: usize, now: Duration) {
        let runner = &self.runners[runner];
        if !runner.is_complete() {
            runner.complete.store(micros(runner.worked(now)), Ordering::Relaxed);
        }
    }

    /// An engine has nothing more to say.
    pub(crate) fn is_done(&self, runner: usize, now: Duration) {
        self.runners[runner].end_turn(now);
        self.runners[runner].done.store(true, Ordering::Relaxed);
    }

    /// Which engine leads.
    pub(crate) fn leader(&self) -> usize {
        self.lead.load(Ordering::Relaxed)
    }

    /// May an engine go on? One that may not is asked again later.
    pub(crate) fn may_work(&self, me: usize, now: Duration) -> bool {
        let lead = self.find_lead(now);
        let runner = &self.runners[me];
        let allowed = if me == lead { self.lead_may_work(me, now) } else { self.entitled(me, lead, now) };
        match (allowed, runner.since.load(Ordering::Relaxed) == u64::MAX) {
            (true, true) => runner.begin_turn(now),
            (false, false) => runner.end_turn(now),
            (true, false) | (false, true) => {}
        }
        allowed
    }

    /// On one processor the lead waits while another has its turn.
    fn lead_may_work(&self, me: usize, now: Duration) -> bool {
        let in_turn = |(index, runner): (usize, &Runner)| {
            let worked = runner.worked(now);
            let within = micros(worked) < runner.until.load(Ordering::Relaxed);
            index != me && !self.is_out(index) && within && (!self.beside || worked < FIRST_TURNS)
        };
        !self.runners.iter().enumerate().any(in_turn)
    }

    /// May an engine that does not lead work? Each of its turns is as long as all before.
    fn entitled(&self, me: usize, lead: usize, now: Duration) -> bool {
        let runner = &self.runners[me];
        let worked = runner.worked(now);
        if micros(worked) < runner.until.load(Ordering::Relaxed) {
            return true;
        }
        let (lately, led) = (runner.worked_lately(now), self.runners[lead].worked_lately(now));
        let entrance = runner.entrance;
        // Who has led before is in already.
        if led < entrance.after && worked.is_zero() {
            return false;
        }
        let slice = lately.max(SLICE);
        let first = worked.is_zero() && entrance.after <= SLICE;
        if !first && (lately + slice) * entrance.share > led {
            return false;
        }
        let next = worked + slice;
        runner.until.store(micros(next), Ordering::Relaxed);
        true
    }

    /// Looks whether the lead should change.
    fn find_lead(&self, now: Duration) -> usize {
        let lead = self.leader();
        let better = if self.is_out(lead) {
            (0..self.runners.len()).find(|index| !self.is_out(*index))
        } else if self.runners[lead].kind == Kind::Proofs {
            let over = self.runners[lead].worked(now) >= self.alone;
            (0..self.runners.len()).find(|index| over && *index != lead && !self.is_out(*index))
        } else {
            self.challenger(lead, now)
        };
        let Some(better) = better else { return lead };
        for runner in &self.runners {
            runner.counted_from.store(micros(runner.worked(now)), Ordering::Relaxed);
            runner.until.store(0, Ordering::Relaxed);
        }
        self.lead.store(better, Ordering::Relaxed);
        better
    }

    fn is_out(&self, index: usize) -> bool {
        self.runners[index].done.load(Ordering::Relaxed)
    }

    /// An engine that promises to be done before the lead.
    fn challenger(&self, lead: usize, now: Duration) -> Option<usize> {
        (0..self.runners.len()).find(|&index| {
            let (mine, other) = (&self.runners[lead], &self.runners[index]);
            index != lead
                && !self.is_out(index)
                && other.kind != Kind::Proofs
                && mine.kind != other.kind
                && is_ahead(other, mine, now)
        })
    }
}

/// Does an engine promise to be done before the lead?
fn is_ahead(other: &Runner, lead: &Runner, now: Duration) -> bool {
    if other.worked(now).is_zero() || lead.worked(now).is_zero() {
        return false;
    }
    match (other.since_complete(now), lead.since_complete(now)) {
        // Nobody knows how many states there are: who sees them fastest? Sets must see them much faster, since to see states is all that
        // visiting them takes, but not all that sets take.
        (None, None) => {
            let factor = if other.kind == Kind::Sets { FAR_AHEAD } else { 1.0 };
            other.rate(now) > factor * lead.rate(now)
        }
        // The number of states is known: how long will the lead take to see the rest? The other keeps the lead for no longer than that.
        (Some(spent), None) => {
            let rest = lead.rest(other.seen(), now);
            rest > NEARLY_DONE + 3.0 * other.complete_after() && spent < rest
        }
        (None, Some(spent)) => lead.kind == Kind::Sets && spent > NEARLY_DONE + other.rest(lead.seen(), now),
        // Both have seen everything; who tries longer without an answer gives way.
        (Some(mine), Some(spent)) => spent > NEARLY_DONE + 2.0 * mine,
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
        let entrance = Entrance { after: MS(15), share: 4 };
        let turns = vec![Runner::new(Kind::OnTheFly, entrance), Runner::new(Kind::Sets, entrance)];
        Turns { beside: true, ..Turns::new(turns, Duration::ZERO) }
    }

    #[test]
    fn the_lead_works_and_the_other_waits_for_its_share() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && !turns.may_work(1, MS(0)));
        assert!(turns.may_work(0, MS(15)) && turns.may_work(1, MS(15)));
        // After its slice it waits until it has a right to as much again.
        assert!(!turns.may_work(1, MS(36)));
        assert!(!turns.may_work(1, MS(100)));
        assert!(turns.may_work(1, MS(180)));
    }

    #[test]
    fn who_sees_states_far_faster_leads() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && turns.may_work(0, MS(15)) && turns.may_work(1, MS(15)));
        turns.sees(0, 10_000.0);
        turns.sees(1, 10_000.0);
        assert!(turns.may_work(1, MS(20)) && turns.leader() == 0);
        turns.sees(1, 1e9);
        assert!(turns.may_work(1, MS(25)) && turns.leader() == 1);
        // From now on the other has the share.
        assert!(!turns.may_work(0, MS(26)));
    }

    #[test]
    fn who_is_nearly_done_keeps_the_lead() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && turns.may_work(1, MS(15)));
        turns.sees(0, 20_000.0);
        turns.sees(1, 30_000.0);
        turns.completes(1, MS(25));
        assert!(turns.may_work(1, MS(25)) && turns.leader() == 0);
    }

    #[test]
    fn who_knows_that_there_are_many_states_leads_for_a_while() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && turns.may_work(0, MS(15)) && turns.may_work(1, MS(15)));
        turns.sees(0, 20_000.0);
        turns.sees(1, 1_000_000.0);
        turns.completes(1, MS(20));
        assert!(turns.may_work(1, MS(21)) && turns.leader() == 1);
        // To visit all these states takes less than another second.
        assert!(turns.may_work(0, MS(3000)) && turns.leader() == 0);
    }

    #[test]
    fn who_is_done_leaves_the_lead() {
        let turns = two();
        assert!(turns.may_work(0, MS(0)) && !turns.may_work(1, MS(1)));
        turns.is_done(0, MS(2));
        assert!(turns.may_work(1, MS(2)) && turns.leader() == 1);
    }
}
