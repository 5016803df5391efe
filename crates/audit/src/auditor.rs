//! Lines in, findings out.

mod trial;

use servanda_engine::{Budget, Halt, Progress};
use servanda_model::Level;

use crate::evaluate::{Key, Line as Evaluated, Memo, NoSlice};
use crate::finding::{Finding, Kind, Line, Sink};
use crate::follow::{Around, Aside, Asked, Follower, Moment, cannot_decide};
use crate::mapping::{Mapping, Order};
use crate::options::{Options, Stats};
use crate::order::Sorter;
use crate::plan::{Conditions, Plans};
use crate::read::{LONGEST, Records, Slot, ValueKind, elements, moment, plain};
use crate::tables::{Now, Tables};

/// How many lines are read between two questions to the budget.
const ASK_EVERY: u64 = 1 << 12;

/// An audit of one log.
pub struct Auditor<'m> {
    mapping: &'m Mapping,
    followers: Vec<Follower<'m>>,
    words: Vec<(String, String)>,
    options: Options,
    tables: Tables,
    memo: Memo,
    plans: Plans<'m>,
    slots: Vec<Slot>,
    stores: Vec<Stored>,
    now: Now,
    stats: Stats,
    sorter: Option<Sorter>,
    records: Records,
    /// It has been said that lines that are to be sorted have no time.
    untimed: bool,
}

impl<'m> Auditor<'m> {
    /// Prepares to audit a log: with the model of each view of the mapping, in their order.
    ///
    /// # Errors
    ///
    /// A model cannot be followed, or the budget says stop.
    pub fn new(
        mapping: &'m Mapping,
        models: &[Asked<'m>],
        options: Options,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let mut followers = Vec::new();
        // Who is no role of a view sees nothing of it; who is none of any view is a mistake, which the first one tells.
        let has =
            |asked: &Asked<'_>, role: &String| asked.model.agents.iter().any(|agent| agent.name == *role);
        let role = options.seen_by.as_ref().filter(|role| models.iter().any(|asked| has(asked, role)));
        for (view, asked) in mapping.views.iter().zip(models) {
            if role.is_some_and(|role| !has(asked, role)) {
                continue;
            }
            if options.view.as_ref().is_none_or(|only| *only == view.name.text) {
                followers.push(Follower::new(mapping, view, *asked, &options, budget)?);
            }
        }
        let words = mapping.words.iter().map(|(word, of_model)| (word.text.clone(), of_model.text.clone()));
        let slots = mapping.pointers.slots() + mapping.each.slots();
        let source = &mapping.source;
        let conditions = |follower: &Follower<'m>| Conditions {
            conditions: follower.view.events.iter().map(|event| event.when).collect(),
            first: true,
        };
        let stored = mapping.tables.iter().map(|table| table.when).collect();
        let mut lists: Vec<Conditions> = followers.iter().map(conditions).collect();
        lists.push(Conditions { conditions: stored, first: false });
        let mut tables = Tables::new(mapping.tables.iter().map(|table| table.forget), options.max_keys);
        if source.order == Order::PerSender {
            tables.note_origins(source.window);
        }
        Ok(Auditor {
            mapping,
            followers,
            words: words.collect(),
            tables,
            options,
            memo: Memo::new(&mapping.program),
            plans: Plans::new(&mapping.program, lists),
            slots: vec![Slot::MISSING; slots],
            stores: Vec::new(),
            now: Now { lines: 0, time: i64::MIN },
            stats: Stats::default(),
            sorter: (source.order == Order::Time).then(|| Sorter::new(source.window)),
            records: Records::new(source.format, mapping.pointers.names()),
            untimed: false,
        })
    }

    /// What has been counted so far.
    pub fn stats(&self) -> Stats {
        let live = self.followers.iter().map(Follower::open).sum::<usize>();
        let sets = self.followers.iter().map(|follower| follower.judge.standings()).sum::<usize>();
        Stats {
            live: live as u64,
            sets: sets as u64,
            stored: self.tables.len() as u64,
            dropped: self.stats.dropped + self.tables.dropped,
            ..self.stats
        }
    }

