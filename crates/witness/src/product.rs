//! A path formula together with sets of states: shortest walks that never go astray.
//!
//! A place is a state with what is demanded of the rest of the path ([`Automaton`]), and sets of places are one set of states for each
//! thing that can be demanded. Layers are computed backwards from where a walk must end; the layer in which its beginning lies is
//! its distance, and going from each layer to the one below is a shortest walk. So as many single states are visited as are shown.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Action, CoreFormula, LabelSetId, PathFormula};
use servanda_model::LabelId;
use servanda_paths::{Automaton, Literal, StepLiteral};
use servanda_symbolic::{FairStates, Sets, States, Steps};

use crate::scout::Trail;

/// What is demanded at the first position.
pub(crate) const START: usize = 0;

/// For each thing that can be demanded, some states.
pub(crate) type Family = Vec<States>;

/// A state with what is demanded of the rest of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) state: Vec<u64>,
    pub(crate) demanded: usize,
}

/// What must not be put off for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    /// The until with this bit.
    Until(u32),
    /// This fairness constraint.
    Fair(usize),
}

/// A rule with what it refers to as sets.
pub(crate) struct Way {
    here: States,
    /// Which of the kinds of steps.
    steps: usize,
    pub(crate) next: usize,
    postponed: u64,
    /// One bit for each fairness constraint that its steps meet.
    meets: u64,
    demands: Vec<Literal>,
    /// It demands nothing after this position, whatever the step.
    ends: bool,
}

/// A walk from place to place.
pub(crate) struct Walked {
    /// The trail without its last position.
    pub(crate) trail: Trail<Vec<u64>>,
    /// The last place.
    pub(crate) last: Place,
    /// Everything that was kept on some step.
    pub(crate) kept: Vec<Promise>,
}

/// A path formula, ready to be walked.
pub(crate) struct Product<'a, 'm> {
    pub(crate) sets: &'a mut Sets<'m>,
    pub(crate) budget: &'a dyn Budget,
    ways: Vec<Vec<Way>>,
    kinds: Vec<Steps>,
    pub(crate) fair: Vec<FairStates>,
}

impl<'a, 'm> Product<'a, 'm> {
    /// For the paths that satisfy a formula.
    pub(crate) fn new(
        sets: &'a mut Sets<'m>,
        psi: PathFormula,
        budget: &'a dyn Budget,
    ) -> Result<Self, Halt> {
        let automaton = Automaton::whole(sets.arena(), psi, budget)?;
        let fair = sets.fairness();
        let classes = classes(sets, &fair)?;
        let mut labels: Vec<(Option<u32>, u64)> = Vec::new();
        let (mut ways, mut kinds) = (Vec::new(), Vec::new());
        for demanded in automaton.states() {
            let mut own = Vec::new();
            for edge in automaton.made_edges(demanded) {
                let mut here = sets.points();
                for (id, sign) in &edge.here[..] {
                    let holds = sets.satisfying(*id, budget)?;
                    here = if *sign { here.both(&holds)? } else { here.without(&holds)? };
                }
                for (meets, class) in &classes {
                    let kind = (edge.label, *meets);
                    let known = labels.iter().position(|label| *label == kind);
                    let steps = known.unwrap_or(labels.len());
                    if known.is_none() {
                        let condition = edge.label.map_or(&[][..], |number| automaton.condition(number));
                        kinds.push(sets.steps(&[condition, class].concat())?);
                        labels.push(kind);
                    }
                    own.push(Way {
                        here: here.clone(),
                        steps,
                        next: edge.next as usize,
                        postponed: edge.postponed,
                        meets: *meets,
                        demands: edge.here.to_vec(),
                        ends: automaton.is_satisfied(edge.next) && edge.label.is_none(),
                    });
                }
            }
            // Of two ways that are as short, the one that demands less is easier to follow.
            own.sort_by_key(|way| {
                way.demands.iter().filter(|(id, _)| !sets.arena().is_condition(*id)).count()
            });
            ways.push(own);
        }
        Ok(Product { sets, budget, ways, kinds, fair })
    }

    /// For walks on which nothing is demanded.
    pub(crate) fn free(sets: &'a mut Sets<'m>, budget: &'a dyn Budget) -> Result<Self, Halt> {
        Product::new(sets, PathFormula::TRUE, budget)
    }

