//! What lines have stored for later ones to recall.

use rustc_hash::FxHashMap;

use crate::finding::Line;
use crate::mapping::Forget;
use crate::read::{Nanos, ValueKind};
use crate::store::{Hash, Store};

/// A value; most are short and need no place of their own.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Inside(ValueKind, u8, [u8; INSIDE]),
    Outside(ValueKind, Box<str>),
}

/// How many bytes are short: so many that a value takes no more room than one that lies outside.
const INSIDE: usize = 21;

impl Value {
    pub(crate) fn new((kind, text): (ValueKind, &str)) -> Self {
        let mut bytes = [0; INSIDE];
        match bytes.get_mut(..text.len()) {
            Some(inside) => {
                inside.copy_from_slice(text.as_bytes());
                Value::Inside(kind, text.len() as u8, bytes)
            }
            None => Value::Outside(kind, text.into()),
        }
    }

    pub(crate) fn get(&self) -> (ValueKind, &str) {
        match self {
            Value::Inside(kind, length, bytes) => {
                (*kind, std::str::from_utf8(&bytes[..usize::from(*length)]).unwrap_or(""))
            }
            Value::Outside(kind, text) => (*kind, text),
        }
    }
}

struct Table {
    store: Store<Value>,
    forget: Option<Forget>,
}

/// Something by table and key.
type ByKey<T> = FxHashMap<(u32, Box<[u8]>), T>;

/// What a trial has stored.
type Tried = ByKey<(ValueKind, String)>;

/// The tables of a mapping.
pub(crate) struct Tables {
    tables: Vec<Table>,
    /// How many keys each may have.
    most: usize,
    /// How many were dropped because there were too many.
    pub(crate) dropped: u64,
    /// What lines on trial would store.
    trial: Option<Tried>,
    /// Which lines have stored what, where the order of lines is in question.
    origins: Option<Origins>,
}

/// Which lines have stored what, as long as others may have come before them.
struct Origins {
    window: Nanos,
    by_key: ByKey<(Line, i64)>,
    /// How many there may be before those are looked for that are too old.
    most: usize,
}

/// When something happens, in both ways of counting.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Now {
    /// How many lines there have been.
    pub(crate) lines: i64,
    /// The latest time of a line.
    pub(crate) time: i64,
}

impl Now {
    /// By the clock that a rule counts on.
    pub(crate) fn by(self, forget: Option<Forget>) -> i64 {
        match forget {
            Some(Forget::After(_)) => self.time,
            Some(Forget::Lines(_)) | None => self.lines,
        }
    }

    /// The last moment that is forgotten now.
    pub(crate) fn forgotten(self, forget: Forget) -> i64 {
        match forget {
            Forget::After(nanos) => self.time.saturating_sub(nanos).saturating_sub(1),
            Forget::Lines(lines) => self.lines.saturating_sub(lines).saturating_sub(1),
        }
    }
}

impl Tables {
    pub(crate) fn new(forget: impl IntoIterator<Item = Option<Forget>>, most: usize) -> Self {
        let tables = forget.into_iter().map(|forget| Table { store: Store::new(), forget }).collect();
        Tables { tables, most: most.max(1), dropped: 0, trial: None, origins: None }
    }

    /// Notes from here on which line has stored what, for so long.
    pub(crate) fn note_origins(&mut self, window: Nanos) {
        self.origins = Some(Origins { window, by_key: FxHashMap::default(), most: 1024 });
    }

    /// Notes that a line has stored something.
    pub(crate) fn note(&mut self, table: u32, key: &[u8], at: Line, now: Now) {
        let Some(origins) = self.origins.as_mut().filter(|_| self.trial.is_none()) else { return };
        origins.by_key.insert((table, key.into()), (at, now.time));
        if origins.by_key.len() > origins.most {
            let limit = now.time.saturating_sub(origins.window);
            origins.by_key.retain(|_, (_, time)| *time >= limit);
            origins.most = (2 * origins.by_key.len()).max(1024);
        }
    }

    /// The line that has stored what is under a key, where that is noted.
    pub(crate) fn origin(&self, table: u32, key: &[u8]) -> Option<Line> {
        let origins = self.origins.as_ref()?;
        Some(origins.by_key.get(&(table, key.into()))?.0)
    }

    /// From here on nothing is stored for good, or it is again and what was stored meanwhile is forgotten.
    pub(crate) fn try_out(&mut self, is_trial: bool) {
        self.trial = is_trial.then(FxHashMap::default);
    }

    /// What is stored under a key.
    #[inline]
    pub(crate) fn recall(&self, table: u32, hash: Hash, key: &[u8]) -> Option<(ValueKind, &str)> {
        if let Some(trial) = self.trial.as_ref().filter(|trial| !trial.is_empty())
            && let Some((kind, text)) = trial.get(&(table, key.into()))
        {
            return (*kind != ValueKind::Missing).then_some((*kind, text));
        }
        let store = &self.tables[table as usize].store;
        Some(store.get(store.find(hash, key)?)?.get())
    }

    /// Stores a value, or nothing instead of what was there.
    pub(crate) fn store(
        &mut self,
        table: u32,
        (hash, key): (Hash, &[u8]),
        value: (ValueKind, &str),
        now: Now,
    ) {
        if let Some(trial) = &mut self.trial {
            trial.insert((table, key.into()), (value.0, value.1.to_owned()));
            return;
        }
        let Table { store, forget } = &mut self.tables[table as usize];
        let used = now.by(*forget);
        let is_nothing = value.0 == ValueKind::Missing;
        match store.find(hash, key) {
            Some(position) if is_nothing => {
                store.remove(position);
            }
            Some(position) => {
                if let Some(known) = store.get_mut(position).filter(|known| known.get() != value) {
                    *known = Value::new(value);
                }
                store.touch(position, used);
            }
            None if is_nothing => {}
            None => {
                store.insert((hash, key), Value::new(value), used);
            }
        }
        if let Some(forget) = *forget {
            let limit = now.forgotten(forget);
            while let Some((oldest, _)) = store.oldest().filter(|(_, used)| *used <= limit) {
                store.remove(oldest);
            }
        }
        while store.len() > self.most {
            let Some((oldest, _)) = store.oldest() else { break };
            store.remove(oldest);
            self.dropped += 1;
        }
    }

    /// How many keys there are in all of them.
    pub(crate) fn len(&self) -> usize {
        self.tables.iter().map(|table| table.store.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_as_they_are_and_take_little_room() {
        for text in ["", "tools/call", "exactly-21-bytes-long", "more than can be kept inside"] {
            assert_eq!(Value::new((ValueKind::Text, text)).get(), (ValueKind::Text, text));
        }
        assert_eq!(std::mem::size_of::<Option<Value>>(), 24);
    }
}
