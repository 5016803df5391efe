//! What the condition of a rule asks about a slice.

use rustc_hash::FxHashMap;

use crate::evaluate::{Ask, Line as Evaluated};
use crate::judge::{Judge, Place};
use crate::mapping::KeyId;
use crate::read::{Slot, compare};
use crate::slices::Slices;
use crate::tables::Value;

/// What the condition of a rule asks about the slice that the rule is about.
pub(super) struct Asking<'f, 'm> {
    pub(super) key: KeyId,
    /// Is it about one slice?
    pub(super) given: bool,
    /// The slice that was looked for last.
    pub(super) found: &'f mut Option<(KeyId, Option<u32>)>,
    pub(super) asked: &'f mut Vec<(u32, Slot)>,
    pub(super) judge: &'f mut Judge<'m>,
    pub(super) slices: &'f Slices,
    pub(super) places: &'f [Option<Place>],
    pub(super) memory: &'f FxHashMap<(u32, u32), Value>,
}

impl Asking<'_, '_> {
    fn slice(&mut self, line: &mut Evaluated<'_>) -> Option<u32> {
        if let Some((key, known)) = *self.found
            && key == self.key
        {
            return known;
        }
        let key = line.key(self.key);
        let is_one = key.whole && self.given;
        let found = if is_one { self.slices.store.find(key.hash, line.key_bytes(key)) } else { None };
        *self.found = Some((self.key, found));
        found
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
        last.is_none_or(|last| compare(line.str(number), last.get().1).is_gt())
    }
}
