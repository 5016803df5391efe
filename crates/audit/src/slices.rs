//! The slices of a view: one for each key, and which of them a key with `*` means.

mod trail;

use std::borrow::Cow;
use std::hash::BuildHasher as _;

use rustc_hash::FxHashMap;

use crate::finding::Line;
use crate::judge::{Letter, Standing};
use crate::store::{Hash, Store};
pub(crate) use trail::Trail;

/// A line, in eight bytes: there may be millions of slices, each with several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Packed {
    line: u32,
    /// The file, and what of the line does not fit.
    rest: u32,
}

impl Packed {
    pub(crate) fn new(at: Line) -> Self {
        let high = (at.line >> 32).min(0xffff) as u32;
        Packed { line: at.line as u32, rest: (at.file.min(0xffff) << 16) | high }
    }

    pub(crate) fn line(self) -> Line {
        Line { file: self.rest >> 16, line: (u64::from(self.rest & 0xffff) << 32) | u64::from(self.line) }
    }
}

/// A step that a slice has made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) letter: Letter,
    pub(crate) at: Packed,
}

/// How many steps of a slice are kept, for explanations and for showing them.
pub(crate) const KEPT: usize = 32;

/// What becomes of the lines of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Going {
    /// They are judged.
    On,
    /// It has been given up after a violation, or since there would be too many sets.
    Stopped,
}

/// One slice.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) standing: Standing,
    /// How it stands if it began anew with a line that was not possible.
    pub(crate) anew: Option<Standing>,
    /// How it stood before the first step that an explanation may change.
    pub(crate) base: Standing,
    /// Which of the steps that is.
    pub(crate) from: u16,
    pub(crate) going: Going,
    /// Since which line it stands so.
    pub(crate) since: Packed,
    /// The last steps.
    pub(crate) trail: Trail,
    /// How many steps it has made.
    pub(crate) length: u32,
    /// How many changes would have put it in order.
    pub(crate) cost: u32,
}

impl Slice {
    pub(crate) fn new(begun: Standing, at: Line) -> Self {
        Slice {
            standing: begun,
            anew: None,
            base: begun,
            from: 0,
            going: Going::On,
            since: Packed::new(at),
            trail: Trail::default(),
            length: 0,
            cost: 0,
        }
    }

    /// From here on explanations reach no further back.
    pub(crate) fn settle(&mut self, standing: Standing, at: Line) {
        if self.standing != standing {
            self.since = Packed::new(at);
        }
        self.standing = standing;
        self.base = standing;
        self.from = self.trail.len() as u16;
    }
}

/// A set of keys of any size in a fixed room: a key that is in it is never missed; one that is not may be taken for one that is, the more
/// often the more there are.
#[derive(Default)]
pub(crate) struct Keys(Vec<u64>);

/// Words of 64 bits, as a power of two: 8 MB.
const WORDS: u32 = 20;

impl Keys {
    pub(crate) fn insert(&mut self, key: &[u8]) {
        if self.0.is_empty() {
            self.0 = vec![0; 1 << WORDS];
        }
        let (word, bit) = Keys::place(key);
        self.0[word] |= bit;
    }

    pub(crate) fn may_have(&self, key: &[u8]) -> bool {
        // Nearly always nothing was put in.
        if self.0.is_empty() {
            return false;
        }
        let (word, bit) = Keys::place(key);
        self.0[word] & bit != 0
    }

    fn place(key: &[u8]) -> (usize, u64) {
        let hash = rustc_hash::FxBuildHasher.hash_one(key);
        ((hash >> (64 - WORDS)) as usize, 1 << (hash & 63))
    }
}

/// The slices that agree in some parts of their keys.
#[derive(Default)]
struct Group {
    /// How many there are.
    live: u32,
    /// In the order in which they came; some may be gone since.
    positions: Vec<u32>,
}

/// Slices by those parts of their keys that a key with `*` gives.
struct Grouping {
    /// By part, whether it is given.
    given: Vec<bool>,
    groups: FxHashMap<Box<[u8]>, Group>,
}

