//! A line on trial: what it would do to the slices that it is about, on copies of them.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::Halt;

use super::senders::Senders;
use super::timers::Timers;
use super::{Around, Follower, Moment};
use crate::evaluate::Line as Evaluated;
use crate::plan::Candidate;
use crate::slices::Slices;
use crate::store::Hash;
use crate::tables::Value;

/// Copies of the slices of a view that a line is about, which stand in for them while it is tried.
pub(crate) struct Aside {
    slices: Slices,
    timers: Timers,
    senders: Option<Senders>,
    memory: FxHashMap<(u32, u32), Value>,
    flags: (bool, bool, bool),
    /// The keys whose slices have been copied, or were not there.
    copied: FxHashSet<Vec<u8>>,
}

impl<'m> Follower<'m> {
    /// Nothing copied yet.
    pub(crate) fn aside(&mut self) -> Aside {
        Aside {
            slices: Slices::new(self.given.iter().flatten().cloned()),
            timers: Timers::new(&self.view.timers, &mut self.judge),
            senders: self.senders.as_ref().map(Senders::empty),
            memory: FxHashMap::default(),
            flags: (self.dropped, self.too_many, self.untimed),
            copied: FxHashSet::default(),
        }
    }

    /// What a line would mean here; it changes copies only.
    pub(crate) fn tries(
        &mut self,
        aside: &mut Aside,
        (line, candidates): (&mut Evaluated<'_>, &[Candidate]),
        words: &[(String, String)],
        moment: Moment,
        around: &mut Around<'_>,
    ) -> Result<(), Halt> {
        let view = self.view;
        for (id, given) in view.keys.iter().zip(&self.given) {
            if given.is_none() {
                let key = line.key(*id);
                let found = self.slices.store.find(key.hash, line.key_bytes(key));
                copy(self, aside, found, (key.hash, line.key_bytes(key)));
            }
        }
        self.exchange(aside);
        self.scratch.asked.clear();
        self.scratch.found = None;
        let rule = candidates.iter().find(|candidate| self.applies(line, candidate) != Ok(false));
        self.exchange(aside);
        // Who is addressed by a key with `*` is copied only where the line does address them: they may be many.
        if let Some(event) = rule.map(|candidate| &view.events[candidate.rule as usize])
            && let Some(given) = &self.given[event.key]
        {
            let key = line.key(view.keys[event.key]);
            for position in self.slices.matching(line.key_bytes(key), given) {
                let own = self.slices.store.key(position).to_vec();
                copy(self, aside, Some(position), (Hash::new(&own), &own));
            }
        }
        self.exchange(aside);
        let tried = self.line(line, candidates, words, moment, around);
        self.exchange(aside);
        tried
    }

    /// Puts the copies in the place of what they are copies of, or back.
    fn exchange(&mut self, aside: &mut Aside) {
        std::mem::swap(&mut self.slices, &mut aside.slices);
        std::mem::swap(&mut self.timers, &mut aside.timers);
        std::mem::swap(&mut self.senders, &mut aside.senders);
        std::mem::swap(&mut self.memory, &mut aside.memory);
        std::mem::swap(&mut self.dropped, &mut aside.flags.0);
        std::mem::swap(&mut self.too_many, &mut aside.flags.1);
        std::mem::swap(&mut self.untimed, &mut aside.flags.2);
    }
}

/// Copies a slice with what belongs to it, unless that has been done.
fn copy(follower: &Follower<'_>, aside: &mut Aside, position: Option<u32>, (hash, key): (Hash, &[u8])) {
    if !aside.copied.insert(key.to_vec()) {
        return;
    }
    let Some((from, slice)) =
        position.and_then(|position| Some((position, follower.slices.store.get(position)?)))
    else {
        return;
    };
    let to = aside.slices.insert((hash, key), slice.clone(), 0);
    for memory in 0..follower.memories {
        if let Some(last) = follower.memory.get(&(from, memory)) {
            aside.memory.insert((to, memory), last.clone());
        }
    }
    if let (Some(original), Some(copy)) = (&follower.senders, &mut aside.senders) {
        copy.copy(original, from, to);
    }
}