    /// Everything that must not be put off for ever.
    pub(crate) fn promises(&self) -> Vec<Promise> {
        let bits = self.ways.iter().flatten().fold(0, |bits, way| bits | way.postponed);
        let untils = (0..u64::BITS).filter(|bit| bits >> bit & 1 == 1).map(Promise::Until);
        untils.chain((0..self.fair.len()).map(Promise::Fair)).collect()
    }

    pub(crate) fn nowhere(&self) -> Family {
        vec![self.sets.none(); self.ways.len()]
    }

    pub(crate) fn everywhere(&self) -> Family {
        vec![self.sets.points(); self.ways.len()]
    }

    /// The places where nothing more is demanded after this position.
    fn ends(&self) -> Result<Family, Halt> {
        let mut ends = self.nowhere();
        for (set, ways) in ends.iter_mut().zip(&self.ways) {
            for way in ways.iter().filter(|way| way.ends) {
                *set = set.either(&way.here)?;
            }
        }
        Ok(ends)
    }

    pub(crate) fn only(&self, place: &Place) -> Result<Family, Halt> {
        let mut family = self.nowhere();
        family[place.demanded] = self.sets.only(&place.state)?;
        Ok(family)
    }

    pub(crate) fn contains(&self, family: &Family, place: &Place) -> Result<bool, Halt> {
        self.sets.contains(&family[place.demanded], &place.state)
    }

    pub(crate) fn pick(&self, family: &Family) -> Option<Place> {
        let mut places = family.iter().enumerate();
        places.find_map(|(demanded, set)| self.sets.pick(set).map(|state| Place { state, demanded }))
    }

    /// Where a way leads from having kept one set of promises to having kept another.
    fn keeping(
        &self,
        way: &Way,
        promises: &[Promise],
        (source, target): (usize, usize),
    ) -> Result<Option<States>, Halt> {
        let mut here = way.here.clone();
        for (bit, promise) in promises.iter().enumerate().filter(|(bit, _)| source >> bit & 1 == 0) {
            let wanted = target >> bit & 1 == 1;
            match *promise {
                Promise::Until(until) if (way.postponed >> until & 1 == 0) != wanted => return Ok(None),
                Promise::Until(_) => {}
                Promise::Fair(fair) if way.meets >> fair & 1 == 1 => {
                    if !wanted {
                        return Ok(None);
                    }
                }
                Promise::Fair(fair) if wanted => here = here.both(&self.fair[fair].holds)?,
                Promise::Fair(fair) => here = here.without(&self.fair[fair].holds)?,
            }
        }
        Ok(Some(here))
    }

    /// The places from which some step leads into a family and from having kept one set of promises to having kept another. `known` is
    /// what leads into the family, by kind of step and by what is demanded.
    fn stepping(
        &mut self,
        family: &[States],
        promises: &[Promise],
        kept: (usize, usize),
        known: &mut FxHashMap<(usize, usize), States>,
    ) -> Result<Family, Halt> {
        let mut before = self.nowhere();
        for (before, ways) in before.iter_mut().zip(&self.ways) {
            for way in ways.iter().filter(|way| !family[way.next].is_empty()) {
                let Some(here) = self.keeping(way, promises, kept)? else { continue };
                let into = match known.entry((way.steps, way.next)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(self.sets.before(
                        &family[way.next],
                        &self.kinds[way.steps],
                        self.budget,
                    )?),
                };
                *before = before.either(&here.both(into)?)?;
            }
        }
        Ok(before)
    }

    /// The places from which some step leads into a family; the step keeps the promise, if there is one to keep.
    pub(crate) fn before(&mut self, family: &Family, promise: Option<Promise>) -> Result<Family, Halt> {
        let promises = promise.as_slice();
        self.stepping(family, promises, (0, promises.len()), &mut FxHashMap::default())
    }

    /// The places to which some step leads from a family.
    pub(crate) fn after(&mut self, family: &Family) -> Result<Family, Halt> {
        let mut after = self.nowhere();
        for (demanded, from) in family.iter().enumerate() {
            for number in 0..self.ways[demanded].len() {
                let way = &self.ways[demanded][number];
                let (next, from) = (way.next, from.both(&way.here)?);
                let into = self.sets.after(&from, &self.kinds[way.steps], self.budget)?;
                after[next] = after[next].either(&into)?;
            }
        }
        Ok(after)
    }