/// All slices of a view.
pub(crate) struct Slices {
    pub(crate) store: Store<Slice>,
    groupings: Vec<Grouping>,
}

impl Slices {
    /// For a view whose keys with `*` give these parts.
    pub(crate) fn new(patterns: impl IntoIterator<Item = Vec<bool>>) -> Self {
        let mut groupings: Vec<Grouping> = Vec::new();
        for given in patterns {
            if groupings.iter().all(|grouping| grouping.given != given) {
                groupings.push(Grouping { given, groups: FxHashMap::default() });
            }
        }
        Slices { store: Store::new(), groupings }
    }

    pub(crate) fn insert(&mut self, (hash, key): (Hash, &[u8]), slice: Slice, now: i64) -> u32 {
        let position = self.store.insert((hash, key), slice, now);
        for grouping in &mut self.groupings {
            let store = &self.store;
            let part = restricted(key, &grouping.given);
            let group = match grouping.groups.get_mut(&*part) {
                Some(group) => group,
                None => grouping.groups.entry(part.into_owned().into()).or_default(),
            };
            if group.positions.len() >= 64 && group.positions.len() as u32 >= 2 * group.live {
                let part = restricted(key, &grouping.given);
                group.positions.retain(|other| {
                    *other != position
                        && store.get(*other).is_some()
                        && restricted(store.key(*other), &grouping.given) == part
                });
            }
            group.live += 1;
            group.positions.push(position);
        }
        position
    }

    pub(crate) fn remove(&mut self, position: u32) {
        for grouping in &mut self.groupings {
            let part = restricted(self.store.key(position), &grouping.given);
            if self.store.get(position).is_none() {
                return;
            }
            if let Some(group) = grouping.groups.get_mut(&*part) {
                group.live -= 1;
                if group.live == 0 {
                    grouping.groups.remove(&*part);
                }
            }
        }
        self.store.remove(position);
    }

    /// The slices whose keys have these parts where they are given, in the order in which they came.
    pub(crate) fn matching(&self, key: &[u8], given: &[bool]) -> Vec<u32> {
        let part = restricted(key, given);
        let grouping = self.groupings.iter().find(|grouping| grouping.given == given);
        let Some(group) = grouping.and_then(|grouping| grouping.groups.get(&*part)) else {
            return Vec::new();
        };
        let is_one = |position: &&u32| {
            self.store.get(**position).is_some() && restricted(self.store.key(**position), given) == part
        };
        let mut found: Vec<u32> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for position in group.positions.iter().filter(is_one) {
            if seen.insert(*position) {
                found.push(*position);
            }
        }
        found
    }
}

/// The parts of a key that are given. Mostly they are the first ones, and nothing is copied.
fn restricted<'k>(key: &'k [u8], given: &[bool]) -> Cow<'k, [u8]> {
    let count = given.iter().take_while(|given| **given).count();
    let mut parts = key.split_inclusive(|byte| *byte == 0xff);
    if given[count..].iter().any(|given| *given) {
        let parts = parts.zip(given).filter(|(_, given)| **given);
        return parts.flat_map(|(part, _)| part.iter().copied()).collect();
    }
    let length = parts.by_ref().take(count).map(<[u8]>::len).sum();
    Cow::Borrowed(&key[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_were_put_in_are_not_missed() {
        let mut keys = Keys::default();
        let key = |n: u32| n.to_le_bytes();
        assert!((0..1000).all(|n| !keys.may_have(&key(n))));
        (0..100_000).for_each(|n| keys.insert(&key(n)));
        assert!((0..100_000).all(|n| keys.may_have(&key(n))));
        let others = (100_000..200_000).filter(|n| keys.may_have(&key(*n))).count();
        assert!(others < 2_000, "{others}");
    }

    #[test]
    fn lines_of_several_files_are_packed() {
        for at in [Line { file: 0, line: 1 }, Line { file: 3, line: 5_000_000_000 }] {
            assert_eq!(Packed::new(at).line(), at);
        }
        assert!(std::mem::size_of::<Option<Slice>>() <= 96, "{}", std::mem::size_of::<Slice>());
    }
}
