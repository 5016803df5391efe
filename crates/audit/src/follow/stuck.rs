//! A line that a slice cannot follow: what is said of it, and how the slice goes on.

use servanda_engine::Halt;
use servanda_model::Level;

use super::{Around, Follower, Moment, explain};
use crate::finding::{Explanation, Finding, Kind, Line, Rule};
use crate::judge::{Letter, Standing};
use crate::options::After;
use crate::slices::{Going, Mark, Packed};

/// A line that a slice cannot follow.
pub(super) struct Stuck<'l> {
    /// How the slice stood before the line.
    pub(super) before: Standing,
    /// How many steps were kept then.
    pub(super) kept: usize,
    pub(super) letters: &'l [Letter],
    /// Which of the letters is the first that is not possible.
    pub(super) at: usize,
    /// How the slice stands if it began anew earlier.
    pub(super) anew: Option<Standing>,
}

impl Follower<'_> {
    pub(super) fn not_possible(
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
        let standing = self.slices.store.get(position).map(|slice| slice.standing);
        let nearest = standing.and_then(|standing| self.judge.nearest(standing, &label));
        finding.rule = Some(Rule { model: self.view.model.text.clone(), span: None, nearest });
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
}
