//! What a step decides, and what is known at a standing.

use rustc_hash::FxHashMap;
use servanda_logic::ActKind;
use servanda_model::{CommitmentId, LabelId};

use super::watch::{
    ABSENT, ENDED, FAIR_FALSE, FAIR_TRUE, Flags, IN_FORCE, REST_FALSE, REST_TRUE, SOME_FALSE, SOME_TRUE,
};
use super::{Decided, End, Event, InForce, Judge, Letter, News, Standing, Status, Verdict};

/// Lists of what was decided, each kept once.
#[derive(Default)]
pub(super) struct Told {
    numbers: FxHashMap<Vec<Decided>, News>,
    lists: Vec<Vec<Decided>>,
}

impl Told {
    fn number(&mut self, list: Vec<Decided>) -> News {
        if list.is_empty() {
            return News::NONE;
        }
        let fresh = News(self.lists.len() as u32 + 1);
        let news = *self.numbers.entry(list.clone()).or_insert(fresh);
        if news == fresh {
            self.lists.push(list);
        }
        news
    }
}

fn verdict(said: Flags) -> Verdict {
    Verdict::of(said & SOME_TRUE != 0, said & SOME_FALSE != 0)
}

/// The verdict on the runs that stand still: on the fair ones, and where there are none on all, since standing still is what happened.
fn verdict_at_rest(said: Flags) -> Verdict {
    if said & (FAIR_TRUE | FAIR_FALSE) != 0 {
        Verdict::of(said & FAIR_TRUE != 0, said & FAIR_FALSE != 0)
    } else {
        Verdict::of(said & REST_TRUE != 0, said & REST_FALSE != 0)
    }
}

/// What is known of the content of a commitment, where that is certain.
fn status(said: Flags) -> Option<Status> {
    if said & (IN_FORCE | ENDED) == 0 {
        return None;
    }
    Some(if said & ABSENT != 0 { Status::Open } else { verdict(said).into() })
}

