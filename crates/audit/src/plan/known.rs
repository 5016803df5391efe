//! What expressions are worth as far as that is known before a line is looked at closely.

use rustc_hash::FxHashMap;

use crate::mapping::{ConstantId, Node, NodeId, Operator, Program};
use crate::read::{ValueKind, is_number};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// It is of this kind, which is that of no text; of numbers and whole values no more than that.
    Kind(ValueKind),
    /// It is this text.
    Constant(ConstantId),
    /// It is a text, and none of those that this field is compared with.
    Other(NodeId),
    /// It is the text of a number.
    Digits,
}

impl Known {
    const MISSING: Known = Known::Kind(ValueKind::Missing);

    fn truth(truth: bool) -> Known {
        Known::Kind(if truth { ValueKind::True } else { ValueKind::False })
    }

    fn is_text(self) -> bool {
        matches!(self, Known::Constant(_) | Known::Other(_) | Known::Digits)
    }

    /// Does it hold, as a condition?
    fn holds(self) -> Option<bool> {
        match self {
            Known::Nothing => None,
            known => Some(known == Known::Kind(ValueKind::True)),
        }
    }
}

/// What is known of the parts of a program.
pub(super) struct Knowledge<'p> {
    program: &'p Program,
    remembers: &'p [bool],
    values: Vec<Option<Known>>,
    /// The texts that each field is compared with.
    texts: FxHashMap<NodeId, &'p [ConstantId]>,
}

impl<'p> Knowledge<'p> {
    pub(super) fn new(program: &'p Program, remembers: &'p [bool]) -> Self {
        let values = vec![None; program.nodes.len()];
        Knowledge { program, remembers, values, texts: FxHashMap::default() }
    }

    /// A field is known.
    pub(super) fn learn(&mut self, node: NodeId, known: Known, texts: &'p [ConstantId]) {
        self.values[node as usize] = Some(known);
        self.texts.insert(node, texts);
    }

    /// May a condition hold? Adds what has to be asked before that is certain.
    pub(super) fn rest(&mut self, node: NodeId, rest: &mut Vec<NodeId>) -> bool {
        if let Some(known) = self.value(node).holds() {
            return known;
        }
        let program = self.program;
        match &program.nodes[node as usize] {
            // What a slice remembers is asked as if nothing were known: a part that comes after it decides too late.
            Node::All(parts) if parts.iter().all(|part| self.value(*part).holds() != Some(false)) => {
                parts.iter().for_each(|part| {
                    self.rest(*part, rest);
                });
            }
            Node::Any(parts) => {
                let open: Vec<NodeId> =
                    parts.iter().copied().filter(|part| self.value(*part).holds() != Some(false)).collect();
                match open[..] {
                    [one] => return self.rest(one, rest),
                    _ => rest.push(node),
                }
            }
            _ => rest.push(node),
        }
        true
    }

    fn value(&mut self, node: NodeId) -> Known {
        if let Some(known) = self.values[node as usize] {
            return known;
        }
        let known = self.find(node);
        self.values[node as usize] = Some(known);
        known
    }