    /// A shortest path from a place to where nothing more is demanded, if there is one.
    pub(crate) fn shortest_end(&mut self, from: &Place) -> Result<Option<Trail<Vec<u64>>>, Halt> {
        let goal = self.ends()?;
        if goal.iter().all(States::is_empty) {
            return Ok(None);
        }
        let Some(walked) = self.walk(from, &goal, None)? else { return Ok(None) };
        let Walked { mut trail, last, .. } = walked;
        for way in self.ways[last.demanded].iter().filter(|way| way.ends) {
            if self.sets.contains(&way.here, &last.state)? {
                trail.demands.push(way.demands.clone());
                break;
            }
        }
        trail.points.push(last.state);
        Ok(Some(trail))
    }

    /// A shortest walk from a place into a family, perhaps inside another one; it may have no steps.
    pub(crate) fn walk(
        &mut self,
        from: &Place,
        goal: &Family,
        within: Option<&Family>,
    ) -> Result<Option<Walked>, Halt> {
        let start = self.only(from)?;
        self.nearest(&start, goal, within)
    }

    /// The same from whichever place of a family is nearest.
    pub(crate) fn nearest(
        &mut self,
        start: &Family,
        goal: &Family,
        within: Option<&Family>,
    ) -> Result<Option<Walked>, Halt> {
        let mut layers = vec![goal.clone()];
        let mut seen = goal.clone();
        loop {
            let meets = both(start, &layers[layers.len() - 1])?;
            if let Some(place) = self.pick(&meets) {
                layers.pop();
                return self.descend(place, &[], layers).map(Some);
            }
            let mut more = without(&self.before(&layers[layers.len() - 1], None)?, &seen)?;
            if let Some(within) = within {
                more = both(&more, within)?;
            }
            if more.iter().all(States::is_empty) {
                return Ok(None);
            }
            seen = either(&seen, &more)?;
            layers.push(more);
        }
    }

    /// A shortest walk of at least one step inside a family, on which all these promises are kept, to the place it began at or,
    /// without one to return to, anywhere.
    pub(crate) fn round(
        &mut self,
        from: &Place,
        promises: &[Promise],
        back_to: Option<&Place>,
        within: &Family,
    ) -> Result<Option<Walked>, Halt> {
        let count = self.ways.len();
        let all = (1 << promises.len()) - 1;
        let mut goal = self.nowhere();
        goal.resize(count << promises.len(), self.sets.none());
        let end = match back_to {
            Some(place) => self.only(place)?,
            None => within.clone(),
        };
        goal[all * count..].clone_from_slice(&end);
        let mut layers = vec![goal];
        let mut seen: Family = vec![self.sets.none(); count << promises.len()];
        loop {
            let before = self.before_keeping(&layers[layers.len() - 1], promises, within)?;
            if self.contains(&before, from)? {
                return self.descend(from.clone(), promises, layers).map(Some);
            }
            let more = without(&before, &seen)?;
            if more.iter().all(States::is_empty) {
                return Ok(None);
            }
            seen = either(&seen, &more)?;
            layers.push(more);
        }
    }

    /// As [`Product::before`] for places with what has been kept so far, as many families as there are sets of promises.
    fn before_keeping(
        &mut self,
        families: &[States],
        promises: &[Promise],
        within: &Family,
    ) -> Result<Family, Halt> {
        let count = self.ways.len();
        let mut before: Family = vec![self.sets.none(); families.len()];
        for target in 0..1usize << promises.len() {
            let (family, mut known) = (&families[target * count..][..count], FxHashMap::default());
            // What is kept by the step was kept before it or not; nothing else changes.
            for source in (0..=target).filter(|source| source & !target == 0) {
                let more = both(&self.stepping(family, promises, (source, target), &mut known)?, within)?;
                let slots = &mut before[source * count..][..count];
                let all = either(slots, &more)?;
                slots.clone_from_slice(&all);
            }
        }
        Ok(before)
    }

