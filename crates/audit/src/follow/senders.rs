//! Lines whose order is known for each sender only: a line is a violation if it is possible in no order, and a warning if in another
//! than that of the log.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{Halt, Progress};
use servanda_model::Level;

use super::orders::{Asked, Behind};
use super::{Around, Follower, Moment};
use crate::finding::{Certainty, Finding, Kind, Rule};
use crate::judge::{Letter, Standing, Step, Verdict as Judged};
use crate::mapping::{Mapping, Order, View};
use crate::slices::{Going, Mark, Packed};

/// So many lines of a slice are put into other orders; each may double the orders.
const MOST_LINES: usize = 20;

/// So many beginnings of orders are tried.
const MOST_TRIED: usize = 20_000;

/// What a line said to a slice.
#[derive(Clone)]
struct Said {
    letters: Vec<Letter>,
    /// Who; `None` where it is nobody's, and its place is fixed.
    sender: Option<String>,
    moment: Moment,
    behind: Behind,
    /// How the slice stood before, in the order that was found possible.
    before: Standing,
}

/// What is known of lines that may have come in another order.
pub(crate) struct Senders {
    window: i64,
    tap: Option<String>,
    pub(super) rules: Arc<Asked>,
    /// The last lines of slices, as long as others may have come before them.
    recent: FxHashMap<u32, VecDeque<Said>>,
    /// Lines that are not possible yet, or break something, and those after them.
    waiting: FxHashMap<u32, Vec<Said>>,
}

impl Senders {
    /// Where order is that of senders.
    pub(super) fn new(mapping: &Mapping, view: &View) -> Option<Self> {
        let source = &mapping.source;
        (source.order == Order::PerSender).then(|| Senders {
            window: source.window,
            tap: source.tap.as_ref().map(|tap| tap.text.clone()),
            rules: Arc::new(Asked::new(&mapping.program, view)),
            recent: FxHashMap::default(),
            waiting: FxHashMap::default(),
        })
    }

    /// The same, with nothing known yet.
    pub(super) fn empty(&self) -> Self {
        let (recent, waiting) = Default::default();
        Senders { window: self.window, tap: self.tap.clone(), rules: self.rules.clone(), recent, waiting }
    }

    /// Takes over what another knows of a slice.
    pub(super) fn copy(&mut self, other: &Self, from: u32, to: u32) {
        self.recent.extend(other.recent.get(&from).map(|lines| (to, lines.clone())));
        self.waiting.extend(other.waiting.get(&from).map(|lines| (to, lines.clone())));
    }

    pub(super) fn gone(&mut self, position: u32) {
        self.recent.remove(&position);
        self.waiting.remove(&position);
    }

    /// Notes a line that was possible where it stands.
    fn heard(&mut self, position: u32, said: Said) {
        let lines = self.recent.entry(position).or_default();
        if let Some(time) = said.moment.time {
            forget(lines, time.saturating_sub(self.window));
        }
        lines.push_back(said);
    }

    /// May a line have come before one that stands before it? Not where they are of one sender or too far apart, nor where the tap has
    /// seen the one before the other was said, nor where a rule orders them.
    fn may_overtake(&self, later: &Said, earlier: &Said) -> bool {
        let (Some(a), Some(b)) = (&earlier.sender, &later.sender) else { return false };
        let (Some(first), Some(second)) = (earlier.moment.time, later.moment.time) else { return false };
        let ordered = later.behind.orders(earlier.moment.at);
        a != b && second.saturating_sub(first) <= self.window && self.tap.as_ref() != Some(b) && !ordered
    }

    /// Drops what nothing can overtake any more.
    fn expire(&mut self, time: i64) {
        let limit = time.saturating_sub(self.window);
        self.recent.retain(|_, lines| {
            forget(lines, limit);
            !lines.is_empty()
        });
    }
}

/// Drops the first lines, as long as they are older.
fn forget(lines: &mut VecDeque<Said>, limit: i64) {
    while lines.front().is_some_and(|said| said.moment.time.is_none_or(|time| time < limit)) {
        lines.pop_front();
    }
}

/// Who says a label: `Ann` of `Ann: ask` and of `Cr(Ann, promise)`.
fn sender(label: &str) -> Option<String> {
    let end = label.find([':', '('])?;
    if label[end..].starts_with(':') {
        return Some(label[..end].trim().to_owned());
    }
    let inner = &label[end + 1..];
    Some(inner[..inner.find([',', ')'])?].trim().to_owned())
}

