//! A view at work: lines become labels, slices follow the model.

mod explain;
mod labels;
mod senders;
mod slice;
mod timers;
mod verdicts;

use servanda_engine::{Budget, Halt};
use servanda_model::{Level, Model, Property};

use crate::evaluate::{Ask, Line as Evaluated, NoSlice, push_part};
use crate::finding::{Finding, Kind, Line, Sink};
use crate::judge::{Judge, Letter, Place, Terms};
use crate::mapping::{Mapping, Part, View};
use crate::options::{Options, Stats};
use crate::read::{Slot, ValueKind, compare};
use crate::slices::Slices;
use crate::tables::Now;
use labels::Spoken;
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
    pub(crate) slices: Slices,
    timers: Timers,
    pub(crate) senders: Option<Senders>,
    /// What `increasing` remembers of slices.
    memory: rustc_hash::FxHashMap<(u32, u32), Box<str>>,
    memories: u32,
    scratch: Scratch,
    dropped: bool,
    too_many: bool,
}

/// Room that is used again for every line.
#[derive(Default)]
struct Scratch {
    key: Vec<u8>,
    letters: Vec<Letter>,
    text: String,
    /// Numbers that `increasing` was asked about on this line.
    asked: Vec<(u32, Slot)>,
}

/// What a key comes to on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyed {
    /// All its parts are there.
    Whole,
    /// Some part is missing: the line stands for itself.
    Alone,
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
            let given: Vec<bool> = key.iter().map(|part| matches!(part, Part::Value(_))).collect();
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
            timers: Timers::new(&view.timers, &mut judge),
            senders: Senders::new(&mapping.source),
            memory: Default::default(),
            memories: mapping.program.memories,
            scratch: Scratch::default(),
            dropped: false,
            too_many: false,
            judge,
        })
    }

    /// What a line means here.
    pub(crate) fn line(
        &mut self,
        line: &mut Evaluated<'_>,
        words: &[(String, String)],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let view = self.view;
        self.scratch.asked.clear();
        for (rule, event) in view.events.iter().enumerate() {
            if self.applies(line, rule) {
                if event.labels.is_empty() {
                    return Ok(());
                }
                return self.matched(line, rule, words, moment, around);
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

    /// Does the condition of a rule hold?
    #[inline]
    fn applies(&mut self, line: &mut Evaluated<'_>, rule: usize) -> bool {
        let event = &self.view.events[rule];
        if !line.program.of_slice[event.when as usize] {
            return line.holds(event.when, &mut NoSlice);
        }
        let mut asking = Asking {
            key: &self.view.keys[event.key],
            given: self.given[event.key].is_none(),
            keyed: None,
            buffer: &mut self.scratch.key,
            asked: &mut self.scratch.asked,
            judge: &mut self.judge,
            slices: &self.slices,
            places: &self.places,
            memory: &self.memory,
        };
        line.holds(event.when, &mut asking)
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
            letters.push(spoken.letter(line, words, &mut self.judge, &mut self.scratch.text));
        }
        let mut key = std::mem::take(&mut self.scratch.key);
        let keyed = key_of(&self.view.keys[event.key], line, &mut key);
        around.stats.labels += letters.len() as u64;
        let done = match self.given[event.key].clone() {
            Some(given) => {
                let mut done = Ok(());
                for position in self.slices.matching(&key, &given) {
                    done = done.and_then(|()| self.said(position, &letters, moment, around));
                }
                done
            }
            None => self.one(line, (&key, keyed), &letters, moment, around),
        };
        (self.scratch.letters, self.scratch.key) = (letters, key);
        done
    }

    /// Lets the slice of a key hear what a line says.
    fn one(
        &mut self,
        line: &Evaluated<'_>,
        (key, keyed): (&[u8], Keyed),
        letters: &[Letter],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let used = moment.now.by(self.view.forget);
        let position = match self.slices.store.find(key) {
            Some(position) => {
                self.slices.store.touch(position, used);
                position
            }
            None => self.begin(key, moment, around)?,
        };
        for at in 0..self.scratch.asked.len() {
            let (memory, number) = self.scratch.asked[at];
            self.memory.insert((position, memory), line.str(number).into());
        }
        self.said(position, letters, moment, around)?;
        if keyed == Keyed::Alone {
            self.forget_slice(position);
        }
        Ok(())
    }

    /// How many slices there are.
    pub(crate) fn open(&self) -> usize {
        self.slices.store.len()
    }
}

/// Puts a key together.
fn key_of(parts: &[Part], line: &mut Evaluated<'_>, key: &mut Vec<u8>) -> Keyed {
    key.clear();
    let mut keyed = Keyed::Whole;
    for part in parts {
        match part {
            Part::Every => push_part(key, ValueKind::Missing, ""),
            Part::Value(node) => {
                let value = line.value(*node, &mut NoSlice);
                if value.kind == ValueKind::Missing {
                    keyed = Keyed::Alone;
                }
                push_part(key, value.kind, line.str(value));
            }
        }
    }
    keyed
}

/// What the condition of a rule asks about the slice that the rule is about.
struct Asking<'f, 'm> {
    key: &'f [Part],
    /// Is it about one slice?
    given: bool,
    /// The slice, once it has been looked for.
    keyed: Option<Option<u32>>,
    buffer: &'f mut Vec<u8>,
    asked: &'f mut Vec<(u32, Slot)>,
    judge: &'f mut Judge<'m>,
    slices: &'f Slices,
    places: &'f [Option<Place>],
    memory: &'f rustc_hash::FxHashMap<(u32, u32), Box<str>>,
}

impl Asking<'_, '_> {
    fn slice(&mut self, line: &mut Evaluated<'_>) -> Option<u32> {
        if let Some(known) = self.keyed {
            return known;
        }
        let found = match key_of(self.key, line, self.buffer) {
            Keyed::Whole if self.given => self.slices.store.find(self.buffer),
            _ => None,
        };
        *self.keyed.insert(found)
    }
}

impl Ask for Asking<'_, '_> {
    fn is_in(&mut self, line: &mut Evaluated<'_>, state: u32) -> bool {
        let Some(place) = self.places[state as usize] else { return false };
        if !self.given {
            return false;
        }
        let slice = self.slice(line).and_then(|position| self.slices.store.get(position));
        let standing = slice.map_or(self.judge.begin().standing, |slice| slice.standing);
        self.judge.is_in(standing, place)
    }

    fn increases(&mut self, line: &mut Evaluated<'_>, memory: u32, number: Slot) -> bool {
        let slice = self.slice(line);
        if !self.asked.iter().any(|(known, _)| *known == memory) {
            self.asked.push((memory, number));
        }
        let last = slice.and_then(|position| self.memory.get(&(position, memory)));
        last.is_none_or(|last| compare(line.str(number), last).is_gt())
    }
}
