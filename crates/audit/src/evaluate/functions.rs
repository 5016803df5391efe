//! What functions of texts and numbers are worth.

use super::{Ask, Line, unclear};
use crate::mapping::{Node, NodeId};
use crate::read::{Slot, ValueKind, add};

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
                if value.kind == ValueKind::Unclear { Some(value) } else { self.number_of(value) }
            }
            Node::Text(a) => {
                let value = self.value(*a, ask);
                match value.kind {
                    ValueKind::Missing => None,
                    ValueKind::Unclear => Some(value),
                    ValueKind::Null => Some(self.made(ValueKind::Text, "null")),
                    ValueKind::True => Some(self.made(ValueKind::Text, "true")),
                    ValueKind::False => Some(self.made(ValueKind::Text, "false")),
                    _ => Some(Slot { kind: ValueKind::Text, ..value }),
                }
            }
            Node::Add(a, b) => self.sum(node, (*a, *b), false, ask),
            Node::Subtract(a, b) => self.sum(node, (*a, *b), true, ask),
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

    /// The sum of two numbers; of what is missing there is none, and of anything else it is not clear.
    fn sum(
        &mut self,
        node: NodeId,
        (a, b): (NodeId, NodeId),
        subtract: bool,
        ask: &mut dyn Ask,
    ) -> Option<Slot> {
        let (a, b) = (self.value(a, ask), self.value(b, ask));
        if a.kind == ValueKind::Missing || b.kind == ValueKind::Missing {
            return None;
        }
        if let Some(unclear) = [a, b].into_iter().find(|it| it.kind == ValueKind::Unclear) {
            return Some(unclear);
        }
        let Some((a, b)) = self.number_of(a).zip(self.number_of(b)) else { return Some(unclear(node)) };
        let sum = add(self.str(a), self.str(b), subtract)?;
        Some(self.made(ValueKind::Number, &sum))
    }
}
