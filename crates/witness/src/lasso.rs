//! Paths that go round for ever, in sets of places.
//!
//! The places from which some path keeps every promise for ever are a greatest fixpoint (Emerson and Lei). A loop lies in one
//! strongly connected part of them; the nearest place of such a part is looked for layer by layer from the beginning, and the
//! shortest way round through it is a walk that brings all promises home.

use servanda_engine::Halt;
use servanda_symbolic::States;

use crate::product::{Family, Place, Product, Promise, Walked, both, either, without};
use crate::scout::Trail;

/// So many places are tried to begin a loop at.
const MOST_ENTRIES: usize = 8;

/// So many connected parts on which something is put off for ever are met before the search takes any loop it can get.
const MOST_TRIES: usize = 64;

/// Where more promises must be brought home, they are one after the other, and the loop is perhaps not the shortest.
const MOST_EXACT: usize = 4;

/// What no loop comes to is cut off in at most so many rounds; it is but a short cut.
const MOST_TRIMMED: usize = 256;

fn is_empty(family: &Family) -> bool {
    family.iter().all(States::is_empty)
}

/// The places in these states.
fn both_all(family: &Family, states: &States) -> Result<Family, Halt> {
    family.iter().map(|set| set.both(states)).collect()
}

/// The places in other states.
fn without_all(family: &Family, states: &States) -> Result<Family, Halt> {
    family.iter().map(|set| set.without(states)).collect()
}

impl Product<'_, '_> {
    /// A path with the nearest loop on which every promise is kept, if there is one.
    pub(crate) fn shortest_lasso(&mut self, from: &Place) -> Result<Option<Trail<Vec<u64>>>, Halt> {
        let (alive, core) = self.alive()?;
        if !self.contains(&alive, from)? {
            return Ok(None);
        }
        let (entries, seen) = self.entries(from, &alive, core)?;
        let mut best: Option<Trail<Vec<u64>>> = None;
        for (entry, part) in entries {
            let Some(round) = self.way_round(&entry, &part)? else { continue };
            let goal = self.only(&entry)?;
            let Some(walked) = self.walk(from, &goal, Some(&seen))? else { continue };
            let mut trail = walked.trail;
            trail.loop_to = Some(trail.points.len());
            trail.append(round.trail);
            trail.tighten();
            if best.as_ref().is_none_or(|best| trail.steps.len() < best.steps.len()) {
                best = Some(trail);
            }
        }
        Ok(best)
    }

    /// The places from which some path keeps every promise for ever; and those among which all such paths go round, from each of which one
    /// leads to where a promise is kept that is demanded of it.
    fn alive(&mut self) -> Result<(Family, Family), Halt> {
        let promises = self.promises();
        let everywhere = promises.iter().all(|promise| self.demanding(*promise).is_none());
        let mut core = self.everywhere();
        loop {
            let mut again = core.clone();
            for promise in &promises {
                let meets = both(&again, &self.before(&again, Some(*promise))?)?;
                let meets = self.closure(meets, &again, |this, fresh| this.before(fresh, None))?;
                again = match self.demanding(*promise) {
                    Some(demanding) => either(&meets, &without_all(&again, demanding)?)?,
                    None => meets,
                };
            }
            if promises.is_empty() || !everywhere {
                again = both(&again, &self.before(&again, None)?)?;
            }
            if again == core {
                break;
            }
            core = again;
        }
        if everywhere {
            return Ok((core.clone(), core));
        }
        // Whoever does not come back may demand what is never kept.
        let all = self.everywhere();
        let alive = self.closure(core.clone(), &all, |this, fresh| this.before(fresh, None))?;
        Ok((alive, core))
    }

    /// The states that demand that a promise is kept; `None` where all do.
    fn demanding(&self, promise: Promise) -> Option<&States> {
        match promise {
            Promise::Fair(number) => self.fair[number].demands.as_ref(),
            Promise::Until(_) => None,
        }
    }

    /// The nearest places on loops that keep every promise, each with its connected part, and all places up to there.
    fn entries(
        &mut self,
        from: &Place,
        alive: &Family,
        mut candidates: Family,
    ) -> Result<(Vec<(Place, Family)>, Family), Halt> {
        for _ in 0..MOST_TRIMMED {
            let again = both(&candidates, &self.after(&candidates)?)?;
            if again == candidates {
                break;
            }
            candidates = again;
        }
        let (mut entries, mut tries) = (Vec::new(), 0);
        let mut layer = self.only(from)?;
        let mut seen = layer.clone();
        loop {
            let mut here = both(&layer, &candidates)?;
            while let Some(place) = self.pick(&here) {
                let part = self.connected(&place, &candidates)?;
                let spoiling = self.spoiling(&part)?;
                if is_empty(&spoiling) {
                    let own = both(&here, &part)?;
                    here = without(&here, &own)?;
                    self.take_entries(&from.state, own, &part, &mut entries)?;
                } else {
                    tries += 1;
                    candidates = without(&candidates, &spoiling)?;
                    here = both(&here, &candidates)?;
                }
                if entries.len() >= MOST_ENTRIES || tries >= MOST_TRIES {
                    break;
                }
            }
            if !entries.is_empty() {
                return Ok((entries, seen));
            }
            if tries >= MOST_TRIES {
                return self.any_entry(from, alive, &candidates);
            }
            layer = without(&both(&self.after(&layer)?, alive)?, &seen)?;
            if is_empty(&layer) {
                return Ok((entries, seen));
            }
            seen = either(&seen, &layer)?;
        }
    }

