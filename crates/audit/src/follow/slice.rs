//! What becomes of one slice: its steps, and what is not possible.

use servanda_engine::Halt;
use servanda_model::Level;

use super::orders::Behind;
use super::stuck::Stuck;
use super::{Around, Follower, Moment};
use crate::evaluate::parts_of;
use crate::finding::{Finding, Kind, Line, Said, Step as Shown};
use crate::judge::{Letter, Standing, Step};
use crate::slices::{Going, KEPT, Mark, Packed, Slice};
use crate::store::Hash;

impl Follower<'_> {
    /// A slice begins.
    pub(super) fn begin(&mut self, key: (Hash, &[u8]), moment: Moment, around: &mut Around<'_>) -> u32 {
        self.make_room(moment, around);
        let begun = self.judge.begin();
        let used = moment.now.by(self.view.forget);
        let position = self.slices.insert(key, Slice::new(begun.standing, moment.at), used);
        around.stats.slices += 1;
        if around.sink.wants_slices() {
            around.sink.began(parts_of(key.1).collect());
        }
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
        if moment.time.is_none() && !self.timers.is_empty() && !self.untimed {
            self.no_time(position, moment.at, around);
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
        if self.is_end(letters) {
            self.end_slice(position, Some(moment.at), around);
        }
        Ok(())
    }

    /// Is a slice over with these?
    #[inline]
    pub(super) fn is_end(&mut self, letters: &[Letter]) -> bool {
        !self.ends.is_empty() && letters.iter().any(|letter| self.ends_with(*letter))
    }

    /// Is a slice over with this? What has been found out about a letter is kept.
    #[inline]
    fn ends_with(&mut self, letter: Letter) -> bool {
        if let Some(Some(known)) = self.ending.get(letter.0 as usize) {
            return *known;
        }
        let found = self.ends.iter().any(|end| self.judge.is_within(letter, *end));
        if self.ending.len() <= letter.0 as usize {
            self.ending.resize(letter.0 as usize + 1, None);
        }
        self.ending[letter.0 as usize] = Some(found);
        found
    }

    /// Where letters lead, if they do.
    pub(super) fn straight(
        &mut self,
        from: Standing,
        letters: &[Letter],
        around: &Around<'_>,
    ) -> Result<Option<Standing>, Halt> {
        self.leads(from, letters, false, around)
    }

    /// Where letters lead, if they do, and if need be without anything being broken on the way.
    pub(super) fn leads(
        &mut self,
        from: Standing,
        letters: &[Letter],
        unbroken: bool,
        around: &Around<'_>,
    ) -> Result<Option<Standing>, Halt> {
        let mut standing = from;
        for letter in letters {
            match self.judge.step(standing, *letter, around.budget)? {
                Step::Went { news, .. } if unbroken && self.is_bad(news) => return Ok(None),
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
        self.timers.said(position, letter, moment, &self.judge);
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

    /// Says, once, that a line has no time: its timers do not run, and what they would say is not known.
    fn no_time(&mut self, position: u32, at: Line, around: &mut Around<'_>) {
        self.untimed = true;
        let message = "the line has no time that can be read: timers do not run from such lines, and what they would find is not known";
        let finding = self.about(Finding::new(Kind::Limit, Level::May, message, Some(at)), position);
        around.sink.finding(finding);
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
        while let Some((position, letter, due, started)) = self.timers.over(time) {
            let moment = Moment { time: Some(due), ..moment };
            let behind = Behind::line(started);
            self.said(position, &[letter], (moment, &behind), around)?;
        }
        Ok(())
    }
}