    /// Reads a line, without its end.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn push(
        &mut self,
        line: &[u8],
        at: Line,
        sink: &mut dyn Sink,
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        self.stats.lines += 1;
        if self.stats.lines.is_multiple_of(ASK_EVERY) {
            Progress::Reading { lines: self.stats.lines }.tell(budget)?;
        }
        let line = plain(line, at.line == 1);
        let text = match std::str::from_utf8(line) {
            _ if line.len() > LONGEST => return self.bad("a line of more than a gigabyte", at, sink),
            Ok(text) => text,
            Err(error) => {
                let why = format!("not UTF-8 at byte {}", error.valid_up_to() + 1);
                return self.bad(&why, at, sink);
            }
        };
        if let Records::Lines = self.records {
            return if is_blank(text) { Ok(()) } else { self.record(text, at, sink, budget) };
        }
        let mut found = Vec::new();
        if let Err(why) = self.records.push(text, at, &mut found) {
            self.bad(&why, at, sink)?;
        }
        found.into_iter().try_for_each(|(text, at)| self.record(&text, at, sink, budget))
    }

    /// The log is over. `complete`: it is whole, and what is open is judged on the runs that stand still.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn finish(&mut self, complete: bool, sink: &mut dyn Sink, budget: &dyn Budget) -> Result<(), Halt> {
        let mut found = Vec::new();
        if let Err((why, at)) = self.records.finish(&mut found) {
            self.bad(&why, at, sink)?;
        }
        found.into_iter().try_for_each(|(text, at)| self.record(&text, at, sink, budget))?;
        while let Some(held) = self.sorter.as_mut().and_then(Sorter::rest) {
            self.sorted(&held.text, held.at, sink, budget)?;
        }
        let Auditor { followers, options, stats, .. } = self;
        let mut around = Around { options, stats, sink, budget };
        for follower in followers {
            follower.nothing_more(&mut around)?;
            if complete {
                follower.end_all(&mut around);
            }
        }
        Ok(())
    }

    /// A line that is too long to be kept.
    ///
    /// # Errors
    ///
    /// None: it is reported, and the audit goes on.
    pub fn too_long(&mut self, at: Line, sink: &mut dyn Sink) -> Result<(), Halt> {
        self.stats.lines += 1;
        self.bad("it is too long", at, sink)
    }

    /// Reports a line that cannot be read, and goes on.
    fn bad(&mut self, why: &str, at: Line, sink: &mut dyn Sink) -> Result<(), Halt> {
        self.stats.bad += 1;
        sink.finding(unreadable(why, at));
        Ok(())
    }

    /// A record: kept back where lines are sorted, otherwise judged.
    fn record(&mut self, text: &str, at: Line, sink: &mut dyn Sink, budget: &dyn Budget) -> Result<(), Halt> {
        self.stats.records += 1;
        if let Err(bad) = self.mapping.pointers.read(text, &mut self.slots[..self.mapping.pointers.slots()]) {
            return self.bad(&bad.to_string(), at, sink);
        }
        if self.sorter.is_none() {
            return self.judge(text, at, sink, budget);
        }
        let time = self.time(text);
        if time.is_none() && !std::mem::replace(&mut self.untimed, true) {
            let message = "the line has no time that can be read: such lines are judged where they stand, and their order is not known";
            sink.finding(Finding::new(Kind::Limit, Level::May, message, Some(at)));
        }
        let Some(sorter) = &mut self.sorter else { return Ok(()) };
        if sorter.push(text, at, time) {
            self.stats.late += 1;
            let message =
                "this line is older than one that has been judged: it came later than the window allows";
            sink.finding(Finding::new(Kind::LateLine, Level::May, message, Some(at)));
            return self.judge(text, at, sink, budget);
        }
        while let Some(held) = self.sorter.as_mut().and_then(Sorter::next) {
            self.sorted(&held.text, held.at, sink, budget)?;
        }
        Ok(())
    }

    /// A record that was kept back, whose fields have to be read again.
    fn sorted(&mut self, text: &str, at: Line, sink: &mut dyn Sink, budget: &dyn Budget) -> Result<(), Halt> {
        let slots = &mut self.slots[..self.mapping.pointers.slots()];
        match self.mapping.pointers.read(text, slots) {
            Ok(()) => self.judge(text, at, sink, budget),
            Err(_) => Ok(()),
        }
    }

    /// The time of the record whose fields have been read.
    fn time(&mut self, text: &str) -> Option<i64> {
        let slot = self.slots[self.mapping.source.time? as usize];
        let value = text.get(slot.start as usize..slot.end as usize)?;
        moment(slot.kind, value, self.mapping.source.unit)
    }

    /// Judges a record whose fields have been read.
    fn judge(&mut self, text: &str, at: Line, sink: &mut dyn Sink, budget: &dyn Budget) -> Result<(), Halt> {
        self.now.lines += 1;
        let moment = self.reached(text, at, sink, budget)?;
        self.parts(text, |auditor| auditor.views((text, moment), None, sink, budget))
    }

    /// The time of a record has come: timers that are over by then say what they have to say.
    fn reached(
        &mut self,
        text: &str,
        at: Line,
        sink: &mut dyn Sink,
        budget: &dyn Budget,
    ) -> Result<Moment, Halt> {
        let time = self.time(text);
        if let Some(time) = time {
            self.now.time = self.now.time.max(time);
            let moment = Moment { at, time: Some(time), now: self.now };
            let Auditor { followers, options, stats, .. } = self;
            let mut around = Around { options, stats, sink, budget };
            for follower in followers {
                follower.timers_over(time, moment, &mut around)?;
                follower.time_passes(time, &mut around)?;
            }
        }
        Ok(Moment { at, time, now: self.now })
    }

    /// Reads the fields of one part of a record after the other, where it has parts.
    fn parts(&mut self, text: &str, mut then: impl FnMut(&mut Self) -> Result<(), Halt>) -> Result<(), Halt> {
        let Some(each) = self.mapping.source.each else { return then(self) };
        let slot = self.slots[each as usize];
        let mut places = Vec::new();
        if slot.kind == ValueKind::Whole {
            let array = text.get(slot.start as usize..slot.end as usize).unwrap_or("");
            elements(array, |start, end| {
                places.push((start + slot.start as usize, end + slot.start as usize))
            });
        }
        let first = self.mapping.pointers.slots();
        if places.is_empty() {
            self.slots[first..].fill(Slot::MISSING);
            return then(self);
        }
        for (start, end) in places {
            let inner = text.get(start..end).unwrap_or("");
            // The element has been read as a part of the line.
            if self.mapping.each.read(inner, &mut self.slots[first..]).is_ok() {
                for slot in &mut self.slots[first..] {
                    slot.start += start as u32;
                    slot.end += start as u32;
                }
                then(self)?;
            }
        }
        Ok(())
    }

    /// Lets all views see a record, or try it on copies of their slices, then the tables.
    fn views(
        &mut self,
        (text, moment): (&str, Moment),
        mut trial: Option<&mut [Aside]>,
        sink: &mut dyn Sink,
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        let Auditor {
            mapping,
            followers,
            words,
            options,
            tables,
            memo,
            plans,
            slots,
            stores,
            stats,
            now,
            ..
        } = self;
        memo.next();
        let program = &mapping.program;
        let mut around = Around { options, stats, sink, budget };
        let mut line = Evaluated { program, text, slots, tables, memo };
        let plan = plans.plan(&mut line);
        for (number, (follower, candidates)) in followers.iter_mut().zip(plan).enumerate() {
            match trial.as_deref_mut().and_then(|trial| trial.get_mut(number)) {
                None => follower.line(&mut line, candidates, words, moment, &mut around)?,
                Some(aside) => follower.tries(aside, (&mut line, candidates), words, moment, &mut around)?,
            }
        }
        // All are looked at before one is changed: a line recalls what lines before it have stored.
        stores.clear();
        for candidate in plan.last().into_iter().flatten() {
            let table = &mapping.tables[candidate.rule as usize];
            let stored = line.hold(&candidate.rest, &mut NoSlice).and_then(|holds| {
                let key = if holds { line.key(table.key) } else { return Ok(None) };
                match line.value(table.value, &mut NoSlice) {
                    value if value.kind == ValueKind::Unclear => Err(value),
                    value => Ok(key.whole.then_some(Stored { table: candidate.rule, key, value })),
                }
            });
            match stored {
                Ok(stored) => stores.extend(stored),
                Err(unclear) => cannot_decide(&mut line, unclear, (moment, None), &mut around),
            }
        }
        let dropped = tables.dropped;
        for stored in &*stores {
            let value = (stored.value.kind, memo.str(program, text, stored.value));
            let key = memo.key_bytes(stored.key);
            tables.store(stored.table, (stored.key.hash, key), value, *now);
            tables.note(stored.table, key, moment.at, *now);
        }
        if dropped == 0 && tables.dropped > 0 {
            let message = format!(
                "more than {} entries of a table: those not used for longest are dropped, and cannot be recalled",
                options.max_keys
            );
            around.sink.finding(Finding::new(Kind::Limit, Level::May, message, Some(moment.at)));
        }
        Ok(())
    }
}

/// What a line stores in a table.
struct Stored {
    table: u32,
    key: Key,
    value: Slot,
}

fn unreadable(why: &str, at: Line) -> Finding {
    Finding::new(Kind::BadLine, Level::Must, format!("the line cannot be read: {why}"), Some(at))
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
