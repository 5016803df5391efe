//! Which rules a line can match at all.
//!
//! What the fields of a line are – missing, a number, one of the texts that rules compare them with – decides most conditions. Lines that
//! agree in this have one plan, made for the first of them: the rules that are left, and what is still to be asked for each.

mod known;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::evaluate::{Line, NoSlice};
use crate::mapping::{ConstantId, Node, NodeId, Program};
use crate::read::ValueKind;
use known::{Knowledge, Known};

/// So many plans are kept; lines of yet another kind ask every rule.
const MOST: usize = 1 << 12;

/// How many texts a field is compared with, at most, so that a byte tells which it is.
const MOST_TEXTS: usize = 240;

/// The class of the first of these texts; those before are the kinds of values.
const FIRST_TEXT: u8 = 9;

/// Conditions of which it is asked which hold.
pub(crate) struct Conditions {
    pub(crate) conditions: Vec<NodeId>,
    /// Does only the first count that holds?
    pub(crate) first: bool,
}

/// A condition that may hold.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Which of its list.
    pub(crate) rule: u32,
    /// Is something asked about the slice?
    pub(crate) of_slice: bool,
    /// What is still to be asked: it holds if all of these do.
    pub(crate) rest: Box<[NodeId]>,
}

/// The conditions that may hold, for each list.
pub(crate) type Plan = Vec<Box<[Candidate]>>;

/// A field that conditions depend on.
pub(crate) struct Look {
    node: NodeId,
    slot: u32,
    /// The texts it is compared with, in the order of their classes.
    texts: Vec<ConstantId>,
    /// The same by the last bits of their lengths.
    by_length: Vec<Vec<(Box<[u8]>, u8)>>,
}

/// Plans for lines.
pub(crate) struct Plans<'m> {
    program: &'m Program,
    lists: Vec<Conditions>,
    looks: Vec<Look>,
    /// By part of the program, whether a slice remembers what it is worth.
    remembers: Vec<bool>,
    /// The first one asks everything.
    plans: Vec<Plan>,
    by_classes: FxHashMap<Box<[u8]>, u32>,
    classes: Vec<u8>,
}

impl<'m> Plans<'m> {
    pub(crate) fn new(program: &'m Program, lists: Vec<Conditions>) -> Self {
        let mut parts = program.below(lists.iter().flat_map(|list| list.conditions.iter().copied()));
        parts.sort_unstable();
        let looks: Vec<Look> = parts.iter().filter_map(|node| Look::new(program, *node)).collect();
        let remembers = |node| {
            let below = program.below([node]);
            below.iter().any(|part| matches!(program.nodes[*part as usize], Node::Increasing(..)))
        };
        let remembers: Vec<bool> = (0..program.nodes.len() as NodeId).map(remembers).collect();
        let everything = |list: &Conditions| -> Box<[Candidate]> {
            let candidate = |(rule, when): (usize, &NodeId)| candidate(program, rule, vec![*when]);
            list.conditions.iter().enumerate().map(candidate).collect()
        };
        Plans {
            program,
            plans: vec![lists.iter().map(everything).collect()],
            lists,
            classes: vec![0; looks.len()],
            looks,
            remembers,
            by_classes: FxHashMap::default(),
        }
    }

    /// The plan for a line.
    #[inline]
    pub(crate) fn plan(&mut self, line: &mut Line<'_>) -> &Plan {
        for (class, look) in self.classes.iter_mut().zip(&self.looks) {
            *class = look.class(line);
        }
        let plan = match self.by_classes.get(&*self.classes) {
            Some(plan) => *plan,
            None => self.make(),
        };
        &self.plans[plan as usize]
    }

    #[cold]
    fn make(&mut self) -> u32 {
        if self.plans.len() > MOST {
            return 0;
        }
        let mut knowledge = Knowledge::new(self.program, &self.remembers);
        for (look, class) in self.looks.iter().zip(&self.classes) {
            knowledge.learn(look.node, look.known(*class), &look.texts);
        }
        let mut plan = Plan::new();
        for list in &self.lists {
            let mut candidates = Vec::new();
            for (rule, when) in list.conditions.iter().enumerate() {
                let mut rest = Vec::new();
                if !knowledge.rest(*when, &mut rest) {
                    continue;
                }
                let certain = rest.is_empty();
                candidates.push(candidate(self.program, rule, rest));
                if certain && list.first {
                    break;
                }
            }
            plan.push(candidates.into());
        }
        self.plans.push(plan);
        let number = (self.plans.len() - 1) as u32;
        self.by_classes.insert(self.classes.as_slice().into(), number);
        number
    }
}

fn candidate(program: &Program, rule: usize, rest: Vec<NodeId>) -> Candidate {
    let of_slice = rest.iter().any(|part| program.of_slice[*part as usize]);
    Candidate { rule: rule as u32, of_slice, rest: rest.into() }
}

impl Look {
    /// Of a part that is a field.
    fn new(program: &Program, node: NodeId) -> Option<Self> {
        let Node::Field(slot) = program.nodes[node as usize] else { return None };
        let mut texts: Vec<ConstantId> = Vec::new();
        for part in &program.nodes {
            let Node::Compare(_, a, b) = part else { continue };
            let other = if *a == node { b } else { a };
            if *a != node && *b != node {
                continue;
            }
            if let Node::Constant(text) = program.nodes[*other as usize]
                && program.slots[text as usize].kind == ValueKind::Text
                && !texts.contains(&text)
            {
                texts.push(text);
            }
        }
        texts.truncate(MOST_TEXTS);
        let mut by_length = vec![Vec::new(); if texts.is_empty() { 0 } else { 32 }];
        for (text, class) in texts.iter().zip(FIRST_TEXT..) {
            let text = program.text(*text).as_bytes();
            by_length[text.len() % 32].push((text.into(), class));
        }
        Some(Look { node, slot, texts, by_length })
    }

    /// What the field of a line is, in a byte.
    #[inline]
    fn class(&self, line: &mut Line<'_>) -> u8 {
        let mut slot = line.slots[self.slot as usize];
        if slot.kind == ValueKind::Escaped {
            slot = line.value(self.node, &mut NoSlice);
        }
        if slot.kind == ValueKind::Text && !self.by_length.is_empty() {
            let text = line.bytes(slot);
            let same = self.by_length[text.len() % 32].iter().find(|(known, _)| **known == *text);
            if let Some((_, class)) = same {
                return *class;
            }
        }
        slot.kind as u8
    }

    /// What a class says about the field.
    fn known(&self, class: u8) -> Known {
        match class.checked_sub(FIRST_TEXT) {
            Some(text) => Known::Constant(self.texts[usize::from(text)]),
            None if class == ValueKind::Text as u8 => Known::Other(self.node),
            None => {
                let kinds = [ValueKind::Missing, ValueKind::Null, ValueKind::False, ValueKind::True];
                let kinds = kinds.into_iter().chain([ValueKind::Number, ValueKind::Whole]);
                kinds.into_iter().find(|kind| *kind as u8 == class).map_or(Known::Nothing, Known::Kind)
            }
        }
    }
}
