//! What expressions are worth on a line. Each part is evaluated at most once a line, unless it depends on the slice.

mod functions;
mod keys;
mod memo;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::mapping::{Node, NodeId, Operator, Program};
use crate::read::{Pool, Slot, ValueKind, compare, decode};
use crate::tables::Tables;
pub(crate) use keys::{Key, parts_of};
pub(crate) use memo::Memo;

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
}
