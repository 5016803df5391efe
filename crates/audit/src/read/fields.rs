//! The fields of a line: values found by JSON pointers (RFC 6901) in one pass.
//!
//! A field is a place in the line, not a copy. Where a key comes twice the last one counts, as most readers of JSON have it.

use std::borrow::Cow;

use super::escapes::decode;
use super::json::{Bad, DEEPEST, Json, Shape};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// There is none.
    Missing,
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number as it is written.
    Number,
    /// A text.
    Text,
    /// A text that is still written with escapes; none is to be seen after it has been asked for.
    Escaped,
    /// An object or an array as it is written.
    Whole,
    /// No value, since two things were to be compared or added that cannot be; no field is so.
    Unclear,
}

/// In which text a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pool {
    /// In the line.
    Line,
    /// In what has been made for the line.
    Scratch,
    /// In the mapping.
    Constant,
}

/// A value: what it is and where its text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) kind: ValueKind,
    pub(crate) pool: Pool,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Slot {
    pub(crate) const MISSING: Slot = Slot { kind: ValueKind::Missing, pool: Pool::Line, start: 0, end: 0 };

    #[inline]
    pub(crate) fn truth(value: bool) -> Slot {
        Slot { kind: if value { ValueKind::True } else { ValueKind::False }, ..Slot::MISSING }
    }

    #[inline]
    pub(crate) fn new(kind: ValueKind, pool: Pool, start: usize, end: usize) -> Slot {
        // Lines are no longer than `LONGEST`.
        Slot { kind, pool, start: start as u32, end: end as u32 }
    }
}

/// The longest line that is read, in bytes.
pub const LONGEST: usize = 1 << 30;

/// What is looked for below a point of the document.
#[derive(Clone, Debug, Default)]
struct Node {
    slot: Option<u32>,
    children: Vec<(Box<str>, u32)>,
    /// The slots at and below this point, which are neighbours.
    slots: (u32, u32),
}

/// Pointers, all looked for at once.
#[derive(Clone, Debug)]
pub struct Pointers {
    nodes: Vec<Node>,
    /// Where the value of each pointer is put.
    order: Vec<u32>,
}

/// The parts of a pointer, or what is wrong with it.
pub fn pointer(text: &str) -> Result<Vec<String>, &'static str> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let Some(parts) = text.strip_prefix('/') else { return Err("a JSON pointer begins with `/`") };
    let part = |part: &str| {
        let mut rest = part;
        while let Some(at) = rest.find('~') {
            if !rest[at + 1..].starts_with(['0', '1']) {
                return Err("in a JSON pointer `~` is written `~0`, and `/` within a name `~1`");
            }
            rest = &rest[at + 2..];
        }
        Ok(part.replace("~1", "/").replace("~0", "~"))
    };
    parts.split('/').map(part).collect()
}