impl Follower<'_> {
    /// Lets a slice hear what a line says.
    pub(super) fn said(
        &mut self,
        position: u32,
        letters: &[Letter],
        (moment, behind): (Moment, &Behind),
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        if self.senders.is_none() {
            return self.follow(position, letters, moment, around);
        }
        let Some(slice) = self.slices.store.get(position) else { return Ok(()) };
        if slice.going == Going::Stopped {
            return Ok(());
        }
        let before = slice.standing;
        let sender = letters.first().and_then(|letter| sender(self.judge.text(*letter)));
        let said = Said { letters: letters.to_vec(), sender, moment, behind: behind.clone(), before };
        let waits = self.senders.as_ref().is_some_and(|senders| senders.waiting.contains_key(&position));
        if !waits && self.leads(before, letters, true, around)?.is_some() {
            if let Some(senders) = &mut self.senders {
                senders.heard(position, said);
            }
            return self.follow(position, letters, moment, around);
        }
        if let Some(senders) = &mut self.senders {
            senders.waiting.entry(position).or_default().push(said);
        }
        self.try_orders(position, true, around).map(drop)
    }

    /// Looks for an order in which all that a slice has heard lately is possible, and if need be breaks nothing. Is there one?
    fn try_orders(&mut self, position: u32, unbroken: bool, around: &mut Around<'_>) -> Result<bool, Halt> {
        let Some(senders) = &self.senders else { return Ok(false) };
        let waiting = senders.waiting.get(&position).cloned().unwrap_or_default();
        let mut lines: Vec<Said> = senders.recent.get(&position).into_iter().flatten().cloned().collect();
        let room = MOST_LINES.saturating_sub(waiting.len());
        lines.drain(..lines.len().saturating_sub(room));
        lines.extend(waiting.iter().cloned());
        let (Some(first), Some(stuck)) = (lines.first(), waiting.first()) else { return Ok(false) };
        if lines.len() > MOST_LINES {
            return Ok(false);
        }
        let Some(standing) = self.order(first.before, &lines, unbroken, around)? else { return Ok(false) };
        around.stats.reordered += 1;
        self.warn(position, stuck, around)?;
        if let Some(senders) = &mut self.senders {
            senders.waiting.remove(&position);
            senders.recent.entry(position).or_default().extend(waiting.iter().cloned());
        }
        self.jump(position, standing, &waiting, around);
        Ok(true)
    }

    /// Says what is wrong with a line in the order of the log, and not in another.
    fn warn(&mut self, position: u32, stuck: &Said, around: &mut Around<'_>) -> Result<(), Halt> {
        let mut standing = stuck.before;
        for letter in &stuck.letters {
            match self.judge.step(standing, *letter, around.budget)? {
                Step::Went { to, news } => {
                    for mut finding in self.findings(position, news, stuck.moment.at) {
                        finding.certainty = Certainty::SomeOrders;
                        around.sink.finding(finding);
                    }
                    standing = to;
                }
                Step::NotPossible | Step::TooMany => break,
            }
        }
        if self.straight(stuck.before, &stuck.letters, around)?.is_some() {
            return Ok(());
        }
        let label = self.judge.text(stuck.letters[0]).to_owned();
        let message = format!("`{label}` is possible only if lines of several senders came in another order");
        let finding = Finding::new(Kind::NotPossible, Level::Must, message, Some(stuck.moment.at));
        let mut finding = self.about(finding, position);
        finding.certainty = Certainty::SomeOrders;
        finding.labels = stuck.letters.iter().map(|letter| self.judge.text(*letter).to_owned()).collect();
        let nearest = self.judge.nearest(stuck.before, &label);
        finding.rule = Some(Rule { model: self.view.model.text.clone(), span: None, nearest });
        around.sink.finding(finding);
        Ok(())
    }

    /// Goes on from where another order leads.
    fn jump(&mut self, position: u32, to: Standing, lines: &[Said], around: &mut Around<'_>) {
        let (Some(slice), Some(last)) = (self.slices.store.get_mut(position), lines.last()) else { return };
        let from = slice.standing;
        for said in lines {
            let at = Packed::new(said.moment.at);
            slice.length = slice.length.saturating_add(said.letters.len() as u32);
            slice.trail.extend(said.letters.iter().map(|letter| Mark { letter: *letter, at }));
        }
        slice.settle(to, last.moment.at);
        for property in 0..self.properties.len() {
            let is_false = |standing| self.judge.verdict(standing, property) == Judged::False;
            if is_false(to) && !is_false(from) {
                self.tell_false(position, property, Some(last.moment.at), around);
            }
        }
        if lines.iter().any(|said| self.is_end(&said.letters)) {
            self.end_slice(position, Some(last.moment.at), around);
        }
    }

    /// Where an order leads in which all lines are possible, that of the log tried first.
    fn order(
        &mut self,
        from: Standing,
        lines: &[Said],
        unbroken: bool,
        around: &Around<'_>,
    ) -> Result<Option<Standing>, Halt> {
        let Some(senders) = &self.senders else { return Ok(None) };
        // For each line those before it that it may not overtake.
        let bound: Vec<u32> = (0..lines.len())
            .map(|later| {
                let stay = |earlier: &usize| !senders.may_overtake(&lines[later], &lines[*earlier]);
                (0..later).filter(stay).fold(0, |mask, earlier| mask | 1 << earlier)
            })
            .collect();
        let all = (1u32 << lines.len()) - 1;
        let mut seen = FxHashSet::default();
        let mut open = vec![(0u32, from)];
        while let Some((taken, standing)) = open.pop() {
            if taken == all {
                return Ok(Some(standing));
            }
            if !seen.insert((taken, standing)) {
                continue;
            }
            if seen.len() > MOST_TRIED {
                break;
            }
            Progress::nodes(seen.len(), 1 << 12, around.budget)?;
            for (next, said) in lines.iter().enumerate().rev() {
                let is_next = taken & 1 << next == 0 && bound[next] & !taken == 0;
                if is_next && let Some(to) = self.leads(standing, &said.letters, unbroken, around)? {
                    open.push((taken | 1 << next, to));
                }
            }
        }
        Ok(None)
    }

    /// Lines that have waited long enough are violations.
    pub(crate) fn time_passes(&mut self, time: i64, around: &mut Around<'_>) -> Result<(), Halt> {
        let Some(senders) = &mut self.senders else { return Ok(()) };
        if senders.recent.len() > 1024 {
            senders.expire(time);
        }
        let limit = time.saturating_sub(senders.window);
        let due = |said: &Said| said.moment.time.is_none_or(|time| time < limit);
        let mut over: Vec<u32> = senders
            .waiting
            .iter()
            .filter(|(_, lines)| lines.first().is_some_and(due))
            .map(|(position, _)| *position)
            .collect();
        over.sort_unstable();
        for position in over {
            self.give_up_waiting(position, around)?;
        }
        Ok(())
    }

    /// No order was found that breaks nothing. Where there is one at all it counts; otherwise the first line that waits is a violation,
    /// and the others are heard again.
    fn give_up_waiting(&mut self, position: u32, around: &mut Around<'_>) -> Result<(), Halt> {
        let first =
            self.senders.as_ref().and_then(|senders| senders.waiting.get(&position)?.first()).cloned();
        let Some(first) = first else { return Ok(()) };
        if self.straight(first.before, &first.letters, around)?.is_none()
            && self.try_orders(position, false, around)?
        {
            return Ok(());
        }
        let Some(senders) = &mut self.senders else { return Ok(()) };
        senders.recent.remove(&position);
        let waiting = senders.waiting.remove(&position).unwrap_or_default();
        let Some((first, rest)) = waiting.split_first() else { return Ok(()) };
        self.follow(position, &first.letters, first.moment, around)?;
        for said in rest {
            if self.slices.store.get(position).is_none() {
                break;
            }
            self.said(position, &said.letters, (said.moment, &said.behind), around)?;
        }
        Ok(())
    }

    /// The log is over: nothing can come any more that would put lines in order.
    pub(crate) fn nothing_more(&mut self, around: &mut Around<'_>) -> Result<(), Halt> {
        loop {
            let waiting = self.senders.iter().flat_map(|senders| senders.waiting.keys());
            let Some(position) = waiting.min().copied() else { return Ok(()) };
            self.give_up_waiting(position, around)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sender;

    #[test]
    fn labels_have_senders() {
        assert_eq!(sender("Ann: ask").as_deref(), Some("Ann"));
        assert_eq!(sender("Cr(Ann, promise)").as_deref(), Some("Ann"));
        assert_eq!(sender("Rel(Bob, Ann, x)").as_deref(), Some("Bob"));
        assert_eq!(sender("close"), None);
        assert_eq!(sender("close()").as_deref(), Some(""));
    }
}