    /// Some places of a connected part, as places to begin its loop at; first those in the state where the path begins, since a path that
    /// comes back to its beginning can be shown in fewer positions.
    fn take_entries(
        &self,
        first: &[u64],
        mut places: Family,
        part: &Family,
        entries: &mut Vec<(Place, Family)>,
    ) -> Result<(), Halt> {
        let at_first = self.sets.only(first)?;
        while entries.len() < MOST_ENTRIES {
            let near: Family = places.iter().map(|set| set.both(&at_first)).collect::<Result<_, _>>()?;
            let Some(place) = self.pick(&near).or_else(|| self.pick(&places)) else { break };
            places = without(&places, &self.only(&place)?)?;
            entries.push((place, part.clone()));
        }
        Ok(())
    }

    /// A loop wherever there is one: what lies behind a part that keeps not all promises is smaller, and somewhere one does.
    fn any_entry(
        &mut self,
        from: &Place,
        alive: &Family,
        candidates: &Family,
    ) -> Result<(Vec<(Place, Family)>, Family), Halt> {
        let all = self.reached(from, alive)?;
        let mut left = both(&all, candidates)?;
        while let Some(place) = self.pick(&left) {
            let part = self.connected(&place, &left)?;
            let spoiling = self.spoiling(&part)?;
            if is_empty(&spoiling) {
                let Some(walked) = self.walk(from, &part, Some(&all))? else { break };
                return Ok((vec![(walked.last, part)], all));
            }
            let behind = self.reached(&place, &left)?;
            left = without(&behind, &spoiling)?;
        }
        Ok((Vec::new(), all))
    }

    /// Some places and what `step` finds from them, again and again, inside a family.
    fn closure(
        &mut self,
        mut found: Family,
        within: &Family,
        step: impl Fn(&mut Self, &Family) -> Result<Family, Halt>,
    ) -> Result<Family, Halt> {
        let mut fresh = found.clone();
        while !is_empty(&fresh) {
            fresh = without(&both(&step(self, &fresh)?, within)?, &found)?;
            found = either(&found, &fresh)?;
        }
        Ok(found)
    }

    /// The places that can be reached from one inside a family, itself included.
    fn reached(&mut self, from: &Place, within: &Family) -> Result<Family, Halt> {
        let from = self.only(from)?;
        self.closure(from, within, Self::after)
    }

    /// The strongly connected part of a place inside a family.
    fn connected(&mut self, place: &Place, within: &Family) -> Result<Family, Halt> {
        let reached = self.reached(place, within)?;
        let place = self.only(place)?;
        self.closure(place, &reached, |this, fresh| this.before(fresh, None))
    }

    /// The places of a connected part that no loop inside it can pass: those that demand what no step inside it keeps, and all where it
    /// has no step.
    fn spoiling(&mut self, part: &Family) -> Result<Family, Halt> {
        let promises = self.promises().into_iter().map(Some).chain([None]);
        let mut spoiling = self.nowhere();
        for promise in promises {
            if is_empty(&both(&self.before(part, promise)?, part)?) {
                let Some(demanding) = promise.and_then(|promise| self.demanding(promise)) else {
                    return Ok(part.clone());
                };
                spoiling = either(&spoiling, &both_all(part, demanding)?)?;
            }
        }
        Ok(spoiling)
    }

    /// A short way round through a place of a connected part that keeps every promise.
    fn way_round(&mut self, entry: &Place, part: &Family) -> Result<Option<Walked>, Halt> {
        let mut open: Vec<Promise> = Vec::new();
        for promise in self.promises() {
            let demanded = match self.demanding(promise) {
                Some(demanding) => !is_empty(&both_all(part, demanding)?),
                None => true,
            };
            if demanded && !self.always_kept(promise, part)? {
                open.push(promise);
            }
        }
        if open.len() <= MOST_EXACT {
            return self.round(entry, &open, Some(entry), part);
        }
        let mut trail = Trail::default();
        let mut here = entry.clone();
        while !open.is_empty() || here != *entry {
            let walked = match open.first() {
                Some(promise) => self.round(&here, &[*promise], None, part)?,
                None => self.round(&here, &[], Some(entry), part)?,
            };
            let Some(walked) = walked else { return Ok(None) };
            open.retain(|promise| !walked.kept.contains(promise));
            trail.append(walked.trail);
            here = walked.last;
        }
        Ok(Some(Walked { trail, last: here, kept: Vec::new() }))
    }
}