    /// Goes from a place through layers, the last one first.
    fn descend(
        &mut self,
        from: Place,
        promises: &[Promise],
        mut layers: Vec<Family>,
    ) -> Result<Walked, Halt> {
        let count = self.ways.len();
        let all = self.promises();
        let (mut kept_so_far, mut kept) = (0, Vec::new());
        let mut trail = Trail::default();
        let mut here = from;
        while let Some(layer) = layers.pop() {
            let only = self.sets.only(&here.state)?;
            let mut found = None;
            for number in 0..self.ways[here.demanded].len() {
                let way = &self.ways[here.demanded][number];
                if only.both(&way.here)?.is_empty() {
                    continue;
                }
                let (next, steps) = (way.next, way.steps);
                let keeps = self.kept(&here, number, &all)?;
                let mut then = kept_so_far;
                for (bit, promise) in promises.iter().enumerate() {
                    then |= usize::from(keeps.contains(promise)) << bit;
                }
                let into = self.sets.after(&only, &self.kinds[steps], self.budget)?;
                let into = into.both(&layer[then * count + next])?;
                // A path that stays where it is can be shown in fewer positions.
                let stays = !into.both(&only)?.is_empty();
                let state = if stays { Some(here.state.clone()) } else { self.sets.pick(&into) };
                let Some(state) = state else { continue };
                let Some(kind) = self.sets.step_kind(&here.state, &state, &self.kinds[steps])? else {
                    continue;
                };
                found = Some((number, kind, Place { state, demanded: next }, then, keeps));
                break;
            }
            let Some((number, kind, next, then, keeps)) = found else {
                return Err(Halt::TooLarge("a step was lost between two layers".to_owned()));
            };
            trail.demands.push(self.ways[here.demanded][number].demands.clone());
            trail.points.push(std::mem::replace(&mut here, next).state);
            trail.steps.push(kind);
            kept_so_far = then;
            kept.extend(keeps);
        }
        Ok(Walked { trail, last: here, kept })
    }

    /// What a step by a way keeps.
    fn kept(&self, place: &Place, number: usize, all: &[Promise]) -> Result<Vec<Promise>, Halt> {
        let way = &self.ways[place.demanded][number];
        let mut kept = Vec::new();
        for promise in all {
            let keeps = match *promise {
                Promise::Until(bit) => way.postponed >> bit & 1 == 0,
                Promise::Fair(number) => {
                    way.meets >> number & 1 == 1
                        || self.sets.contains(&self.fair[number].holds, &place.state)?
                }
            };
            if keeps {
                kept.push(*promise);
            }
        }
        Ok(kept)
    }

    /// Is the promise kept by every step inside a family?
    pub(crate) fn always_kept(&self, promise: Promise, family: &Family) -> Result<bool, Halt> {
        for (set, ways) in family.iter().zip(&self.ways) {
            let kept = match promise {
                Promise::Fair(number) => set.without(&self.fair[number].holds)?.is_empty(),
                Promise::Until(bit) => {
                    let inside = |way: &&Way| !family[way.next].is_empty();
                    set.is_empty() || !ways.iter().filter(inside).any(|way| way.postponed >> bit & 1 == 1)
                }
            };
            if !kept {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The kinds of steps that fairness constraints tell apart: one bit for each constraint that such steps meet, and the condition on labels.
fn classes(sets: &Sets<'_>, fair: &[FairStates]) -> Result<Vec<(u64, Vec<StepLiteral>)>, Halt> {
    if fair.len() > u64::BITS as usize {
        return Err(Halt::TooLarge("too many fairness constraints".to_owned()));
    }
    let named: Vec<(usize, LabelSetId)> =
        fair.iter().enumerate().filter_map(|(number, fair)| Some((number, fair.taken?))).collect();
    let mut meeting: BTreeMap<LabelId, u64> = BTreeMap::new();
    for (number, taken) in &named {
        for label in sets.arena().labels(*taken) {
            *meeting.entry(*label).or_default() |= 1 << number;
        }
    }
    let kinds: BTreeSet<u64> = meeting.into_values().chain([0]).collect();
    let condition = |meets: u64| {
        let literals = named.iter().map(|(number, taken)| (Action::Does(*taken), meets >> number & 1 == 1));
        (meets, literals.collect())
    };
    Ok(kinds.into_iter().map(condition).collect())
}

/// The places in both.
pub(crate) fn both(a: &[States], b: &[States]) -> Result<Family, Halt> {
    a.iter().zip(b).map(|(a, b)| a.both(b)).collect()
}

/// The places in one of them.
pub(crate) fn either(a: &[States], b: &[States]) -> Result<Family, Halt> {
    a.iter().zip(b).map(|(a, b)| a.either(b)).collect()
}

/// The places of one that are not in the other.
pub(crate) fn without(a: &[States], b: &[States]) -> Result<Family, Halt> {
    a.iter().zip(b).map(|(a, b)| a.without(b)).collect()
}
