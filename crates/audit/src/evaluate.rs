//! What expressions are worth on a line. Each part is evaluated at most once a line, unless it depends on the slice.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::mapping::{KeyId, Node, NodeId, Operator, Part, Program};
use crate::read::{Pool, Slot, ValueKind, add, compare, decode, is_number};
use crate::store::Hash;
use crate::tables::Tables;

/// What an expression may ask about the slice that its rule is about.
pub(crate) trait Ask {
    /// May the slice be in this control state, one of the program's?
    fn is_in(&mut self, line: &mut Line<'_>, state: u32) -> bool;

    /// Is a number larger than the last one that this memory of the slice holds? It holds it from the next line on.
    fn increases(&mut self, line: &mut Line<'_>, memory: u32, number: Slot) -> bool;
}

/// A rule that is about no slice.
pub(crate) struct NoSlice;

impl Ask for NoSlice {
    fn is_in(&mut self, _: &mut Line<'_>, _: u32) -> bool {
        false
    }

    fn increases(&mut self, _: &mut Line<'_>, _: u32, _: Slot) -> bool {
        false
    }
}

/// What is kept from line to line so that nothing is allocated for each.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// For each part when it was evaluated last, and to what.
    values: Vec<(u32, Slot)>,
    epoch: u32,
    scratch: String,
    /// For each key when it was put together last, and where.
    keys: Vec<(u32, Key)>,
    key_bytes: Vec<u8>,
    key: Vec<u8>,
}

/// A key of a line, put together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    start: u32,
    end: u32,
    pub(crate) hash: Hash,
    /// Are all its parts there? Otherwise the line stands for itself.
    pub(crate) whole: bool,
}

impl Key {
    const NONE: Key = Key { start: 0, end: 0, hash: Hash::NONE, whole: false };
}

impl Memo {
    pub(crate) fn new(program: &Program) -> Self {
        Memo {
            values: vec![(0, Slot::MISSING); program.nodes.len()],
            keys: vec![(0, Key::NONE); program.keys.len()],
            ..Memo::default()
        }
    }

    /// Begins a line.
    pub(crate) fn next(&mut self) {
        self.scratch.clear();
        self.key_bytes.clear();
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.values.fill((0, Slot::MISSING));
            self.keys.fill((0, Key::NONE));
            1
        });
    }

    /// The text that a value is in.
    #[inline]
    fn pool<'a>(&'a self, program: &'a Program, line: &'a str, slot: Slot) -> &'a str {
        match slot.pool {
            Pool::Line => line,
            Pool::Scratch => &self.scratch,
            Pool::Constant => &program.constants,
        }
    }

    /// The text of a value.
    #[inline]
    pub(crate) fn str<'a>(&'a self, program: &'a Program, line: &'a str, slot: Slot) -> &'a str {
        self.pool(program, line, slot).get(slot.start as usize..slot.end as usize).unwrap_or("")
    }

    /// What a key is.
    #[inline]
    pub(crate) fn key_bytes(&self, key: Key) -> &[u8] {
        self.key_bytes.get(key.start as usize..key.end as usize).unwrap_or_default()
    }
}

/// A line that expressions are evaluated on.
pub(crate) struct Line<'l> {
    pub(crate) program: &'l Program,
    pub(crate) text: &'l str,
    pub(crate) slots: &'l [Slot],
    pub(crate) tables: &'l Tables,
    pub(crate) memo: &'l mut Memo,
}

