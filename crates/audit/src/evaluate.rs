//! What expressions are worth on a line. Each part is evaluated at most once a line, unless it depends on the slice.

mod functions;
mod keys;
mod memo;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::mapping::{Node, NodeId, Operator, Program};
use crate::read::{Pool, Slot, ValueKind, compare, decode, is_number};
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

    /// Do all of these conditions hold? One that does not decides, whatever becomes of the others; otherwise one that cannot be decided
    /// is the error.
    #[inline]
    pub(crate) fn hold(&mut self, parts: &[NodeId], ask: &mut dyn Ask) -> Result<bool, Slot> {
        let all = self.all(parts, ValueKind::False, ask);
        if all.kind == ValueKind::Unclear { Err(all) } else { Ok(all.kind == ValueKind::True) }
    }

    /// Conditions up to the first that is `decides`: that one, or one that cannot be decided, or the opposite.
    #[inline]
    fn all(&mut self, parts: &[NodeId], decides: ValueKind, ask: &mut dyn Ask) -> Slot {
        let mut found = Slot::truth(decides == ValueKind::False);
        for part in parts {
            let value = self.value(*part, ask);
            if value.kind == decides {
                return value;
            }
            if value.kind == ValueKind::Unclear {
                found = value;
            }
        }
        found
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
                if value.kind == ValueKind::Unclear {
                    return value;
                }
                let text = value.kind == ValueKind::Text && self.str(value) == "true";
                Slot::truth(text || value.kind == ValueKind::True)
            }
            Node::Not(a) => match self.value(*a, ask) {
                unclear if unclear.kind == ValueKind::Unclear => unclear,
                value => Slot::truth(value.kind != ValueKind::True),
            },
            Node::All(parts) => self.all(parts, ValueKind::False, ask),
            Node::Any(parts) => self.all(parts, ValueKind::True, ask),
            Node::Compare(operator, a, b) => {
                let (a, b) = (self.value(*a, ask), self.value(*b, ask));
                if a.kind == ValueKind::Unclear {
                    return a;
                }
                if b.kind == ValueKind::Unclear {
                    return b;
                }
                self.compare(*operator, a, b).map_or_else(|| unclear(node), Slot::truth)
            }
            Node::Has(a) => match self.value(*a, ask) {
                unclear if unclear.kind == ValueKind::Unclear => unclear,
                value => Slot::truth(value.kind != ValueKind::Missing),
            },
            Node::First(parts) => {
                let mut values = parts.iter().map(|part| self.value(*part, ask));
                values.find(|value| value.kind != ValueKind::Missing).unwrap_or(Slot::MISSING)
            }
            Node::If(condition, a, b) => match self.value(*condition, ask) {
                unclear if unclear.kind == ValueKind::Unclear => unclear,
                value if value.kind == ValueKind::True => self.value(*a, ask),
                _ => self.value(*b, ask),
            },
            Node::Recall(table, key, _) => self.recall(node, (*table, *key), ask),
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

    /// The number that a value is: one of JSON, or a text that is one but for spaces around it.
    fn number_of(&self, value: Slot) -> Option<Slot> {
        if value.kind != ValueKind::Text {
            return Some(value).filter(|value| value.kind == ValueKind::Number);
        }
        let text = self.str(value);
        let inner = text.trim_ascii();
        let start = value.start + (text.len() - text.trim_ascii_start().len()) as u32;
        let end = start + inner.len() as u32;
        is_number(inner).then_some(Slot { kind: ValueKind::Number, start, end, ..value })
    }

    /// Are two values so? `None`: they have no order. What is missing is equal to nothing, and neither smaller nor larger.
    #[inline]
    fn compare(&self, operator: Operator, a: Slot, b: Slot) -> Option<bool> {
        match operator {
            Operator::Equal => Some(self.same(a, b)),
            Operator::NotEqual => Some(!self.same(a, b)),
            _ if a.kind == ValueKind::Missing || b.kind == ValueKind::Missing => Some(false),
            Operator::Less => self.order(a, b).map(Ordering::is_lt),
            Operator::LessOrEqual => self.order(a, b).map(Ordering::is_le),
            Operator::Greater => self.order(a, b).map(Ordering::is_gt),
            Operator::GreaterOrEqual => self.order(a, b).map(Ordering::is_ge),
            Operator::Plus | Operator::Minus => Some(false),
        }
    }

    /// Values of different kinds are not equal: `1` and `"1"` are two ids.
    #[inline]
    fn same(&self, a: Slot, b: Slot) -> bool {
        a.kind == b.kind
            && match a.kind {
                ValueKind::Missing => false,
                ValueKind::Number => compare(self.str(a), self.str(b)).is_eq(),
                ValueKind::Text | ValueKind::Whole => {
                    a.end - a.start == b.end - b.start && self.bytes(a) == self.bytes(b)
                }
                _ => true,
            }
    }

    /// Numbers by what they are worth, also where they are written as texts; other texts by their letters.
    fn order(&self, a: Slot, b: Slot) -> Option<Ordering> {
        match (self.number_of(a), self.number_of(b)) {
            (Some(a), Some(b)) => Some(compare(self.str(a), self.str(b))),
            _ if a.kind == ValueKind::Text && b.kind == ValueKind::Text => Some(self.str(a).cmp(self.str(b))),
            _ => None,
        }
    }

    /// Why something cannot be decided, in words.
    pub(crate) fn why(&mut self, unclear: Slot) -> String {
        let program = self.program;
        let (sign, a, b) = match &program.nodes[unclear.start as usize] {
            Node::Compare(operator, a, b) => (operator.sign(), *a, *b),
            Node::Add(a, b) => ("+", *a, *b),
            Node::Subtract(a, b) => ("-", *a, *b),
            _ => return "a value is not clear".to_owned(),
        };
        let [a, b] = [a, b].map(|node| {
            let value = self.value(node, &mut NoSlice);
            self.shown(value)
        });
        let what = if matches!(sign, "+" | "-") { "added up" } else { "compared" };
        format!("`{a} {sign} {b}`: these two cannot be {what}")
    }

    /// A value as JSON has it, cut where it is long.
    fn shown(&self, value: Slot) -> String {
        const LONGEST: usize = 40;
        let text = match value.kind {
            ValueKind::Missing => return "(missing)".to_owned(),
            ValueKind::Unclear => return "(unclear)".to_owned(),
            ValueKind::Null => return "null".to_owned(),
            ValueKind::True => return "true".to_owned(),
            ValueKind::False => return "false".to_owned(),
            _ => self.str(value),
        };
        let mut cut: String = text.chars().take(LONGEST).collect();
        if cut.len() < text.len() {
            cut.push('…');
        }
        if value.kind == ValueKind::Text { format!("\"{cut}\"") } else { cut }
    }
}

/// What the part cannot decide.
pub(super) fn unclear(node: NodeId) -> Slot {
    Slot { kind: ValueKind::Unclear, start: node, ..Slot::MISSING }
}
