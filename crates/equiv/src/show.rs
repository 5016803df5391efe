//! Formulas of Hennessy-Milner logic for people.
//!
//! Negations are pushed inwards: `[a]` is the dual of `<a>`. A formula that is too large for one line is given as a list
//! of definitions, so its size on paper is what it has in memory.

use std::fmt::Write as _;

use servanda_lts::{Action, Labels};

use crate::formula::{Formula, FormulaId, Node};

/// More nodes than this are not written on one line.
pub(crate) const LARGEST: u64 = 400;
/// Nor is a deeper formula.
pub(crate) const DEEPEST: u32 = 100;

/// Can a formula be written on one line?
pub(crate) fn is_small(formula: &Formula) -> bool {
    formula.size() <= LARGEST && formula.depth() <= DEEPEST
}

/// The formula in words.
pub(crate) fn show(formula: &Formula, labels: &Labels) -> String {
    let shower = Shower { formula, labels, small: is_small(formula) };
    if shower.small { shower.part(formula.root(), true, Place::Alone) } else { shower.definitions() }
}

/// What stands around a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    Operand,
}

struct Shower<'a> {
    formula: &'a Formula,
    labels: &'a Labels,
    small: bool,
}

impl Shower<'_> {
    /// A part; negated unless it is to hold.
    fn part(&self, id: FormulaId, holds: bool, place: Place) -> String {
        match self.formula.node(id) {
            Node::True => holds.to_string(),
            Node::Not(part) => self.part(*part, !holds, place),
            Node::All(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.part(*part, holds, Place::Operand)).collect();
                let joined = parts.join(if holds { " & " } else { " | " });
                if place == Place::Operand { format!("({joined})") } else { joined }
            }
            _ if self.small => self.modality(id, holds),
            _ => format!("{}{}", if holds { "" } else { "!" }, name(id)),
        }
    }

    fn modality(&self, id: FormulaId, holds: bool) -> String {
        let part = |part: &FormulaId, holds| self.part(*part, holds, Place::Operand);
        match self.formula.node(id) {
            Node::Step { action, then } => {
                let (open, close) = if holds { ("<", ">") } else { ("[", "]") };
                format!("{open}{}{close}{}", self.labels.name(*action), part(then, holds))
            }
            Node::Weak { action, then } => {
                let (open, close) = if holds { ("<<", ">>") } else { ("[[", "]]") };
                format!("{open}{}{close}{}", self.visible(*action), part(then, holds))
            }
            Node::Until { hold, action, then } => {
                let hold = match self.formula.node(*hold) {
                    Node::True => String::new(),
                    _ => part(hold, true) + " ",
                };
                let last = match self.visible(*action) {
                    "" => String::new(),
                    label => format!(" {label}"),
                };
                let not = if holds { "" } else { "!" };
                format!("{not}<{hold}tau*{last}>{}", part(then, true))
            }
            Node::True | Node::Not(_) | Node::All(_) => part(&id, holds),
        }
    }

    fn visible(&self, action: Action) -> &str {
        if action.is_internal() { "" } else { self.labels.name(action) }
    }

    /// Every modality with a name of its own, wholes before parts.
    fn definitions(&self) -> String {
        let root = self.formula.root();
        let mut text = format!("{}, where", self.part(root, true, Place::Alone));
        for number in (0..=root.0).rev().map(FormulaId) {
            if !matches!(self.formula.node(number), Node::True | Node::Not(_) | Node::All(_)) {
                let _ = write!(text, "\n  {} = {}", name(number), self.modality(number, true));
            }
        }
        text
    }
}

fn name(id: FormulaId) -> String {
    format!("f{}", id.0)
}
