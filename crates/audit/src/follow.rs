//! A view at work: lines become labels, slices follow the model.

mod aside;
mod asking;
mod explain;
mod labels;
mod orders;
mod senders;
mod slice;
mod stuck;
mod timers;
mod verdicts;

use servanda_engine::{Budget, Halt};
use servanda_model::{Level, Model, Property};

use crate::evaluate::{Key, Line as Evaluated, NoSlice};
use crate::finding::{Finding, Kind, Line, Sink};
use crate::judge::{Judge, Letter, Place, Terms};
use crate::mapping::{KeyId, Mapping, Part, View};
use crate::options::{Options, Stats};
use crate::plan::Candidate;
use crate::read::Slot;
use crate::slices::{Keys, Slices};
use crate::tables::{Now, Value};
pub(crate) use aside::Aside;
use asking::Asking;
use labels::Spoken;
use orders::Behind;
use senders::Senders;
use timers::Timers;

/// The model of a view, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'m> {
    /// The model.
    pub model: &'m Model,
    /// The properties.
    pub properties: &'m [Property],
}

/// Where in a log something happens.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) at: Line,
    /// The time of the line.
    pub(crate) time: Option<i64>,
    pub(crate) now: Now,
}

/// Whom things are told, and who says when to stop.
pub(crate) struct Around<'a> {
    pub(crate) options: &'a Options,
    pub(crate) stats: &'a mut Stats,
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) budget: &'a dyn Budget,
}

/// A view at work.
pub(crate) struct Follower<'m> {
    pub(crate) view: &'m View,
    pub(crate) judge: Judge<'m>,
    properties: Vec<Property>,
    /// By property.
    levels: Vec<Level>,
    /// What rules say, by rule and label.
    spoken: Vec<Vec<Spoken>>,
    /// By control state of the program; `None` where the model has none of that name.
    places: Vec<Option<Place>>,
    /// By key of the view, which parts are given; `None` where all are.
    given: Vec<Option<Vec<bool>>>,
    ends: Vec<Letter>,
    /// By letter, whether it is one of them or stands for one; `None`: not asked yet.
    ending: Vec<Option<bool>>,
    pub(crate) slices: Slices,
    timers: Timers,
    pub(crate) senders: Option<Senders>,
    /// What `increasing` remembers of slices.
    memory: rustc_hash::FxHashMap<(u32, u32), Value>,
    memories: u32,
    scratch: Scratch,
    dropped: bool,
    /// The keys that were dropped, which may come again.
    dropped_keys: Keys,
    too_many: bool,
    /// It has been said that timers do not run, since lines have no time.
    untimed: bool,
}

/// Room that is used again for every line.
#[derive(Default)]
struct Scratch {
    /// The key that a slice was looked for last by, and the slice.
    found: Option<(KeyId, Option<u32>)>,
    letters: Vec<Letter>,
    text: String,
    /// Numbers that `increasing` was asked about on this line.
    asked: Vec<(u32, Slot)>,
}

impl<'m> Follower<'m> {
    pub(crate) fn new(
        mapping: &'m Mapping,
        view: &'m View,
        asked: Asked<'m>,
        options: &Options,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let silent = view.silent.iter().map(|label| label.text.clone()).collect();
        let terms = Terms { silent, seen_by: options.seen_by.clone(), most: options.max_sets };
        // Scenarios are about the model, not about one run.
        let judged = asked.properties.iter().filter(|property| property.scenario.is_none());
        let properties: Vec<Property> = judged.cloned().collect();
        let mut judge = Judge::new(asked.model, &properties, &terms, budget)?;
        let level = |property: &Property| {
            let own = view.levels.iter().find(|(name, _)| name.text == property.name);
            // Who expects a property to be false and gives it neither a level nor a source makes an observation, not a rule.
            let observes = property.expected == Some(false) && !property.has_level && property.cite.is_none();
            let usual = if observes { Level::May } else { property.level };
            own.map_or(usual, |(_, level)| *level)
        };
        let given = view.keys.iter().map(|key| {
            let parts = &mapping.program.keys[*key as usize];
            let given: Vec<bool> = parts.iter().map(|part| matches!(part, Part::Value(_))).collect();
            (!given.iter().all(|given| *given)).then_some(given)
        });
        let given: Vec<Option<Vec<bool>>> = given.collect();
        let spoken = view
            .events
            .iter()
            .map(|event| event.labels.iter().map(|label| Spoken::new(label, &mut judge)).collect());
        Ok(Follower {
            view,
            levels: properties.iter().map(level).collect(),
            properties,
            spoken: spoken.collect(),
            places: mapping.program.states.iter().map(|state| judge.place(state).ok()).collect(),
            slices: Slices::new(given.iter().flatten().cloned()),
            given,
            ends: view.end.iter().map(|label| judge.letter(&label.text)).collect(),
            ending: Vec::new(),
            timers: Timers::new(&view.timers, &mut judge),
            senders: Senders::new(mapping, view),
            memory: Default::default(),
            memories: mapping.program.memories,
            scratch: Scratch::default(),
            dropped: false,
            dropped_keys: Keys::default(),
            too_many: false,
            untimed: false,
            judge,
        })
    }