impl Line<'_> {
    /// The text of a value.
    #[inline]
    pub(crate) fn str(&self, slot: Slot) -> &str {
        self.memo.str(self.program, self.text, slot)
    }

    /// The text of a value as bytes, for comparing.
    #[inline]
    pub(crate) fn bytes(&self, slot: Slot) -> &[u8] {
        self.memo
            .pool(self.program, self.text, slot)
            .as_bytes()
            .get(slot.start as usize..slot.end as usize)
            .unwrap_or_default()
    }

    /// Does a condition hold?
    #[inline]
    pub(crate) fn holds(&mut self, node: NodeId, ask: &mut dyn Ask) -> bool {
        self.value(node, ask).kind == ValueKind::True
    }

    /// What a part is worth.
    #[inline]
    pub(crate) fn value(&mut self, node: NodeId, ask: &mut dyn Ask) -> Slot {
        let (epoch, known) = self.memo.values[node as usize];
        if epoch == self.memo.epoch {
            return known;
        }
        let value = self.evaluate(node, ask);
        if !self.program.of_slice[node as usize] {
            self.memo.values[node as usize] = (self.memo.epoch, value);
        }
        value
    }

    fn evaluate(&mut self, node: NodeId, ask: &mut dyn Ask) -> Slot {
        let program = self.program;
        match &program.nodes[node as usize] {
            Node::Field(slot) => self.field(*slot),
            Node::Constant(constant) => program.slots[*constant as usize],
            Node::Truth(truth) => Slot::truth(*truth),
            Node::Holds(a) => {
                let value = self.value(*a, ask);
                let text = value.kind == ValueKind::Text && self.str(value) == "true";
                Slot::truth(text || value.kind == ValueKind::True)
            }
            Node::Not(a) => Slot::truth(!self.holds(*a, ask)),
            Node::All(parts) => Slot::truth(parts.iter().all(|part| self.holds(*part, ask))),
            Node::Any(parts) => Slot::truth(parts.iter().any(|part| self.holds(*part, ask))),
            Node::Compare(operator, a, b) => {
                let (a, b) = (self.value(*a, ask), self.value(*b, ask));
                Slot::truth(self.compare(*operator, a, b))
            }
            Node::Has(a) => Slot::truth(self.value(*a, ask).kind != ValueKind::Missing),
            Node::First(parts) => {
                let mut values = parts.iter().map(|part| self.value(*part, ask));
                values.find(|value| value.kind != ValueKind::Missing).unwrap_or(Slot::MISSING)
            }
            Node::If(condition, a, b) => {
                let chosen = if self.holds(*condition, ask) { a } else { b };
                self.value(*chosen, ask)
            }
            Node::Recall(table, key, _) => {
                let of_slice = program.of_slice[node as usize];
                self.recall(*table, *key, of_slice, ask)
            }
            Node::Increasing(memory, a) => {
                let number = self.value(*a, ask);
                Slot::truth(number.kind == ValueKind::Number && ask.increases(self, *memory, number))
            }
            Node::SliceIn(state) => Slot::truth(ask.is_in(self, *state)),
            _ => self.function(node, ask),
        }
    }

    fn field(&mut self, slot: u32) -> Slot {
        let found = self.slots[slot as usize];
        if found.kind != ValueKind::Escaped {
            return found;
        }
        let start = self.memo.scratch.len();
        let raw = self.text.get(found.start as usize..found.end as usize).unwrap_or("");
        decode(raw, &mut self.memo.scratch);
        Slot::new(ValueKind::Text, Pool::Scratch, start, self.memo.scratch.len())
    }

    /// A text made for this line.
    fn made(&mut self, kind: ValueKind, text: &str) -> Slot {
        let start = self.memo.scratch.len();
        self.memo.scratch.push_str(text);
        Slot::new(kind, Pool::Scratch, start, self.memo.scratch.len())
    }

    fn compare(&self, operator: Operator, a: Slot, b: Slot) -> bool {
        let order = match (a.kind, b.kind) {
            (ValueKind::Missing, _) | (_, ValueKind::Missing) => None,
            (ValueKind::Number, ValueKind::Number) => Some(compare(self.str(a), self.str(b))),
            (ValueKind::Text, ValueKind::Text)
                if matches!(operator, Operator::Equal | Operator::NotEqual) =>
            {
                let same = a.end - a.start == b.end - b.start && self.bytes(a) == self.bytes(b);
                Some(if same { Ordering::Equal } else { Ordering::Less })
            }
            (ValueKind::Text, ValueKind::Text) => Some(self.str(a).cmp(self.str(b))),
            (ValueKind::Whole, ValueKind::Whole) => Some(if self.str(a) == self.str(b) {
                Ordering::Equal
            } else {
                return operator == Operator::NotEqual;
            }),
            (kind_a, kind_b) if kind_a == kind_b => Some(Ordering::Equal),
            _ => None,
        };
        match operator {
            Operator::Equal => order == Some(Ordering::Equal),
            Operator::NotEqual => order != Some(Ordering::Equal),
            Operator::Less => order == Some(Ordering::Less),
            Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
            Operator::Greater => order == Some(Ordering::Greater),
            Operator::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Operator::Plus | Operator::Minus => false,
        }
    }

    fn recall(&mut self, table: u32, key: KeyId, of_slice: bool, ask: &mut dyn Ask) -> Slot {
        // Whose parts depend on the slice is put together anew.
        let key = if of_slice { self.join(key, ask) } else { self.key(key) };
        let tables = self.tables;
        let found = if key.whole { tables.recall(table, key.hash, self.key_bytes(key)) } else { None };
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
                    whole &= value.kind != ValueKind::Missing;
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

    /// A text, or nothing.
    fn text_of(&mut self, node: NodeId, ask: &mut dyn Ask) -> Option<Slot> {
        Some(self.value(node, ask)).filter(|value| value.kind == ValueKind::Text)
    }

    /// Functions of texts and numbers: of anything else they are worth nothing.
    fn function(&mut self, node: NodeId, ask: &mut dyn Ask) -> Slot {
        let program = self.program;
        let found = match &program.nodes[node as usize] {
            Node::Matches(a, pattern) => {
                let text = self.text_of(*a, ask);
                let pattern = &program.patterns[*pattern as usize];
                return Slot::truth(text.is_some_and(|text| pattern.is_match(self.str(text))));
            }
            Node::Starts(a, b) => return self.both(*a, *b, ask, |text, part| text.starts_with(part)),
            Node::Ends(a, b) => return self.both(*a, *b, ask, |text, part| text.ends_with(part)),
            Node::Contains(a, b) => return self.both(*a, *b, ask, |text, part| text.contains(part)),
            Node::Strip(prefix, a) => self.strip(*prefix, *a, ask),
            Node::Lower(a) => {
                let text = self.text_of(*a, ask).map(|text| self.str(text).to_lowercase());
                text.map(|text| self.made(ValueKind::Text, &text))
            }
            Node::Upper(a) => {
                let text = self.text_of(*a, ask).map(|text| self.str(text).to_uppercase());
                text.map(|text| self.made(ValueKind::Text, &text))
            }
            Node::Length(a) => {
                let count = self.text_of(*a, ask).map(|text| self.str(text).chars().count().to_string());
                count.map(|count| self.made(ValueKind::Number, &count))
            }
            Node::Number(a) => {
                let value = self.value(*a, ask);
                match value.kind {
                    ValueKind::Number => Some(value),
                    ValueKind::Text if is_number(self.str(value)) => {
                        Some(Slot { kind: ValueKind::Number, ..value })
                    }
                    _ => None,
                }
            }
            Node::Text(a) => {
                let value = self.value(*a, ask);
                match value.kind {
                    ValueKind::Missing => None,
                    ValueKind::Null => Some(self.made(ValueKind::Text, "null")),
                    ValueKind::True => Some(self.made(ValueKind::Text, "true")),
                    ValueKind::False => Some(self.made(ValueKind::Text, "false")),
                    _ => Some(Slot { kind: ValueKind::Text, ..value }),
                }
            }
            Node::Add(a, b) => self.sum(*a, *b, false, ask),
            Node::Subtract(a, b) => self.sum(*a, *b, true, ask),
            _ => None,
        };
        found.unwrap_or(Slot::MISSING)
    }

    fn both(&mut self, a: NodeId, b: NodeId, ask: &mut dyn Ask, test: impl Fn(&str, &str) -> bool) -> Slot {
        let (a, b) = (self.text_of(a, ask), self.text_of(b, ask));
        Slot::truth(a.zip(b).is_some_and(|(a, b)| test(self.str(a), self.str(b))))
    }

    fn strip(&mut self, prefix: NodeId, a: NodeId, ask: &mut dyn Ask) -> Option<Slot> {
        let (prefix, value) = (self.text_of(prefix, ask), self.text_of(a, ask)?);
        let stripped = prefix.is_some_and(|prefix| self.str(value).starts_with(self.str(prefix)));
        let length = prefix.filter(|_| stripped).map_or(0, |prefix| prefix.end - prefix.start);
        Some(Slot { start: value.start + length, ..value })
    }

    fn sum(&mut self, a: NodeId, b: NodeId, subtract: bool, ask: &mut dyn Ask) -> Option<Slot> {
        let (a, b) = (self.value(a, ask), self.value(b, ask));
        if a.kind != ValueKind::Number || b.kind != ValueKind::Number {
            return None;
        }
        let sum = add(self.str(a), self.str(b), subtract)?;
        Some(self.made(ValueKind::Number, &sum))
    }
}

/// Separates the parts of a key: no text contains this byte.
const BETWEEN: u8 = 0xff;

/// Adds a value to a key, as it is written: `1` and `"1"` are two keys.
#[inline]
pub(crate) fn push_part(key: &mut Vec<u8>, kind: ValueKind, text: &str) {
    key.push(match kind {
        ValueKind::Missing => b'?',
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
