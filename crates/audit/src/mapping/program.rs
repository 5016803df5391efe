//! Expressions made ready to be evaluated: every distinct part once, whoever uses it.

use regex::Regex;
use rustc_hash::FxHashMap;

use super::Part;
use super::tree::Operator;
use crate::read::{Pool, Slot, ValueKind};

/// A part of a program.
pub(crate) type NodeId = u32;

/// What a part does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// A field, by its slot.
    Field(u32),
    Constant(ConstantId),
    Truth(bool),
    /// Is a value `true`?
    Holds(NodeId),
    Not(NodeId),
    All(Box<[NodeId]>),
    Any(Box<[NodeId]>),
    Compare(Operator, NodeId, NodeId),
    Add(NodeId, NodeId),
    Subtract(NodeId, NodeId),
    Has(NodeId),
    First(Box<[NodeId]>),
    If(NodeId, NodeId, NodeId),
    /// What a table holds under a key.
    Recall(u32, KeyId, Box<[NodeId]>),
    /// Larger than the last one of the slice; the position is that of its memory.
    Increasing(u32, NodeId),
    /// Is the slice in this control state?
    SliceIn(u32),
    Matches(NodeId, u32),
    Strip(NodeId, NodeId),
    Lower(NodeId),
    Upper(NodeId),
    Starts(NodeId, NodeId),
    Ends(NodeId, NodeId),
    Contains(NodeId, NodeId),
    Length(NodeId),
    Number(NodeId),
    Text(NodeId),
}

/// A list of parts that are a key, by its position.
pub(crate) type KeyId = u32;

/// A constant, by its position.
pub(crate) type ConstantId = u32;

/// How deep what is evaluated may be, all definitions unfolded.
pub(crate) const DEEPEST: u32 = 500;

/// All expressions of a mapping.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
    /// Does what a part is worth depend on the slice, and not only on the line?
    pub(crate) of_slice: Vec<bool>,
    depths: Vec<u32>,
    known: FxHashMap<Node, NodeId>,
    /// The texts of all constants, one after the other.
    pub(crate) constants: String,
    pub(crate) slots: Vec<Slot>,
    /// The keys of views, tables and recalls, every distinct one once.
    pub(crate) keys: Vec<Box<[Part]>>,
    pub(crate) patterns: Vec<Regex>,
    /// The control states that are asked for.
    pub(crate) states: Vec<String>,
    /// How many memories `increasing` needs in a slice.
    pub(crate) memories: u32,
}

impl Program {
    /// A part, made once.
    pub(crate) fn node(&mut self, node: Node) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let (mut depth, mut of_slice) = (0, matches!(node, Node::Increasing(..) | Node::SliceIn(_)));
        node.parts(|part| {
            depth = depth.max(self.depths[part as usize] + 1);
            of_slice |= self.of_slice[part as usize];
        });
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node.clone());
        self.of_slice.push(of_slice);
        self.depths.push(depth);
        self.known.insert(node, id);
        id
    }

    /// How deep it is.
    pub(crate) fn depth(&self, node: NodeId) -> u32 {
        self.depths[node as usize]
    }

    /// A constant.
    pub(crate) fn constant(&mut self, kind: ValueKind, text: &str) -> NodeId {
        let same = |slot: &Slot| {
            slot.kind == kind && self.constants.get(slot.start as usize..slot.end as usize) == Some(text)
        };
        let position = self.slots.iter().position(same).unwrap_or_else(|| {
            let start = self.constants.len();
            self.constants.push_str(text);
            self.slots.push(Slot::new(kind, Pool::Constant, start, self.constants.len()));
            self.slots.len() - 1
        });
        self.node(Node::Constant(position as ConstantId))
    }

    /// The text of a constant.
    pub(crate) fn text(&self, constant: ConstantId) -> &str {
        let slot = self.slots[constant as usize];
        self.constants.get(slot.start as usize..slot.end as usize).unwrap_or("")
    }

    /// A key, made once.
    pub(crate) fn key(&mut self, parts: Vec<Part>) -> KeyId {
        let position = self.keys.iter().position(|known| **known == *parts).unwrap_or_else(|| {
            self.keys.push(parts.into());
            self.keys.len() - 1
        });
        position as KeyId
    }

    /// What a table holds under a key.
    pub(crate) fn recall(&mut self, table: u32, parts: Box<[NodeId]>) -> Node {
        let key = self.key(parts.iter().copied().map(Part::Value).collect());
        Node::Recall(table, key, parts)
    }

    /// A control state that is asked for.
    pub(crate) fn state(&mut self, name: &str) -> NodeId {
        let position = self.states.iter().position(|known| known == name).unwrap_or_else(|| {
            self.states.push(name.to_owned());
            self.states.len() - 1
        });
        self.node(Node::SliceIn(position as u32))
    }

    /// A pattern.
    pub(crate) fn pattern(&mut self, pattern: Regex) -> u32 {
        let known = self.patterns.iter().position(|known| known.as_str() == pattern.as_str());
        known.unwrap_or_else(|| {
            self.patterns.push(pattern);
            self.patterns.len() - 1
        }) as u32
    }

    /// A memory of its own for a value that should increase.
    pub(crate) fn increasing(&mut self, value: NodeId) -> NodeId {
        let same = |node: &&Node| matches!(node, Node::Increasing(_, known) if *known == value);
        if let Some(known) = self.nodes.iter().find(same) {
            let known = known.clone();
            return self.node(known);
        }
        self.memories += 1;
        self.node(Node::Increasing(self.memories - 1, value))
    }

    /// All parts of a part, itself included.
    pub(crate) fn below(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut open: Vec<NodeId> = roots.into_iter().collect();
        let mut seen = vec![false; self.nodes.len()];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                found.push(node);
                self.nodes[node as usize].parts(|part| open.push(part));
            }
        }
        found
    }
}

impl Node {
    /// The parts that it is made of.
    fn parts(&self, mut each: impl FnMut(NodeId)) {
        match self {
            Node::Field(_) | Node::Constant(_) | Node::Truth(_) | Node::SliceIn(_) => {}
            Node::Holds(a)
            | Node::Not(a)
            | Node::Has(a)
            | Node::Increasing(_, a)
            | Node::Matches(a, _)
            | Node::Lower(a)
            | Node::Upper(a)
            | Node::Length(a)
            | Node::Number(a)
            | Node::Text(a) => each(*a),
            Node::Compare(_, a, b)
            | Node::Add(a, b)
            | Node::Subtract(a, b)
            | Node::Strip(a, b)
            | Node::Starts(a, b)
            | Node::Ends(a, b)
            | Node::Contains(a, b) => {
                each(*a);
                each(*b);
            }
            Node::If(a, b, c) => {
                each(*a);
                each(*b);
                each(*c);
            }
            Node::All(parts) | Node::Any(parts) | Node::First(parts) | Node::Recall(_, _, parts) => {
                parts.iter().for_each(|part| each(*part));
            }
        }
    }
}
