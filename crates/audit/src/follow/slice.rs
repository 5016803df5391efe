//! What becomes of one slice: its steps, and what is not possible.

use servanda_engine::Halt;
use servanda_model::Level;

use super::{Around, Follower, Moment, explain};
use crate::evaluate::parts_of;
use crate::finding::{Explanation, Finding, Kind, Line, Rule, Said, Step as Shown};
use crate::judge::{Letter, Standing, Step};
use crate::options::After;
use crate::slices::{Going, KEPT, Mark, Packed, Slice};
use crate::store::Hash;

/// A line that a slice cannot follow.
pub(super) struct Stuck<'l> {
    /// How the slice stood before the line.
    before: Standing,
    /// How many steps were kept then.
    kept: usize,
    letters: &'l [Letter],
    /// Which of the letters is the first that is not possible.
    at: usize,
    /// How the slice stands if it began anew earlier.
    anew: Option<Standing>,
}

impl Follower<'_> {
    /// A slice begins.
    pub(super) fn begin(&mut self, key: (Hash, &[u8]), moment: Moment, around: &mut Around<'_>) -> u32 {
        self.make_room(moment, around);
        let begun = self.judge.begin();
        let used = moment.now.by(self.view.forget);
        let position = self.slices.insert(key, Slice::new(begun.standing, moment.at), used);
        around.stats.slices += 1;
        if self.dropped_keys.may_have(key.1) {
            // What went before is not known any more, so nothing can be said of what follows.
            around.stats.lost += 1;
            if let Some(slice) = self.slices.store.get_mut(position) {
                slice.going = Going::Stopped;
            }
            return position;
        }
        if !begun.news.is_empty() {
            self.tell(position, begun.news, moment.at, around);
        }
        position
    }

    /// Forgets what may be forgotten, and what is one too many.
    fn make_room(&mut self, moment: Moment, around: &mut Around<'_>) {
        if let Some(forget) = self.view.forget {
            let limit = moment.now.forgotten(forget);
            while let Some((oldest, _)) = self.slices.store.oldest().filter(|(_, used)| *used <= limit) {
                around.stats.forgotten += 1;
                self.forget_slice(oldest);
            }
        }
        while self.slices.store.len() >= around.options.max_keys.max(1) {
            let Some((oldest, _)) = self.slices.store.oldest() else { break };
            around.stats.dropped += 1;
            if !std::mem::replace(&mut self.dropped, true) {
                let message = format!(
                    "more than {} keys: those not used for longest are dropped, and what is open in them stays open",
                    around.options.max_keys
                );
                let mut finding = Finding::new(Kind::Limit, Level::May, message, Some(moment.at));
                finding.view = Some(self.view.name.text.clone());
                around.sink.finding(finding);
            }
            self.dropped_keys.insert(self.slices.store.key(oldest));
            self.forget_slice(oldest);
        }
    }

    /// Removes a slice without a verdict.
    pub(super) fn forget_slice(&mut self, position: u32) {
        self.slices.remove(position);
        self.timers.gone(position);
        if !self.memory.is_empty() {
            for memory in 0..self.memories {
                self.memory.remove(&(position, memory));
            }
        }
        if let Some(senders) = &mut self.senders {
            senders.gone(position);
        }
    }

    /// Lets a slice follow the labels of a line.
    pub(super) fn follow(
        &mut self,
        position: u32,
        letters: &[Letter],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let Some(slice) = self.slices.store.get_mut(position) else { return Ok(()) };
        if slice.going == Going::Stopped {
            return Ok(());
        }
        if around.sink.wants_lines() {
            around.sink.said(Said {
                view: self.view.name.text.clone(),
                key: parts_of(self.slices.store.key(position)).collect(),
                at: moment.at,
                labels: letters.iter().map(|letter| self.judge.text(*letter).to_owned()).collect(),
            });
        }
        let Some(slice) = self.slices.store.get_mut(position) else { return Ok(()) };
        slice.length = slice.length.saturating_add(letters.len() as u32);
        let (before, kept) = (slice.standing, slice.trail.len());
        let mut standing = before;
        let anew = match slice.anew {
            Some(anew) => self.straight(anew, letters, around)?,
            None => None,
        };
        for (at, letter) in letters.iter().enumerate() {
            match self.judge.step(standing, *letter, around.budget)? {
                Step::Went { to, news } => {
                    self.went(position, *letter, to, moment, around)?;
                    standing = to;
                    if !news.is_empty() {
                        self.tell(position, news, moment.at, around);
                    }
                }
                Step::NotPossible => {
                    let stuck = Stuck { before, kept, letters, at, anew };
                    return self.not_possible(position, &stuck, moment, around);
                }
                Step::TooMany => {
                    self.lose(position, moment.at, around);
                    return Ok(());
                }
            }
        }
        if let Some(slice) = self.slices.store.get_mut(position) {
            slice.anew = anew;
        }
        if !self.ends.is_empty() && letters.iter().any(|letter| self.ends.contains(letter)) {
            self.end_slice(position, Some(moment.at), around);
        }
        Ok(())
    }

    /// Where letters lead, if they do.
    pub(super) fn straight(
        &mut self,
        from: Standing,
        letters: &[Letter],
        around: &Around<'_>,
    ) -> Result<Option<Standing>, Halt> {
        let mut standing = from;
        for letter in letters {
            match self.judge.step(standing, *letter, around.budget)? {
                Step::Went { to, .. } => standing = to,
                Step::NotPossible | Step::TooMany => return Ok(None),
            }
        }
        Ok(Some(standing))
    }

    /// A slice makes a step.
    fn went(
        &mut self,
        position: u32,
        letter: Letter,
        to: Standing,
        moment: Moment,
        around: &Around<'_>,
    ) -> Result<(), Halt> {
        let Some(slice) = self.slices.store.get_mut(position) else { return Ok(()) };
        let at = Packed::new(moment.at);
        if slice.standing != to {
            slice.since = at;
            slice.standing = to;
        }
        slice.trail.push(Mark { letter, at });
        if slice.trail.len() >= 2 * KEPT {
            // The steps that are kept no longer cannot be explained any more either.
            let (from, mut base) = (usize::from(slice.from), slice.base);
            for mark in slice.trail.iter().take(KEPT).skip(from) {
                if let Step::Went { to, .. } = self.judge.step(base, mark.letter, around.budget)? {
                    base = to;
                }
            }
            slice.base = base;
            slice.trail.forget(KEPT);
            slice.from = from.saturating_sub(KEPT) as u16;
        }
        self.timers.said(position, letter, moment.time);
        Ok(())
    }

    /// There are too many sets of states: nothing more is known of the slice.
    fn lose(&mut self, position: u32, at: Line, around: &mut Around<'_>) {
        if let Some(slice) = self.slices.store.get_mut(position) {
            slice.going = Going::Stopped;
        }
        around.stats.lost += 1;
        if !std::mem::replace(&mut self.too_many, true) {
            let message = format!(
                "more than {} sets of states: what is not known yet stays open",
                around.options.max_sets
            );
            let finding = self.about(Finding::new(Kind::Limit, Level::May, message, Some(at)), position);
            around.sink.finding(finding);
        }
    }

    fn not_possible(
        &mut self,
        position: u32,
        stuck: &Stuck<'_>,
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        if let (Some(anew), Some(slice)) = (stuck.anew, self.slices.store.get_mut(position)) {
            // The line that was not possible began something new under the same key.
            let at = Packed::new(moment.at);
            slice.trail.extend(stuck.letters[stuck.at..].iter().map(|letter| Mark { letter: *letter, at }));
            slice.settle(anew, moment.at);
            slice.anew = None;
            return Ok(());
        }
        around.stats.violations += 1;
        let label = self.judge.text(stuck.letters[stuck.at]).to_owned();
        let message = format!("`{label}` is not possible here");
        let mut finding =
            self.about(Finding::new(Kind::NotPossible, Level::Must, message, Some(moment.at)), position);
        finding.labels = stuck.letters.iter().map(|letter| self.judge.text(*letter).to_owned()).collect();
        finding.rule = Some(Rule { model: self.view.model.text.clone(), span: None });
        finding.citation = self.view.cited(&label).map(str::to_owned);
        if let Some(slice) = self.slices.store.get(position) {
            let is_first = slice.trail.is_empty();
            finding.since = (!is_first).then(|| slice.since.line());
            finding.possible = explain::possible(&self.judge, slice.standing, &label);
        }
        match around.options.after {
            After::Stop => {
                if let Some(slice) = self.slices.store.get_mut(position) {
                    slice.going = Going::Stopped;
                }
            }
            After::Skip => self.skip(position, stuck, moment.at),
            After::Resync => finding.explanation = self.resync(position, stuck, moment, around)?,
        }
        around.sink.finding(finding);
        Ok(())
    }

    /// Goes on as if the line had not come.
    fn skip(&mut self, position: u32, stuck: &Stuck<'_>, at: Line) {
        if let Some(slice) = self.slices.store.get_mut(position) {
            slice.trail.truncate(stuck.kept);
            slice.cost = slice.cost.saturating_add(1);
            slice.settle(stuck.before, at);
            if slice.trail.is_empty() {
                self.forget_slice(position);
            }
        }
    }

    /// Goes on from the cheapest explanation.
    fn resync(
        &mut self,
        position: u32,
        stuck: &Stuck<'_>,
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<Option<Explanation>, Halt> {
        let Some(slice) = self.slices.store.get(position) else { return Ok(None) };
        let at = Packed::new(moment.at);
        let mut marks: Vec<Mark> = slice.trail[usize::from(slice.from).min(slice.trail.len())..].to_vec();
        marks.extend(stuck.letters[stuck.at..].iter().map(|letter| Mark { letter: *letter, at }));
        let base = slice.base;
        let Some(found) = explain::explain(&mut self.judge, base, &marks, around.budget)? else {
            self.skip(position, stuck, moment.at);
            return Ok(None);
        };
        around.stats.cost += u64::from(found.explanation.cost);
        let dropped = found.dropped(stuck.letters.len());
        let begun = self.judge.begin().standing;
        let anew = if dropped { self.straight(begun, stuck.letters, around)? } else { None };
        let Some(slice) = self.slices.store.get_mut(position) else { return Ok(None) };
        slice.cost = slice.cost.saturating_add(found.explanation.cost);
        if dropped && stuck.kept == 0 && stuck.before == begun {
            // Nothing is left of the slice: what comes next is its beginning.
            self.forget_slice(position);
        } else {
            slice.trail.truncate(stuck.kept);
            slice.trail.extend(stuck.letters.iter().map(|letter| Mark { letter: *letter, at }));
            slice.settle(found.standing, moment.at);
            slice.anew = anew;
        }
        Ok(Some(found.explanation))
    }

    /// A finding about a slice.
    pub(super) fn about(&self, mut finding: Finding, position: u32) -> Finding {
        finding.view = Some(self.view.name.text.clone());
        finding.key = parts_of(self.slices.store.key(position)).collect();
        if let Some(slice) = self.slices.store.get(position) {
            let shown =
                |mark: &Mark| Shown { at: mark.at.line(), label: self.judge.text(mark.letter).to_owned() };
            finding.steps = slice.trail.iter().map(shown).collect();
        }
        finding
    }

    /// Timers whose time is over before a moment say what they have to say.
    pub(crate) fn timers_over(
        &mut self,
        time: i64,
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        while let Some((position, letter, due)) = self.timers.over(time) {
            let moment = Moment { time: Some(due), ..moment };
            self.said(position, &[letter], moment, around)?;
        }
        Ok(())
    }
}
