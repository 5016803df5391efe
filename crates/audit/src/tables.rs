//! What lines have stored for later ones to recall.

use crate::mapping::Forget;
use crate::read::ValueKind;
use crate::store::Store;

/// A text; most are short and need no place of their own.
enum Short {
    Inside(u8, [u8; INSIDE]),
    Outside(Box<str>),
}

/// How many bytes are short.
const INSIDE: usize = 22;

impl Short {
    fn new(text: &str) -> Self {
        let mut bytes = [0; INSIDE];
        match bytes.get_mut(..text.len()) {
            Some(inside) => {
                inside.copy_from_slice(text.as_bytes());
                Short::Inside(text.len() as u8, bytes)
            }
            None => Short::Outside(text.into()),
        }
    }

    fn text(&self) -> &str {
        match self {
            Short::Inside(length, bytes) => std::str::from_utf8(&bytes[..usize::from(*length)]).unwrap_or(""),
            Short::Outside(text) => text,
        }
    }
}

struct Table {
    store: Store<(ValueKind, Short)>,
    forget: Option<Forget>,
}

/// The tables of a mapping.
pub(crate) struct Tables {
    tables: Vec<Table>,
    /// How many keys each may have.
    most: usize,
    /// How many were dropped because there were too many.
    pub(crate) dropped: u64,
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
        Tables { tables, most: most.max(1), dropped: 0 }
    }

    /// What is stored under a key.
    #[inline]
    pub(crate) fn recall(&self, table: u32, key: &[u8]) -> Option<(ValueKind, &str)> {
        let store = &self.tables[table as usize].store;
        let (kind, text) = store.get(store.find(key)?)?;
        Some((*kind, text.text()))
    }

    /// Stores a value, or nothing instead of what was there.
    pub(crate) fn store(&mut self, table: u32, key: &[u8], value: (ValueKind, &str), now: Now) {
        let Table { store, forget } = &mut self.tables[table as usize];
        let used = now.by(*forget);
        let (kind, text) = value;
        match store.find(key) {
            Some(position) if kind == ValueKind::Missing => {
                store.remove(position);
            }
            Some(position) => {
                if let Some(value) =
                    store.get_mut(position).filter(|(known, old)| (*known, old.text()) != (kind, text))
                {
                    *value = (kind, Short::new(text));
                }
                store.touch(position, used);
            }
            None if kind == ValueKind::Missing => {}
            None => {
                store.insert(key, (kind, Short::new(text)), used);
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