impl Pointers {
    /// Those with these parts.
    pub fn new<'p>(pointers: impl IntoIterator<Item = &'p [String]>) -> Self {
        let mut found = Pointers { nodes: vec![Node::default()], order: Vec::new() };
        let mut ends = Vec::new();
        for parts in pointers {
            ends.push(parts.iter().fold(0, |node, part| found.child(node, part)));
        }
        found.number(0, &mut 0);
        found.order = ends.iter().map(|end| found.nodes[*end as usize].slot.unwrap_or(0)).collect();
        // Only ends have a slot of their own.
        for (index, node) in found.nodes.iter_mut().enumerate() {
            node.slot = node.slot.filter(|_| ends.contains(&(index as u32)));
        }
        found
    }

    fn child(&mut self, node: u32, part: &str) -> u32 {
        let children = &self.nodes[node as usize].children;
        if let Some((_, child)) = children.iter().find(|(name, _)| **name == *part) {
            return *child;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.nodes[node as usize].children.push((part.into(), child));
        child
    }

    /// Numbers slots so that those below a point are neighbours.
    fn number(&mut self, node: u32, next: &mut u32) {
        let first = *next;
        self.nodes[node as usize].slot = Some(first);
        *next += 1;
        for index in 0..self.nodes[node as usize].children.len() {
            let child = self.nodes[node as usize].children[index].1;
            self.number(child, next);
        }
        self.nodes[node as usize].slots = (first, *next);
    }

    /// The names of the outermost object that they begin with.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.nodes[0].children.iter().map(|(name, _)| &**name)
    }

    /// How many slots they need.
    pub(crate) fn slots(&self) -> usize {
        self.nodes.len()
    }

    /// The slot of a pointer, by its position.
    pub(crate) fn slot(&self, pointer: usize) -> usize {
        self.order[pointer] as usize
    }

    /// Fills the slots from a text that is one JSON value, which is checked wholly.
    pub(crate) fn read(&self, text: &str, slots: &mut [Slot]) -> Result<(), Bad> {
        let mut json = Json::new(text);
        slots.fill(Slot::MISSING);
        self.value(&mut json, 0, slots, DEEPEST)?;
        json.end()
    }

    /// The values that the pointers find in a text that is one JSON value: what they are, and their texts without escapes.
    ///
    /// # Errors
    ///
    /// The text is no JSON.
    ///
    /// ```
    /// use servanda_audit::read::{Pointers, ValueKind, pointer};
    ///
    /// let [id, name] = ["/msg/id", "/name"].map(|text| pointer(text).unwrap());
    /// let pointers = Pointers::new([&*id, &*name]);
    /// let found = pointers.values(r#"{"msg":{"id":9007199254740993}}"#).unwrap();
    /// assert_eq!(found[0], (ValueKind::Number, "9007199254740993".into()));
    /// assert_eq!(found[1].0, ValueKind::Missing);
    /// ```
    pub fn values<'t>(&self, text: &'t str) -> Result<Vec<(ValueKind, Cow<'t, str>)>, Bad> {
        let mut slots = vec![Slot::MISSING; self.slots()];
        self.read(text, &mut slots)?;
        let value = |slot: &u32| {
            let Slot { kind, start, end, .. } = slots[*slot as usize];
            let written = text.get(start as usize..end as usize).unwrap_or("");
            if kind != ValueKind::Escaped {
                return (kind, Cow::Borrowed(written));
            }
            let mut decoded = String::new();
            decode(written, &mut decoded);
            (ValueKind::Text, Cow::Owned(decoded))
        };
        Ok(self.order.iter().map(value).collect())
    }

    /// Reads a value at a point.
    fn value<'t>(&self, json: &mut Json<'t>, node: u32, slots: &mut [Slot], depth: usize) -> Result<(), Bad> {
        let here = &self.nodes[node as usize];
        let first = json.peek();
        let start = json.position();
        let found = match first {
            Some(b'{') if !here.children.is_empty() => {
                json.object(depth, |json, key, depth| {
                    let child = here.children.iter().find(|(name, _)| key_is(key, name));
                    match child {
                        Some((_, child)) => {
                            // An earlier key of the same name does not count, nor what was found below it.
                            let (from, to) = self.nodes[*child as usize].slots;
                            slots[from as usize..to as usize].fill(Slot::MISSING);
                            self.value(json, *child, slots, depth)
                        }
                        None => json.value(depth).map(drop),
                    }
                })?;
                (ValueKind::Whole, start, json.position())
            }
            Some(b'[') if !here.children.is_empty() => {
                json.array(depth, |json, position, depth| {
                    let child = here.children.iter().find(|(name, _)| is_position(name, position));
                    match child {
                        Some((_, child)) => self.value(json, *child, slots, depth),
                        None => json.value(depth).map(drop),
                    }
                })?;
                (ValueKind::Whole, start, json.position())
            }
            _ => {
                let (shape, start, end) = json.value(depth)?;
                (kind(shape), start, end)
            }
        };
        if let Some(slot) = here.slot {
            slots[slot as usize] = Slot::new(found.0, Pool::Line, found.1, found.2);
        }
        Ok(())
    }
}

fn kind(shape: Shape) -> ValueKind {
    match shape {
        Shape::Null => ValueKind::Null,
        Shape::True => ValueKind::True,
        Shape::False => ValueKind::False,
        Shape::Number => ValueKind::Number,
        Shape::Plain => ValueKind::Text,
        Shape::Escaped => ValueKind::Escaped,
        Shape::Object | Shape::Array => ValueKind::Whole,
    }
}

#[inline]
fn key_is((key, escaped): (&str, bool), name: &str) -> bool {
    if !escaped {
        return key == name;
    }
    let mut decoded = String::new();
    decode(key, &mut decoded);
    decoded == name
}

/// Does a part of a pointer stand for this element? A number without leading zeros, says RFC 6901.
fn is_position(part: &str, position: usize) -> bool {
    let number = part == "0" || part.starts_with(|first: char| matches!(first, '1'..='9'));
    number && part.parse::<usize>() == Ok(position)
}

/// The elements of an array, as they are written; `None` where the text is none.
pub(crate) fn elements(text: &str, mut each: impl FnMut(usize, usize)) -> Option<()> {
    let mut json = Json::new(text);
    if json.peek() != Some(b'[') {
        return None;
    }
    let found = json.array(DEEPEST, |json, _, depth| {
        json.peek();
        let start = json.position();
        json.value(depth)?;
        each(start, json.position());
        Ok(())
    });
    found.ok()
}