    fn find(&mut self, node: NodeId) -> Known {
        let program = self.program;
        match &program.nodes[node as usize] {
            Node::Constant(constant) => match program.slots[*constant as usize].kind {
                ValueKind::Text => Known::Constant(*constant),
                kind => Known::Kind(kind),
            },
            Node::Truth(truth) => Known::truth(*truth),
            Node::Holds(a) => match self.value(*a) {
                Known::Constant(text) => Known::truth(program.text(text) == "true"),
                Known::Nothing | Known::Other(_) => Known::Nothing,
                known => Known::truth(known == Known::truth(true)),
            },
            Node::Not(a) => self.value(*a).holds().map_or(Known::Nothing, |holds| Known::truth(!holds)),
            Node::All(parts) => self.both(parts, true),
            Node::Any(parts) => self.both(parts, false),
            Node::Compare(operator, a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                self.compare(*operator, a, b)
            }
            Node::Has(a) => match self.value(*a) {
                Known::Nothing => Known::Nothing,
                known => Known::truth(known != Known::MISSING),
            },
            Node::First(parts) => {
                let mut values = parts.iter().map(|part| self.value(*part));
                values.find(|value| *value != Known::MISSING).unwrap_or(Known::MISSING)
            }
            Node::If(condition, a, b) => match self.value(*condition).holds() {
                Some(holds) => self.value(if holds { *a } else { *b }),
                None => Known::Nothing,
            },
            Node::Recall(_, _, parts) if parts.iter().any(|part| self.value(*part) == Known::MISSING) => {
                Known::MISSING
            }
            Node::Matches(a, _) | Node::Starts(a, _) | Node::Ends(a, _) | Node::Contains(a, _) => {
                match self.value(*a) {
                    Known::Kind(_) => Known::truth(false),
                    _ => Known::Nothing,
                }
            }
            Node::Number(a) => match self.value(*a) {
                Known::Nothing | Known::Other(_) => Known::Nothing,
                Known::Kind(ValueKind::Number) | Known::Digits => Known::Kind(ValueKind::Number),
                Known::Constant(text) if is_number(program.text(text).trim_ascii()) => {
                    Known::Kind(ValueKind::Number)
                }
                Known::Kind(_) | Known::Constant(_) => Known::MISSING,
            },
            Node::Text(a) => match self.value(*a) {
                Known::Kind(ValueKind::Number) => Known::Digits,
                Known::Kind(ValueKind::Missing) => Known::MISSING,
                known if known.is_text() => known,
                Known::Kind(ValueKind::Null) => self.constant("null"),
                Known::Kind(ValueKind::True) => self.constant("true"),
                Known::Kind(ValueKind::False) => self.constant("false"),
                _ => Known::Nothing,
            },
            _ => Known::Nothing,
        }
    }

    /// A text, if it is a constant.
    fn constant(&self, text: &str) -> Known {
        let is_it = |slot: &ConstantId| {
            self.program.slots[*slot as usize].kind == ValueKind::Text && self.program.text(*slot) == text
        };
        let known = (0..self.program.slots.len() as ConstantId).find(is_it);
        known.map_or(Known::Nothing, Known::Constant)
    }

    /// All, or any: parts up to the first that is not `usual`.
    fn both(&mut self, parts: &[NodeId], usual: bool) -> Known {
        let (mut open, mut remembered) = (false, false);
        for part in parts {
            match self.value(*part).holds() {
                Some(holds) if holds == usual => {}
                Some(_) if remembered => return Known::Nothing,
                Some(holds) => return Known::truth(holds),
                None => {
                    open = true;
                    remembered |= self.remembers[*part as usize];
                }
            }
        }
        if open { Known::Nothing } else { Known::truth(usual) }
    }

    fn compare(&self, operator: Operator, a: Known, b: Known) -> Known {
        let equal = match (a, b) {
            (Known::MISSING, _) | (_, Known::MISSING) => Some(false),
            (Known::Nothing, _) | (_, Known::Nothing) => None,
            (Known::Constant(a), Known::Constant(b)) => Some(a == b),
            (Known::Other(field), Known::Constant(text)) | (Known::Constant(text), Known::Other(field)) => {
                let compared = self.texts.get(&field).is_some_and(|texts| texts.contains(&text));
                compared.then_some(false)
            }
            (Known::Digits, Known::Constant(text)) | (Known::Constant(text), Known::Digits) => {
                (!is_number(self.program.text(text))).then_some(false)
            }
            (Known::Kind(ValueKind::Number | ValueKind::Whole), _) if a == b => None,
            (Known::Kind(_), _) | (_, Known::Kind(_)) => Some(a == b),
            _ => None,
        };
        match (operator, equal) {
            (Operator::Equal, Some(equal)) => Known::truth(equal),
            (Operator::NotEqual, Some(equal)) => Known::truth(!equal),
            (Operator::Equal | Operator::NotEqual, None) => Known::Nothing,
            // The order of others, if they have one, shows when they are there.
            _ if a == Known::MISSING || b == Known::MISSING => Known::truth(false),
            _ => Known::Nothing,
        }
    }
}
