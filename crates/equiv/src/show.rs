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
    if shower.small { shower.part(formula.root(), Sign::Plain, Place::Alone) } else { shower.definitions() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plain,
    Negated,
}

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Sign::Plain => Sign::Negated,
            Sign::Negated => Sign::Plain,
        }
    }
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
    fn part(&self, id: FormulaId, sign: Sign, place: Place) -> String {
        match (self.formula.node(id), sign) {
            (Node::True, Sign::Plain) => "true".to_owned(),
            (Node::True, Sign::Negated) => "false".to_owned(),
            (Node::Not(part), sign) => self.part(*part, sign.flipped(), place),
            (Node::All(parts), sign) => {
                let joint = if sign == Sign::Plain { " & " } else { " | " };
                let parts: Vec<String> =
                    parts.iter().map(|part| self.part(*part, sign, Place::Operand)).collect();
                let joined = parts.join(joint);
                if place == Place::Operand { format!("({joined})") } else { joined }
            }
            (_, Sign::Plain) if !self.small => name(id),
            (_, Sign::Negated) if !self.small => format!("!{}", name(id)),
            (_, sign) => self.modality(id, sign),
        }
    }

    fn modality(&self, id: FormulaId, sign: Sign) -> String {
        let then = |then: &FormulaId, sign| self.part(*then, sign, Place::Operand);
        match (self.formula.node(id), sign) {
            (Node::Step { action, then: part }, Sign::Plain) => {
                format!("<{}>{}", self.labels.name(*action), then(part, sign))
            }
            (Node::Step { action, then: part }, Sign::Negated) => {
                format!("[{}]{}", self.labels.name(*action), then(part, sign))
            }
            (Node::Weak { action, then: part }, Sign::Plain) => {
                format!("<<{}>>{}", self.visible(*action), then(part, sign))
            }
            (Node::Weak { action, then: part }, Sign::Negated) => {
                format!("[[{}]]{}", self.visible(*action), then(part, sign))
            }
            (Node::Until { hold, action, then: part }, sign) => {
                let hold = match self.formula.node(*hold) {
                    Node::True => String::new(),
                    _ => self.part(*hold, Sign::Plain, Place::Operand) + " ",
                };
                let last = match self.visible(*action) {
                    "" => String::new(),
                    label => format!(" {label}"),
                };
                let not = if sign == Sign::Negated { "!" } else { "" };
                format!("{not}<{hold}tau*{last}>{}", then(part, Sign::Plain))
            }
            _ => self.part(id, sign, Place::Operand),
        }
    }

    fn visible(&self, action: Action) -> &str {
        if action.is_internal() { "" } else { self.labels.name(action) }
    }

    /// Every modality with a name of its own, wholes before parts.
    fn definitions(&self) -> String {
        let root = self.formula.root();
        let mut text = format!("{}, where", self.part(root, Sign::Plain, Place::Alone));
        for number in (0..=root.0).rev().map(FormulaId) {
            if !matches!(self.formula.node(number), Node::True | Node::Not(_) | Node::All(_)) {
                let _ = write!(text, "\n  {} = {}", name(number), self.modality(number, Sign::Plain));
            }
        }
        text
    }
}

fn name(id: FormulaId) -> String {
    format!("f{}", id.0)
}
