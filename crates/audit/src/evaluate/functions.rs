//! What functions of texts and numbers are worth.

use super::{Ask, Line};
use crate::mapping::{Node, NodeId};
use crate::read::{Slot, ValueKind, add, is_number};

impl Line<'_> {
    /// A text, or nothing.
    fn text_of(&mut self, node: NodeId, ask: &mut dyn Ask) -> Option<Slot> {
        Some(self.value(node, ask)).filter(|value| value.kind == ValueKind::Text)
    }

    /// Functions of texts and numbers: of anything else they are worth nothing.
    pub(super) fn function(&mut self, node: NodeId, ask: &mut dyn Ask) -> Slot {
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