    /// What a line means here.
    pub(crate) fn line(
        &mut self,
        line: &mut Evaluated<'_>,
        candidates: &[Candidate],
        words: &[(String, String)],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let view = self.view;
        self.scratch.asked.clear();
        self.scratch.found = None;
        for candidate in candidates {
            match self.applies(line, candidate) {
                Ok(false) => {}
                Ok(true) if view.events[candidate.rule as usize].labels.is_empty() => return Ok(()),
                Ok(true) => return self.matched(line, candidate.rule as usize, words, moment, around),
                Err(unclear) => {
                    cannot_decide(line, unclear, (moment, Some(view)), around);
                    return Ok(());
                }
            }
        }
        if view.unmatched {
            around.stats.unmatched += 1;
            let message = format!("no rule of view `{}` matches this line", view.name.text);
            let mut finding = Finding::new(Kind::Unmatched, Level::Should, message, Some(moment.at));
            finding.view = Some(view.name.text.clone());
            around.sink.finding(finding);
        }
        Ok(())
    }

    /// Does the condition of a rule hold? The error is what cannot be decided.
    #[inline]
    fn applies(&mut self, line: &mut Evaluated<'_>, candidate: &Candidate) -> Result<bool, Slot> {
        if !candidate.of_slice {
            return line.hold(&candidate.rest, &mut NoSlice);
        }
        let event = &self.view.events[candidate.rule as usize];
        let mut asking = Asking {
            key: self.view.keys[event.key],
            given: self.given[event.key].is_none(),
            found: &mut self.scratch.found,
            asked: &mut self.scratch.asked,
            judge: &mut self.judge,
            slices: &self.slices,
            places: &self.places,
            memory: &self.memory,
        };
        line.hold(&candidate.rest, &mut asking)
    }

    fn matched(
        &mut self,
        line: &mut Evaluated<'_>,
        rule: usize,
        words: &[(String, String)],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let event = &self.view.events[rule];
        let mut letters = std::mem::take(&mut self.scratch.letters);
        letters.clear();
        for spoken in &mut self.spoken[rule] {
            match spoken.letter(line, words, &mut self.judge, &mut self.scratch.text) {
                Ok(letter) => letters.push(letter),
                Err(unclear) => {
                    self.scratch.letters = letters;
                    cannot_decide(line, unclear, (moment, Some(self.view)), around);
                    return Ok(());
                }
            }
        }
        let id = self.view.keys[event.key];
        let key = line.key(id);
        around.stats.labels += letters.len() as u64;
        let senders = self.senders.as_ref();
        let behind =
            senders.map_or_else(Behind::default, |senders| senders.rules.behind(rule, &line.memo.recalled));
        let moment = (moment, &behind);
        let done = match &self.given[event.key] {
            Some(given) => {
                let found = self.slices.matching(line.key_bytes(key), given);
                found.into_iter().try_for_each(|position| self.said(position, &letters, moment, around))
            }
            None => self.one(line, (id, key), &letters, moment, around),
        };
        self.scratch.letters = letters;
        done
    }

    /// Lets the slice of a key hear what a line says.
    fn one(
        &mut self,
        line: &Evaluated<'_>,
        (id, key): (KeyId, Key),
        letters: &[Letter],
        (moment, behind): (Moment, &Behind),
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let used = moment.now.by(self.view.forget);
        let found = match self.scratch.found {
            Some((known, found)) if known == id => found,
            _ => self.slices.store.find(key.hash, line.key_bytes(key)),
        };
        let position = match found {
            Some(position) => {
                self.slices.store.touch(position, used);
                position
            }
            None => self.begin((key.hash, line.key_bytes(key)), moment, around),
        };
        for at in 0..self.scratch.asked.len() {
            let (memory, number) = self.scratch.asked[at];
            self.memory.insert((position, memory), Value::new((number.kind, line.str(number))));
        }
        self.said(position, letters, (moment, behind), around)?;
        // Where some part is missing the line stands for itself.
        if !key.whole {
            self.forget_slice(position);
        }
        Ok(())
    }

    /// How many slices there are.
    pub(crate) fn open(&self) -> usize {
        self.slices.store.len()
    }
}

/// Says, once a line, that it cannot be decided what the line means: a wrong guess would be a pass, or a wrong blame.
pub(crate) fn cannot_decide(
    line: &mut Evaluated<'_>,
    unclear: Slot,
    (moment, view): (Moment, Option<&View>),
    around: &mut Around<'_>,
) {
    if !line.memo.first_unclear() {
        return;
    }
    around.stats.bad += 1;
    let message = format!("it cannot be decided what the line means: {}", line.why(unclear));
    let mut finding = Finding::new(Kind::BadLine, Level::Must, message, Some(moment.at));
    finding.view = view.map(|view| view.name.text.clone());
    around.sink.finding(finding);
}
