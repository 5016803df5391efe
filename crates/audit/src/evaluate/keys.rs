//! Keys of slices and of entries of tables, put together once a line.

use super::{Ask, Line, NoSlice};
use crate::mapping::{KeyId, NodeId, Part};
use crate::read::{Slot, ValueKind};
use crate::store::Hash;

/// A key of a line, put together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(crate) hash: Hash,
    /// Are all its parts there? Otherwise the line stands for itself.
    pub(crate) whole: bool,
}

impl Key {
    pub(super) const NONE: Key = Key { start: 0, end: 0, hash: Hash::NONE, whole: false };
}

impl Line<'_> {
    pub(super) fn recall(&mut self, node: NodeId, (table, key): (u32, KeyId), ask: &mut dyn Ask) -> Slot {
        let of_slice = self.program.of_slice[node as usize];
        // Whose parts depend on the slice is put together anew.
        let key = if of_slice { self.join(key, ask) } else { self.key(key) };
        let tables = self.tables;
        let found = if key.whole { tables.recall(table, key.hash, self.key_bytes(key)) } else { None };
        if let Some(origin) = found.and_then(|_| tables.origin(table, self.key_bytes(key))) {
            self.memo.recalled.push((node, origin));
        }
        found.map_or(Slot::MISSING, |(kind, text)| self.made(kind, text))
    }

    /// A key that does not depend on the slice, put together once a line.
    #[inline]
    pub(crate) fn key(&mut self, key: KeyId) -> Key {
        let (epoch, known) = self.memo.keys[key as usize];
        if epoch == self.memo.epoch {
            return known;
        }
        let made = self.join(key, &mut NoSlice);
        self.memo.keys[key as usize] = (self.memo.epoch, made);
        made
    }

    /// What a key is.
    #[inline]
    pub(crate) fn key_bytes(&self, key: Key) -> &[u8] {
        self.memo.key_bytes(key)
    }

    fn join(&mut self, key: KeyId, ask: &mut dyn Ask) -> Key {
        let program = self.program;
        // Parts may recall by keys of their own, so this one is made aside.
        let mut bytes = std::mem::take(&mut self.memo.key);
        bytes.clear();
        let mut whole = true;
        for part in &program.keys[key as usize] {
            match part {
                Part::Every => push_part(&mut bytes, ValueKind::Missing, ""),
                Part::Value(node) => {
                    let value = self.value(*node, ask);
                    whole &= !matches!(value.kind, ValueKind::Missing | ValueKind::Unclear);
                    push_part(&mut bytes, value.kind, self.str(value));
                }
            }
        }
        let start = self.memo.key_bytes.len();
        self.memo.key_bytes.extend_from_slice(&bytes);
        let hash = Hash::new(&bytes);
        self.memo.key = bytes;
        Key { start: start as u32, end: self.memo.key_bytes.len() as u32, hash, whole }
    }
}

/// Separates the parts of a key: no text contains this byte.
const BETWEEN: u8 = 0xff;

/// Adds a value to a key, as it is written: `1` and `"1"` are two keys.
#[inline]
fn push_part(key: &mut Vec<u8>, kind: ValueKind, text: &str) {
    key.push(match kind {
        ValueKind::Missing | ValueKind::Unclear => b'?',
        ValueKind::Null => b'n',
        ValueKind::False => b'f',
        ValueKind::True => b't',
        ValueKind::Number => b'#',
        ValueKind::Text | ValueKind::Escaped => b'"',
        ValueKind::Whole => b'{',
    });
    if matches!(kind, ValueKind::Number | ValueKind::Text | ValueKind::Whole) {
        key.extend_from_slice(text.as_bytes());
    }
    key.push(BETWEEN);
}

/// The parts of a key as they are shown.
pub(crate) fn parts_of(key: &[u8]) -> impl Iterator<Item = String> {
    let parts = key.strip_suffix(&[BETWEEN]).map(|key| key.split(|byte| *byte == BETWEEN));
    parts.into_iter().flatten().map(|part| match part {
        [b'?', ..] => "(missing)".to_owned(),
        [b'n', ..] => "null".to_owned(),
        [b'f', ..] => "false".to_owned(),
        [b't', ..] => "true".to_owned(),
        [_, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        [] => String::new(),
    })
}