impl Judge<'_> {
    /// What a step decided.
    pub fn news(&self, news: News) -> &[Decided] {
        match news {
            News::NONE => &[],
            News(number) => &self.told.lists[number as usize - 1],
        }
    }

    /// The verdict of a property.
    pub fn verdict(&self, at: Standing, property: usize) -> Verdict {
        match self.properties.get(property) {
            Some(Ok(watch)) => verdict(self.said(at, *watch)),
            _ => Verdict::Open,
        }
    }

    /// Why a property is not judged and so stays open, if it is not.
    pub fn unjudged(&self, property: usize) -> Option<&str> {
        self.properties.get(property)?.as_ref().err().map(String::as_str)
    }

    /// Why the content of a commitment is not judged, if it is not.
    pub fn unjudged_commitment(&self, commitment: CommitmentId) -> Option<&str> {
        self.commitments.get(commitment.index())?.as_ref().err().map(String::as_str)
    }

    fn said(&self, at: Standing, watch: usize) -> Flags {
        self.watches[watch].said(self.standings.get(at.0)[watch])
    }

    /// What is new at a standing that a letter led to; at the beginning nothing was known before.
    pub(super) fn tell(&mut self, from: Option<(Standing, Letter)>, to: Standing) -> News {
        let mut list = Vec::new();
        for (property, watch) in self.properties.iter().enumerate() {
            let Ok(watch) = watch else { continue };
            let now = verdict(self.said(to, *watch));
            let before = from.map(|(from, _)| verdict(self.said(from, *watch)));
            if now != Verdict::Open && before != Some(now) {
                list.push(Decided::Property { property, verdict: now });
            }
        }
        for (commitment, watch) in (0..).map(CommitmentId).zip(&self.commitments) {
            if let Ok(watch) = watch {
                let before = from.map_or(ABSENT, |(from, _)| self.said(from, *watch));
                let letter = from.map(|(_, letter)| letter);
                let events = self.events(commitment, letter, before, self.said(to, *watch));
                list.extend(events.into_iter().map(|event| Decided::Commitment { commitment, event }));
            }
        }
        self.told.number(list)
    }

    fn events(
        &self,
        commitment: CommitmentId,
        letter: Option<Letter>,
        before: Flags,
        now: Flags,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let is_there = |said: Flags| said & IN_FORCE != 0 && said & (ABSENT | ENDED) == 0;
        let creates = letter.is_some_and(|letter| self.creates(commitment, letter));
        let created = is_there(now) && (creates || !is_there(before));
        if created {
            events.push(Event::Created);
        }
        let (was, is) = (status(before), status(now));
        match is {
            Some(Status::Kept) if created || was != is => events.push(Event::Kept),
            Some(Status::Broken) if created || was != is => events.push(Event::Broken),
            _ => {}
        }
        let is_over = is_there(before) && now & IN_FORCE == 0;
        if is_over && now != 0 && is != Some(Status::Kept) && was != Some(Status::Kept) {
            let by = letter.and_then(|letter| self.ended_by(commitment, letter));
            match by {
                Some(ActKind::Satisfy) => events.push(Event::Claimed),
                // Whoever broke it has been told so.
                _ if is == Some(Status::Broken) || was == Some(Status::Broken) => {}
                by => events.push(Event::Released { by }),
            }
        }
        events
    }

    /// Does a letter create a commitment, whichever of its labels is meant?
    pub(crate) fn creates(&self, commitment: CommitmentId, letter: Letter) -> bool {
        let labels = &self.letters.heard(letter).labels;
        !labels.is_empty() && labels.iter().all(|label| self.creating[commitment.index()][*label as usize])
    }

    /// The act by which a letter ends a commitment, whichever of its labels is meant.
    fn ended_by(&self, commitment: CommitmentId, letter: Letter) -> Option<ActKind> {
        let promise = self.model.commitment(commitment);
        let mut kinds = self.letters.heard(letter).labels.iter().map(|label| {
            let acts = self.model.label(LabelId(*label)).acts().iter();
            acts.filter(|act| act.removes().any(|gone| gone == *promise)).map(|act| act.kind).next()
        });
        let first = kinds.next()??;
        kinds.all(|kind| kind == Some(first)).then_some(first)
    }

    /// The commitments in force, in the order of the model.
    pub fn in_force(&self, at: Standing) -> Vec<InForce> {
        let states = self.states(at);
        let mut found = Vec::new();
        for (commitment, watch) in (0..).map(CommitmentId).zip(&self.commitments) {
            let bit = self.space.layout.commitment(commitment);
            let there = states.iter().filter(|state| bit.read(self.space.state(**state)) == 1).count();
            if there > 0 {
                let status =
                    watch.as_ref().map_or(Status::Unjudged, |watch| self.status_in_force(at, *watch));
                found.push(InForce { commitment, certainly: there == states.len(), status });
            }
        }
        found
    }

    /// What is known of the content of a commitment in the states where it is in force.
    fn status_in_force(&self, at: Standing, watch: usize) -> Status {
        verdict(self.said_in_force(at, watch)).into()
    }

    fn said_in_force(&self, at: Standing, watch: usize) -> Flags {
        let watch_of = &self.watches[watch];
        let members = watch_of.members(self.standings.get(at.0)[watch]).iter();
        let said = members.map(|node| watch_of.flags[*node as usize]);
        said.filter(|said| said & IN_FORCE != 0).fold(0, |all, said| all | said)
    }

    /// What is known where nothing more is said: on the runs that stand still. Where a verdict differs from an earlier one, this one
    /// counts: what the model would have done has not happened.
    pub fn end(&self, at: Standing) -> End {
        let verdicts = self.properties.iter().map(|watch| match watch {
            Ok(watch) => verdict_at_rest(self.said(at, *watch)),
            Err(_) => Verdict::Open,
        });
        let owed = self.in_force(at).into_iter().filter_map(|in_force| {
            let Ok(watch) = self.commitments[in_force.commitment.index()] else { return Some(in_force) };
            match (in_force.status, verdict_at_rest(self.said_in_force(at, watch))) {
                (Status::Broken, _) => Some(in_force),
                (_, Verdict::True) => None,
                (_, Verdict::False) => Some(InForce { status: Status::Broken, ..in_force }),
                _ => Some(InForce { status: Status::Open, ..in_force }),
            }
        });
        End { verdicts: verdicts.collect(), owed: owed.collect() }
    }
}
